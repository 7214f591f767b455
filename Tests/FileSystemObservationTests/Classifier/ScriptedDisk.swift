import FileIdentity
import LinuxFileSystem

@testable import FileSystemObservation

/// What a script has made: inodes, and the names by which directories have them.
///
/// A path that begins with a slash is outside the observed folder.
struct ScriptedDisk {
  struct Inode {
    var kind: FileKind
    var linkCount: UInt32 = 1
    var size: Int64 = 0
    var modified: Int64
    var tag = TagReading.none
    /// Files with the same number have the same content; `nil` for one that cannot be read.
    var content: UInt64?
    var isBeingWritten = false
    var names: [String: UInt64] = [:]
  }

  /// A name in a directory.
  struct Place {
    var directory: UInt64
    var name: String
  }

  static let root: UInt64 = 1
  private static let outside: UInt64 = 2

  private var inodes: [UInt64: Inode] = [
    root: Inode(kind: .directory, modified: 0), outside: Inode(kind: .directory, modified: 0),
  ]
  private var lastNumber = outside

  subscript(number: UInt64) -> Inode? { inodes[number] }

  static func key(_ number: UInt64) -> FileKey { FileKey(device: 1, inode: number, born: Int64(number) << 32) }

  /// - Returns: `nil` where a directory on the way is missing.
  func place(_ path: String) -> Place? {
    var directory = path.hasPrefix("/") ? Self.outside : Self.root
    let names = path.split(separator: "/").map { String($0) }
    for name in names.dropLast() {
      guard let next = inodes[directory]?.names[name] else { return nil }
      directory = next
    }
    return names.last.map { Place(directory: directory, name: $0) }
  }

  func number(at place: Place) -> UInt64? { inodes[place.directory]?.names[place.name] }

  func names(in directory: UInt64) -> [String] { inodes[directory]?.names.keys.sorted() ?? [] }

  /// What a look at a name finds.
  func entry(at place: Place, at time: Int64) -> Entry? {
    guard let number = number(at: place), let inode = inodes[number] else { return nil }
    let key = Self.key(number)
    let status = FileStatus(
      device: key.device, inode: key.inode, born: key.born, kind: inode.kind, linkCount: inode.linkCount,
      size: inode.size, modified: inode.modified, changed: inode.modified)
    return Entry(status, tag: inode.tag, fileSystem: 1, isRecent: time - inode.modified < 10_000_000_000)
  }
}

// MARK: - System calls

extension ScriptedDisk {
  mutating func make(_ kind: FileKind, at place: Place, _ time: Int64) {
    lastNumber += 1
    inodes[lastNumber] = Inode(kind: kind, modified: time)
    enter(lastNumber, at: place)
  }

  /// Changes the file at a place.
  mutating func change(_ place: Place, _ change: (inout Inode) -> Void) {
    guard let number = number(at: place), var inode = inodes[number] else { return }
    change(&inode)
    inodes[number] = inode
  }

  mutating func link(_ old: Place, to new: Place) {
    guard let number = number(at: old) else { return }
    enter(number, at: new)
    inodes[number]?.linkCount += 1
  }

  mutating func rename(_ old: Place, to new: Place) {
    guard let number = number(at: old) else { return }
    unlink(new)
    inodes[old.directory]?.names[old.name] = nil
    enter(number, at: new)
  }

  mutating func exchange(_ first: Place, _ second: Place) {
    guard let one = number(at: first), let other = number(at: second) else { return }
    enter(other, at: first)
    enter(one, at: second)
  }

  mutating func unlink(_ place: Place) {
    guard let number = inodes[place.directory]?.names.removeValue(forKey: place.name) else { return }
    inodes[number]?.linkCount -= 1
    if inodes[number]?.linkCount == 0 { inodes[number] = nil }
  }

  private mutating func enter(_ number: UInt64, at place: Place) { inodes[place.directory]?.names[place.name] = number }
}
