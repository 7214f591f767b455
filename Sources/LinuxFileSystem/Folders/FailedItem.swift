package import SystemPackage

/// An item below a folder on which a system call failed.
package struct FailedItem: Error, Equatable, Sendable {
  /// The path from the folder; empty for the folder itself.
  package var path: FilePath
  package var errno: Errno

  package init(path: FilePath, errno: Errno) {
    self.path = path
    self.errno = errno
  }
}
