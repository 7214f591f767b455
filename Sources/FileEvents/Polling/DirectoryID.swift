package import LinuxFileSystem

/// A directory as polling knows it: by device and inode number.
///
/// The number may be given to another directory when this one is gone; then everything in it is different, and is told
/// so.
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
