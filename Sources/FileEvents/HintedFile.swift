package import LinuxFileSystem

/// The file of a hint, as identified by the kernel.
package struct HintedFile: Hashable, Sendable {
  package var handle: FileHandle
  /// The inode number; 0 if the handle does not contain it.
  package var inode: UInt64

  package init(handle: FileHandle, inode: UInt64) {
    self.handle = handle
    self.inode = inode
  }
}
