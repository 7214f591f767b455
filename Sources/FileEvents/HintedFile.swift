package import LinuxFileSystem

/// The file that a hint is about, as far as the kernel names it.
package struct HintedFile: Hashable, Sendable {
  package var handle: FileHandle
  /// Its inode number; 0 where the handle does not show it.
  package var inode: UInt64

  package init(handle: FileHandle, inode: UInt64) {
    self.handle = handle
    self.inode = inode
  }
}
