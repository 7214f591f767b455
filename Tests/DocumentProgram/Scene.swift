import FileIdentity
import FileSystemObservation
import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage

/// The folders in which an operation acts: always the same at the beginning.
struct Scene {
  static let documentTag = "8075c88f-f44b-57c2-b3f2-e3a1d7e84e13"
  static let treeTag = "00000000-0000-0004-8000-000000000004"
  static let partTag = "00000000-0000-0002-8000-000000000002"
  /// The time of the last modification of every file, in nanoseconds since the epoch.
  static let modified: Int64 = 1_000_000_000_123_456_789

  /// Where the documents are.
  let folder: FilePath
  /// A folder on another file system.
  let other: FilePath
  var trash: TrashPlaces { TrashPlaces(home: folder.appending("Trash")) }

  /// Makes everything anew.
  func prepare() throws {
    for path in [folder, other] {
      for name in try Self.names(in: path) {
        TreeRemoval.removeOwn(
          FileName(name), from: DirectoryHandle(try OwnedDescriptor.openDirectory(at: path, for: .search)))
      }
    }
    for name in ["Trash", "Trash/files", "Trash/info", "tree", "tree/sub", "there"] {
      try PlainFiles.makeFolder(at: folder.appending(name))
    }
    try file("document.txt", Array("old".utf8), Self.documentTag)
    try file("second.txt", Array("second".utf8), nil)
    try file("tree/a", Array("a".utf8), nil)
    try file("tree/sub/b", [UInt8](repeating: 7, count: 100_000), Self.partTag)
    try PlainFiles.makeLink(at: folder.appending("tree/sub/linked"), to: folder.appending("tree/a"))
    try PlainFiles.makeSymlink(at: folder.appending("tree/link"), to: "a")
    try PlainFiles.setAttribute(FileTag.defaultName, of: folder.appending("tree"), to: Array(Self.treeTag.utf8))
    try PlainFiles.write([1], to: other.appending("taken"))
  }

  private func file(_ name: String, _ contents: [UInt8], _ tag: String?) throws {
    let path = folder.appending(name)
    try PlainFiles.write(contents, to: path)
    if let tag { try PlainFiles.setAttribute(FileTag.defaultName, of: path, to: Array(tag.utf8)) }
    try setModified(of: path)
  }

  private func setModified(of path: FilePath) throws {
    let time = timespec(tv_sec: Int(Self.modified / 1_000_000_000), tv_nsec: Int(Self.modified % 1_000_000_000))
    guard unsafe path.withPlatformString({ unsafe utimensat(AT_FDCWD, $0, [time, time], 0) }) == 0 else {
      throw Errno(rawValue: errno)
    }
  }

  static func names(in path: FilePath) throws -> [String] {
    let folder = try OwnedDescriptor.openDirectory(at: path, for: .list)
    var names: [String] = []
    try DirectoryReader().forEachEntry(of: folder) { name, _, _ in names.append(FileName(name).description) }
    return names.sorted()
  }
}

/// What there is, as far as it is the same each time: by path, with hidden work files left out.
struct SceneState: Equatable {
  private(set) var items: [String: String] = [:]

  init(_ items: [String: String]) {
    self.items = items
  }

  init(of scene: Scene) throws {
    try add(scene.folder, "")
    try add(scene.other, "other/")
  }

  private mutating func add(_ folder: FilePath, _ prefix: String) throws {
    for name in try Scene.names(in: folder) where !name.hasPrefix(".fsobserver-") && name != "directorysizes" {
      let path = folder.appending(name)
      let status = try PlainFiles.status(of: path)
      items[prefix + name] = try Self.description(of: path, status)
      if status.st_mode & S_IFMT == S_IFDIR { try add(path, prefix + name + "/") }
    }
  }

  private static func description(of path: FilePath, _ status: stat) throws -> String {
    let mode = String(status.st_mode, radix: 8)
    switch status.st_mode & S_IFMT {
    case S_IFLNK: return "link \(mode)"
    case S_IFDIR: return "folder \(mode) \(try tag(of: path))"
    default: break
    }
    let contents = try PlainFiles.read(path)
    if path.extension == "trashinfo" {
      return contents.starts(with: "[Trash Info]\n".utf8) && contents.last == 10 ? "info" : "broken info"
    }
    var digest = Hasher()
    unsafe contents.withUnsafeBytes { unsafe digest.combine(bytes: $0) }
    let isOld = status.st_mtim.tv_sec == Scene.modified / 1_000_000_000
    return "file \(mode) \(digest.finalize()) \(try tag(of: path)) \(isOld ? "old" : "new")"
  }

  /// Tags that are made anew differ each time.
  private static func tag(of path: FilePath) throws -> String {
    guard let tag = try PlainFiles.attribute(FileTag.defaultName, of: path) else { return "untagged" }
    let text = String(decoding: tag, as: UTF8.self)
    return [Scene.documentTag, Scene.treeTag, Scene.partTag].contains(text) ? text : "tagged"
  }

  /// Everything that is in this state, and what of another state has names that match.
  func adding(_ other: SceneState, where matches: (String) -> Bool = { _ in true }) -> SceneState {
    SceneState(items.merging(other.items.filter { matches($0.key) }) { own, _ in own })
  }

  /// What differs, for a message.
  func differences(from other: SceneState) -> [String] {
    Set(items.keys).union(other.items.keys).sorted().filter { items[$0] != other.items[$0] }.map {
      "\($0): \(items[$0] ?? "none"), not \(other.items[$0] ?? "none")"
    }
  }
}
