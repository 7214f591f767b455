internal import CLinux
import Glibc
package import SystemPackage

/// A file without a name (`O_TMPFILE`), with which to try what a file system can do: nobody sees it, and it leaves
/// nothing behind.
package enum UnnamedFile {
  /// Creates an unnamed file.
  ///
  /// - Throws: EOPNOTSUPP or EISDIR if the file system has no unnamed files; EACCES or EROFS if none can be created
  ///   here.
  package static func make(in directory: borrowing OwnedDescriptor) throws(Errno) -> OwnedDescriptor {
    let parent = directory.number
    let number = try retryingOnInterrupt {
      unsafe clinux_openat(parent, ".", clinux_O_TMPFILE | O_RDWR | O_CLOEXEC, 0o600)
    }
    return OwnedDescriptor(owning: number)
  }
}
