// Files the photos of an inbox by year and month, each folder as soon as all that came with it is complete:
//
//     swift run PhotoInbox ~/Inbox ~/Pictures
//
// A photo gets a number if another has its name; what is in the library already stays in the inbox.
import FileSystemObservation
import Foundation

@main struct PhotoInbox {
  static let endings: Set = ["jpg", "jpeg", "heic", "png", "tif", "tiff", "dng", "cr2", "nef", "arw", "mov", "mp4"]

  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 3 else { return print("usage: PhotoInbox INBOX LIBRARY") }
    let observer = FileSystemObserver(directory: FilePath(words[1]))
    try await observer.start()
    var inbox = PhotoInbox(observer: observer, library: FilePath(words[2]))
    for try await event in observer.events(including: .folderArrivals) {
      if case .didCompleteFullScan = event { inbox.begin() }
      if case .reset(_, .fellBehind) = event { inbox.begin() }
      guard case .didChange(let changes) = event else { continue }
      for change in changes where change.kind == .copyFinished { await inbox.take(change.item) }
    }
  }

  let observer: FileSystemObserver
  let library: FilePath
  /// Of what is directly in the inbox: what was there at the start, and what has come as a whole since.
  var old: Set<UUID> = []
  var complete: Set<UUID> = []

  mutating func begin() {
    old = Set(observer.children(of: observer.directory).map(\.uuid))
    old.forEach(fileWhenAtRest)
    print("Waiting for photos in \(observer.directory)")
  }

  /// Files what is complete: a folder of the inbox with all that is in it, or a single photo.
  mutating func take(_ item: FileSystemItem.Snapshot) async {
    guard let name = item.relativePath.components.first, let top = observer[observer.directory.appending(name)]
    else { return }
    if old.contains(top.uuid) { return fileWhenAtRest(top.uuid) }
    if top.uuid == item.uuid { complete.insert(item.uuid) }
    // A part of a folder waits for the whole.
    if complete.contains(top.uuid) { await file(contents(of: item.uuid)) }
  }

  /// Nobody knows whether a folder that was there at the start is complete: a minute must pass in which nothing comes.
  func fileWhenAtRest(_ item: UUID) {
    Task {
      while contents(of: item).contains(where: { $0.isCopying || $0.modificationDate > .now - 60 }) {
        try await Task.sleep(for: .seconds(5))
      }
      await file(contents(of: item))
    }
  }

  /// An item and everything below it, as they are now.
  func contents(of uuid: UUID) -> [FileSystemItem.Snapshot] {
    (observer[uuid].map { [$0] } ?? []) + observer.children(of: uuid).flatMap { contents(of: $0.uuid) }
  }

  func file(_ items: [FileSystemItem.Snapshot]) async {
    for photo in items where photo.kind == .file && Self.endings.contains(photo.path.extension?.lowercased() ?? "") {
      do { try await file(photo) } catch { print(error) }
    }
  }

  /// Moves a photo to its month, under its name or the first one that is free.
  func file(_ photo: FileSystemItem.Snapshot) async throws {
    let files = FileManager.default
    let month = library.appending(month(of: photo))
    try files.createDirectory(atPath: month.string, withIntermediateDirectories: true)
    var (place, number) = (month.appending(photo.name), 1)
    while files.fileExists(atPath: place.string) {
      if files.contentsEqual(atPath: photo.path.string, andPath: place.string) {
        return print("\(place) is there already")
      }
      number += 1
      place = month.appending("\(photo.path.stem ?? "") \(number).\(photo.path.extension ?? "")")
    }
    try await observer.moveItem(at: photo.path, to: place)
    print("\(photo.relativePath) is \(place)")
  }

  /// Such as "2026/11": when a photo was taken, or else its last change.
  func month(of photo: FileSystemItem.Snapshot) -> String {
    if let taken = Exif(of: photo)?.monthTaken { return taken }
    let parts = Calendar(identifier: .gregorian).dateComponents([.year, .month], from: photo.modificationDate)
    return "\(parts.year ?? 0)/" + "\(100 + (parts.month ?? 0))".dropFirst()
  }
}

/// What a camera noted in the first bytes of a photo: tables with twelve bytes an entry.
struct Exif {
  let bytes: Data

  init?(of photo: FileSystemItem.Snapshot) {
    guard let start = try? FileHandle(forReadingFrom: photo.url).read(upToCount: 1 << 18) else { return nil }
    bytes = start[(start.firstRange(of: Data("Exif\0\0".utf8))?.upperBound ?? 0)...]
  }

  /// The time `DateTimeOriginal` begins with year and month: "2026:11:26 08:15:00".
  var monthTaken: String? {
    guard let table = number(4, at: 4), let more = entry(0x8769, in: table), let place = entry(0x9003, in: more)
    else { return nil }
    let text = String(decoding: bytes.dropFirst(place).prefix(7), as: UTF8.self)
    return text.wholeMatch(of: #/[12]\d{3}:(0[1-9]|1[012])/#) == nil ? nil : text.replacing(":", with: "/")
  }

  func entry(_ tag: Int, in table: Int) -> Int? {
    let places = (0..<(number(2, at: table) ?? 0)).map { table + 2 + 12 * $0 }
    return places.first { number(2, at: $0) == tag }.flatMap { number(4, at: $0 + 8) }
  }

  func number(_ count: Int, at place: Int) -> Int? {
    let (digits, isBigEndian) = (Array(bytes.dropFirst(place).prefix(count)), bytes.first == UInt8(ascii: "M"))
    return digits.count < count ? nil : (isBigEndian ? digits : digits.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }
}
