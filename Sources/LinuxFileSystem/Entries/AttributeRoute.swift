internal import CLinux
import Glibc

/// Which system calls reach an attribute of a name in a directory.
package enum AttributeRoute: Sendable, CaseIterable {
  /// `getxattrat(2)` and its kin, which exist since Linux 6.13.
  case directoryCalls
  /// `lgetxattr(2)` and its kin on `/proc/self/fd/N/name`.
  case processPath

  /// The first, unless this kernel does not know it or a sandbox forbids it.
  package static let preferred: AttributeRoute = {
    // Anything but "no such system call" and a sandbox's refusal shows that the kernel knows the call.
    let result = unsafe clinux_getxattrat(AT_FDCWD, "/", "user.fsobserver.probe", nil, 0)
    return result != -1 || (errno != ENOSYS && errno != EPERM) ? .directoryCalls : .processPath
  }()
}
