import CFloor
import Dispatch
import FileSystemObservation
import Foundation
import SystemPackage

/// One list, and what is done to it.
struct ListRace {
  let rows: Int
  let isDeep: Bool
  private let folder: Folder
  private let observer: FileSystemObserver

  /// Makes the files, and observes them.
  init(rows: Int, isDeep: Bool, in base: Folder) throws {
    self.rows = rows
    self.isDeep = isDeep
    try base.mkdir("lists\(isDeep)")
    folder = base.appending("lists\(isDeep)")
    for number in 0..<rows { try Self.makeFile(number, isDeep: isDeep, in: folder) }
    var configuration = FileSystemObserver.Configuration(directory: URL(filePath: folder.path))
    configuration.warnsWithoutListeners = false
    configuration.tagging = .never
    observer = FileSystemObserver(configuration)
    try observer.start()
    waitUntilAnnounced()
  }

  private static func makeFile(_ number: Int, isDeep: Bool, in folder: Folder) throws {
    let isFolder = isDeep && number % 1_000 == 0
    let place = isDeep ? "folder \(number / 1_000)/" : ""
    if isFolder { try folder.mkdir("folder \(number / 1_000)") }
    // In an order that is not that of the names.
    if !isFolder { try folder.write("\(place)Document \(number &* 7_919 % 1_000_003).txt", "") }
  }

  func measure(_ rounds: Int, _ burst: Int) throws -> [String] {
    defer { observer.stop() }
    var opening = Sample()
    for _ in 0..<min(5, rounds) { opening.append(open().time) }
    let memory = Self.allocatedBytes
    guard let list = open().list else { return [] }
    let bytes = Double(Self.allocatedBytes - memory) / Double(list.count)
    precondition(list.count == rows)
    let place = isDeep ? "folder 1/" : ""
    var (insertion, rename) = (Sample(), Sample())
    for round in 0..<rounds {
      let path = FilePath(folder["\(place)Document \(round).5.txt"])
      // Own operations are announced when they return: the caches are as warm as in an app that is at work.
      insertion.append(try updateAtOnce(list) { try observer.createFile(at: path) })
      rename.append(try updateAtOnce(list) { try observer.renameItem(at: path, to: "\(round).txt") })
    }
    let order = update(list) { list.order = .modificationDate.reversed() }
    list.order = .name
    list.update()
    let all = try update(list) {
      for number in 0..<burst { try folder.write("\(place)new \(number)", "") }
    }
    return ["\(isDeep ? "tree" : "folder")", "\(rows)"]
      + [opening.quantile(500), insertion.quantile(500), rename.quantile(500), order, all].map {
        $0.milliseconds.text(3)
      }
      + [bytes.text(0)]
  }

  /// A new list, and the time until its last row can be read.
  private func open() -> (list: FileSystemItemList?, time: Duration) {
    let start = Moment.now
    let list = isDeep ? observer.itemList(below: nil) : observer.itemList()
    if let list { _ = list.snapshot(at: list.count - 1) }
    return (list, Moment.now - start)
  }

  /// How long the update takes after an operation of this process.
  private func updateAtOnce(
    _ list: FileSystemItemList, _ body: () throws -> FileSystemObserver.Operation
  ) rethrows -> Duration {
    list.update()
    _ = try body()
    let start = Moment.now
    list.update()
    return Moment.now - start
  }

  /// How long the update takes, once all that was done is announced.
  private func update(_ list: FileSystemItemList, _ body: () throws -> Void) rethrows -> Duration {
    list.update()
    try body()
    waitUntilAnnounced()
    let start = Moment.now
    list.update()
    return Moment.now - start
  }

  private func waitUntilAnnounced() {
    let done = DispatchSemaphore(value: 0)
    let observer = observer
    Task.detached {
      await observer.synchronize()
      done.signal()
    }
    done.wait()
  }

  /// The allocated memory of this process.
  static var allocatedBytes: Int {
    Int(cfloor_allocated_bytes())
  }
}
