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

/// The times of a directory, which change with every change of its entries.
struct DirectoryStamp: Equatable, Sendable {
  var modified: Int64
  var changed: Int64
  var linkCount: UInt32
  var size: Int64

  init(_ status: FileStatus) {
    modified = status.modified
    changed = status.changed
    linkCount = status.linkCount
    size = status.size
  }
}
