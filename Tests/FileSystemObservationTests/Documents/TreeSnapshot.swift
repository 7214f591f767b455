import FileIdentity
import FileSystemObservation
import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage

/// Everything below a folder, as tests compare it; listed by the plain system calls.
struct TreeSnapshot: Equatable {
  struct Item: Equatable {
    var mode: UInt32
    var owner: [UInt32]
    /// The contents of a file, or what a symbolic link points at.
    var contents: [UInt8]
    var tag: String?
    var author: [UInt8]?
    var accessList: [UInt8]?
    var inode: UInt64
    /// In nanoseconds since the epoch.
    var modified: Int64
    var linkCount: Int
  }

  /// By the path from the folder; hidden work files are left out.
  var items: [String: Item] = [:]
  /// The paths of hidden work files and folders.
  var leftOvers: [String] = []

  init(of folder: FilePath) throws {
    try list(folder, prefix: "")
  }

  private mutating func list(_ folder: FilePath, prefix: String) throws {
    for name in try Self.names(in: folder) {
      let (path, key) = (folder.appending(bytes: name), prefix + String(decoding: name, as: UTF8.self))
      if name.starts(with: ".fsobserver-".utf8) {
        leftOvers.append(key)
        continue
      }
      let item = try Item(at: path)
      items[key] = item
      if item.mode & S_IFMT == S_IFDIR { try list(path, prefix: key + "/") }
    }
  }

  static func names(in folder: FilePath) throws -> [[UInt8]] {
    guard let stream = unsafe folder.withPlatformString({ unsafe opendir($0) }) else { throw Errno(rawValue: errno) }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        let start = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self)
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: strlen(start)))
      }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    return names
  }

  /// The same without what a copy need not have in common with its original.
  var comparable: [String: Item] {
    items.mapValues { item in
      var item = item
      (item.inode, item.linkCount) = (0, 0)
      return item
    }
  }
}

extension TreeSnapshot.Item {
  init(at path: FilePath) throws {
    let status = try PlainFiles.status(of: path)
    let kind = status.st_mode & S_IFMT
    mode = status.st_mode
    owner = [status.st_uid, status.st_gid]
    inode = UInt64(status.st_ino)
    modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    linkCount = Int(status.st_nlink)
    contents = []
    switch kind {
    case S_IFREG: contents = try PlainFiles.read(path)
    case S_IFLNK: contents = try PlainFiles.target(of: path)
    default: break
    }
    guard kind == S_IFREG || kind == S_IFDIR else { return }
    tag = try PlainFiles.attribute(FileTag.defaultName, of: path).map { String(decoding: $0, as: UTF8.self) }
    author = try PlainFiles.attribute("user.author", of: path)
    accessList = try PlainFiles.attribute(AccessControlList.access, of: path)
  }
}

/// A folder with all that a folder can have in it.
struct TreeFixture {
  static let names = ["a.txt", "b", "sub", "sub/c", "sub/deep", "sub/deep/d", "link", "dangling"]
  let folder: ScratchFolder
  /// The folder with everything.
  let path: FilePath

  init(in parent: ScratchFolder? = nil) throws {
    folder = try parent ?? ScratchFolder()
    path = folder.path("tree")
    try Self.make(at: path)
  }

  static func make(at path: FilePath) throws {
    for name in ["", "sub", "sub/deep", "sub/empty"] { try PlainFiles.makeFolder(at: path.appending(name)) }
    try PlainFiles.write(Array("one".utf8), to: path.appending("a.txt"))
    try PlainFiles.write([UInt8](repeating: 7, count: 100_000), to: path.appending("sub/deep/d"))
    try PlainFiles.makeLink(at: path.appending("sub/second name"), to: path.appending("a.txt"))
    try PlainFiles.makeSymlink(at: path.appending("link"), to: "a.txt")
    try PlainFiles.makeSymlink(at: path.appending("sub/dangling"), to: "/nowhere")
    try PlainFiles.write([1], to: path.appending(bytes: [0x62, 0xff, 0xfe]))
    try PlainFiles.write([], to: path.appending("sub/empty file"))
    try tag(path.appending("a.txt"), UUIDBits(high: 1, low: 0x8000_0000_0000_0001))
    try tag(path.appending("sub/deep/d"), UUIDBits(high: 2, low: 0x8000_0000_0000_0002))
    try tag(path.appending("sub"), UUIDBits(high: 3, low: 0x8000_0000_0000_0003))
    try tag(path, UUIDBits(high: 4, low: 0x8000_0000_0000_0004))
    try PlainFiles.setAttribute("user.author", of: path.appending("sub/deep/d"), to: Array("Ada".utf8))
    try PlainFiles.setAttribute("user.author", of: path.appending("sub/deep"), to: Array("Bob".utf8))
    try PlainFiles.setPermissions(0o640, of: path.appending("a.txt"))
    try PlainFiles.setPermissions(0o400, of: path.appending("sub/deep/d"))
    try PlainFiles.setPermissions(0o550, of: path.appending("sub/empty"))
    for name in ["a.txt", "sub/deep/d", "sub/deep", "sub", ""] {
      try PlainFiles.setModified(1_000_000_000_123_456_789, of: path.appending(name))
    }
  }

  static func tag(_ path: FilePath, _ uuid: UUIDBits) throws {
    try PlainFiles.setAttribute(FileTag.defaultName, of: path, to: Array(uuid.description.utf8))
  }
}

extension PlainFiles {
  /// `readlink(2)`.
  static func target(of path: FilePath) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe path.withPlatformString { path in
      unsafe buffer.withUnsafeMutableBytes { bytes in
        guard let start = bytes.baseAddress else { return -1 }
        return unsafe readlink(path, start.assumingMemoryBound(to: CChar.self), bytes.count)
      }
    }
    if count < 0 { throw Errno(rawValue: errno) }
    return Array(buffer[..<count])
  }

  /// `utimensat(2)`, of a symbolic link itself; in nanoseconds since the epoch.
  static func setModified(_ nanoseconds: Int64, of path: FilePath) throws {
    let time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    let result = unsafe path.withPlatformString { unsafe utimensat(AT_FDCWD, $0, [time, time], AT_SYMLINK_NOFOLLOW) }
    if result != 0 { throw Errno(rawValue: errno) }
  }
}
