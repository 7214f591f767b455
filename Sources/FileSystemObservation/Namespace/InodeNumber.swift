import FileIdentity

/// The number of an inode, which a later one may have, too.
struct InodeNumber: Hashable, Sendable {
  private let inode: UInt64
  private let device: UInt64

  init(inode: UInt64, on device: UInt64) { (self.inode, self.device) = (inode, device) }

  init(_ key: FileKey) { self.init(inode: key.inode, on: key.device) }
}
