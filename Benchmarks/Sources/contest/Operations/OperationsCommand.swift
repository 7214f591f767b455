import ArgumentParser
import FileSystemObservation
import Foundation
import Synchronization
import SystemPackage

/// How long an app's own operations take, and when its listeners know of them.
struct OperationsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "operations",
    abstract: "How long own renames and saves take beside the plain system calls, and when a block is called for them.")

  @Option(help: "How often each is done.") var count = 1_000
  @Option(name: .customLong("in"), help: "Where the tree is made.") var parent = "/var/tmp"

  func run() throws {
    let base = try Folder.makeUnique(in: parent)
    defer { base.remove() }
    try base.write("a")
    let observer = FileSystemObserver(directory: FilePath(base.path))
    let calls = BlockCalls()
    let token = observer.addNotificationBlock { _, event in
      if case .didChange(let changes) = event { calls.note(changes) }
    }
    try observer.start()
    defer { observer.stop() }
    calls.awaitFirst()
    var table = Table(["own operation", "call, ms", "the plain calls, ms", "block after the return, ms", "worst, ms"])
    table.append(try measure("rename", observer, base, calls, own: rename, plain: renamePlainly))
    table.append(try measure("save with fsync", observer, base, calls, own: save, plain: savePlainly))
    withExtendedLifetime(token) {}
    print("\(count) of each, in turns; medians, and the worst delay of a block (negative: called before the return)\n")
    print(table.text)
  }

  private typealias Action = (FileSystemObserver, Folder, Int) throws -> Void

  private func measure(
    _ title: String, _ observer: FileSystemObserver, _ base: Folder, _ calls: BlockCalls, own: Action, plain: Action
  ) throws -> [String] {
    var (ownTimes, plainTimes, delays) = (Sample(), Sample(), [Double]())
    for number in 0..<count {
      let start = Moment.now
      try plain(observer, base, number)
      plainTimes.append(Moment.now - start)
      calls.expectOwn()
      let begin = Moment.now
      try own(observer, base, number)
      let end = Moment.now
      ownTimes.append(end - begin)
      delays.append((calls.awaitOwn() - end).milliseconds)
    }
    let medians = [ownTimes.quantile(500).milliseconds, plainTimes.quantile(500).milliseconds]
    delays.sort()
    return [title] + (medians + [delays[delays.count / 2], delays.last ?? 0]).map { $0.text(3) }
  }

  private func rename(_ observer: FileSystemObserver, _ base: Folder, _ number: Int) throws {
    let names = number % 2 == 0 ? ["a", "b"] : ["b", "a"]
    try observer.renameItem(at: FilePath(base[names[0]]), to: names[1])
  }

  private func renamePlainly(_ observer: FileSystemObserver, _ base: Folder, _ number: Int) throws {
    let name = number % 2 == 0 ? "a" : "b"
    try base.rename(name, "c")
    try base.rename("c", name)
  }

  private func save(_ observer: FileSystemObserver, _ base: Folder, _ number: Int) throws {
    try observer.replaceContents(of: FilePath(base["a"]), with: "version \(number)".utf8)
  }

  private func savePlainly(_ observer: FileSystemObserver, _ base: Folder, _ number: Int) throws {
    let file = unsafe open(base[".next"], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    let bytes = Array("version \(number)".utf8)
    _ = unsafe Glibc.write(file, bytes, bytes.count)
    fsync(file)
    close(file)
    try base.rename(".next", "a")
    let folder = unsafe open(base.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    fsync(folder)
    close(folder)
  }
}

/// When a block was called for a change of this process.
private final class BlockCalls: Sendable {
  private let state = Mutex<Moment?>(nil)
  private let isFirst = DispatchSemaphore(value: 0)
  private let isOwn = DispatchSemaphore(value: 0)

  func note(_ changes: FileSystemChanges) {
    if changes.isFirstScan { isFirst.signal() }
    guard changes.contains(where: { $0.origin == .thisProcess }) else { return }
    state.withLock { $0 = $0 ?? .now }
    isOwn.signal()
  }

  func awaitFirst() { isFirst.wait() }

  func expectOwn() { state.withLock { $0 = nil } }

  func awaitOwn() -> Moment {
    isOwn.wait()
    return state.withLock { $0 } ?? .now
  }
}
