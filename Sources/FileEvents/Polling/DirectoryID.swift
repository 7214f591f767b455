package import LinuxFileSystem

/// A directory by device and inode number.
///
/// The number may be reused after the directory is removed. All entries are then reported as different.
package struct DirectoryID: Hashable, Sendable {
  package var device: UInt64
  package var inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  package init(_ status: FileStatus) {
    self.init(device: status.device, inode: status.inode)
  }
}
