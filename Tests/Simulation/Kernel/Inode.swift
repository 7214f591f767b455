package import FileIdentity
package import LinuxFileSystem

/// What stands in the attribute of the tag.
package enum TagValue: Hashable, Sendable, Codable {
  case none
  case uuid(UUIDBits)
  /// A value of so many bytes that is no UUID.
  case garbage(Int)

  /// More bytes ext4 takes nowhere.
  static let limit = 4_000
}

/// A watch of one event queue on one inode.
package struct Watch: Sendable {
  package var queue: Int
  package var number: Int32
  package var mask: InotifyMask
}

/// One file, directory, symbolic link or FIFO.
package final class Inode {
  package let device: UInt64
  package let number: UInt64
  package let born: Int64
  package let kind: FileKind
  package var linkCount: UInt32 = 1
  /// Whether it has had no name yet (`O_TMPFILE`).
  package var isUnnamed = false
  package var size: Int64 = 0
  package var modified: Int64
  package var changed: Int64
  package var permissions: UInt32
  package var tag = TagValue.none
  package var watches: [Watch] = []
  package var marks: [GroupMark] = []
  /// What a directory holds, in the order in which it is listed.
  package private(set) var entries: [Dentry] = []
  /// Their names, which are looked through more often than anything else.
  private var entryNames: [NameNumber] = []
  /// How many of these names say that another file is not finished.
  package var pendingNames = 0
  /// The names of what is no directory.
  package var dentries: [Dentry] = []
  /// A directory's own name.
  package var ownName: Dentry?
  /// The directory in which a directory was that is gone and still in use.
  package var pinnedParent: Inode?
  /// Whether something happened to it through a hidden name while it had others.
  package var isChangedUnseen = false
  /// Whether the last thing that happened to it was done through a name in a directory that nobody watched for that, or
  /// that has gone since, while it had other names.
  package var isChangedUnwatched = false
  /// The name through which it was changed last.
  package var changedThrough: ObjectIdentifier?
  /// Descriptors that keep the inode though it has no name any more.
  package var holders = 0
  /// Descriptors and mappings it can be written through.
  package var writers = 0
  /// When it was last opened for writing, on the monotonic clock.
  package var lastOpen: Int64 = 0
  /// When it was last written, on the monotonic clock.
  package var lastWrite: Int64 = 0

  init(device: UInt64, number: UInt64, kind: FileKind, stamp: Int64) {
    self.device = device
    self.number = number
    self.kind = kind
    born = stamp
    modified = stamp
    changed = stamp
    permissions = kind == .directory ? 0o755 : 0o644
  }

  package var key: FileKey { FileKey(device: device, inode: number, born: born) }
  /// What no other inode ever has, though it may have the number.
  package private(set) lazy var handle = KernelHandle(fileSystem: device, words: (number, UInt64(bitPattern: born)))
  package var isReadable: Bool { permissions & 0o400 != 0 }
  package var isWritable: Bool { permissions & 0o200 != 0 }
  package var isSearchable: Bool { permissions & 0o100 != 0 }

  /// The entry of a name.
  package func entry(_ name: NameNumber) -> Dentry? { entryNames.firstIndex(of: name).map { entries[$0] } }

  func add(_ dentry: Dentry) {
    entries.append(dentry)
    entryNames.append(dentry.name)
  }

  /// Takes a name out, and puts the last one where it was.
  func remove(_ dentry: Dentry) {
    guard let index = entryNames.firstIndex(of: dentry.name) else { return }
    entries.swapAt(index, entries.count - 1)
    entries.removeLast()
    entryNames.swapAt(index, entryNames.count - 1)
    entryNames.removeLast()
  }

  func removeEntries() {
    entries = []
    entryNames = []
  }

  /// What `statx(2)` says.
  package var status: FileStatus {
    FileStatus(
      device: device, inode: number, born: born, kind: kind, linkCount: linkCount, size: size, modified: modified,
      changed: changed, permissions: permissions)
  }
}

/// A name that stands for an inode, as the kernel's cache of directory entries has it: it goes along when it is
/// renamed, and an open file remembers the one it was opened through.
package final class Dentry {
  package var parent: Inode
  package var name: NameNumber
  package let inode: Inode
  /// Whether the name is still there.
  package var isLinked = true
  /// How many files are open that were opened by it: each holds the directory, too.
  package var openCount = 0

  init(parent: Inode, name: NameNumber, inode: Inode) {
    self.parent = parent
    self.name = name
    self.inode = inode
  }
}

/// A descriptor of a file that is open for writing.
package final class OpenFile {
  package let dentry: Dentry

  init(_ dentry: Dentry) {
    self.dentry = dentry
  }
}

/// Gives out inode numbers as ext4 does: the lowest that is free, also one that was freed a moment ago.
struct InodeNumbers {
  private var next: UInt64 = 12
  /// Free numbers below `next`, the lowest last.
  private var free: [UInt64] = []

  mutating func take() -> UInt64 {
    if let number = free.popLast() { return number }
    next += 1
    return next - 1
  }

  mutating func give(back number: UInt64) {
    let index = free.firstIndex { $0 < number } ?? free.count
    free.insert(number, at: index)
  }
}
