internal import CLinux
import Glibc
package import SystemPackage

extension DirectoryChange {
  /// `renameat2(2)` with `RENAME_EXCHANGE`: exchanges two items in one step.
  ///
  /// - Throws: EINVAL, ENOSYS or EOPNOTSUPP if the file system cannot do it.
  package static func exchange(
    _ name: NameView, in directory: borrowing OwnedDescriptor, with other: NameView,
    in otherDirectory: borrowing OwnedDescriptor
  ) throws(Errno) {
    let (from, to) = (directory.number, otherDirectory.number)
    _ = try retryingOnInterrupt { unsafe clinux_renameat2(from, name.cString, to, other.cString, 2) }
  }

  /// `mkdirat(2)`.
  package static func makeDirectory(
    _ name: NameView, in directory: borrowing OwnedDescriptor, permissions: UInt32
  ) throws(Errno) {
    let parent = directory.number
    _ = try retryingOnInterrupt { unsafe Glibc.mkdirat(parent, name.cString, permissions) }
  }

  /// `unlinkat(2)` of an empty directory.
  package static func removeDirectory(_ name: NameView, in directory: borrowing OwnedDescriptor) throws(Errno) {
    let parent = directory.number
    _ = try retryingOnInterrupt { unsafe Glibc.unlinkat(parent, name.cString, AT_REMOVEDIR) }
  }

  /// `linkat(2)` of a file at a path below a directory.
  package static func link(
    _ path: FilePath, below top: borrowing OwnedDescriptor, to name: NameView, in directory: borrowing OwnedDescriptor
  ) throws(Errno) {
    let (from, to) = (top.number, directory.number)
    _ = try unsafe path.withCString { (path) throws(Errno) -> CInt in
      try retryingOnInterrupt { unsafe clinux_linkat(from, path, to, name.cString, 0) }
    }
  }
}
