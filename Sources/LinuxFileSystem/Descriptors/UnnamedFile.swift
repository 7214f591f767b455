internal import CLinux
import Glibc
package import SystemPackage

/// What a directory's file system can do, tried with a file that never has a name (`O_TMPFILE`): nobody sees it,
/// nothing stays.
package enum UnnamedFile {
  /// Makes one.
  ///
  /// EOPNOTSUPP, EISDIR: the file system has no such files. EACCES, EROFS: none can be made here.
  package static func make(in directory: borrowing OwnedDescriptor) throws(Errno) -> OwnedDescriptor {
    let parent = directory.number
    let number = try retryingOnInterrupt {
      unsafe clinux_openat(parent, ".", clinux_O_TMPFILE | O_RDWR | O_CLOEXEC, 0o600)
    }
    return OwnedDescriptor(owning: number)
  }
}
