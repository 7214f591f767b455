package import LinuxFileSystem

/// What tells one inode from every other, now and later: device, inode number and birth time.
///
/// An inode number alone is no identity: ext4 hands the number of a deleted file to the next new one at once. Where a
/// file system keeps no birth time (FUSE), the key is as weak as the inode number; but at least no folder is taken for
/// a file.
@usableFromInline package struct FileKey: Hashable, Sendable {
  package var device: UInt64
  package var inode: UInt64
  /// Nanoseconds since the epoch; where that is unknown, a small number that stands for the kind: 0 for a file.
  package var born: Int64

  package init(device: UInt64, inode: UInt64, born: Int64) {
    self.device = device
    self.inode = inode
    self.born = born
  }

  /// Whether it is known when the inode was born, so that a recycled number is not taken for it.
  package var hasBirthTime: Bool { born > Int64(FileKind.RawValue.max) }

  /// Stands for an inode that nobody has looked at yet; no file has it.
  package static let unseen = FileKey(device: 0, inode: 0, born: 0)

  /// The key of an inode that nobody has looked at, of which it is known when it was made.
  package static func unseen(born: Int64) -> FileKey { FileKey(device: 0, inode: 0, born: born) }

  /// Whether nobody has looked at the inode: it cannot be looked up.
  package var isUnseen: Bool { device == 0 && inode == 0 }

  /// Whether this inode was born first; of two that were born together, the one with the smaller number.
  package func isBorn(before other: FileKey) -> Bool { (born, inode) < (other.born, other.inode) }

  /// Whether this inode was born after its content was written: it is a copy, with the time of its original.
  package func isBorn(after modified: Int64) -> Bool { hasBirthTime && modified < born }

  package init(_ status: FileStatus) {
    let born = status.born == 0 ? Int64(status.kind.rawValue) : status.born
    self.init(device: status.device, inode: status.inode, born: born)
  }
}
