internal import CLinux
import Glibc

/// The system calls that access attributes of a name in a directory.
package enum AttributeRoute: Sendable, CaseIterable {
  /// `getxattrat(2)` and similar calls of Linux 6.13.
  case directoryCalls
  /// `lgetxattr(2)` and similar calls on `/proc/self/fd/N/name`.
  case processPath

  /// The directory calls, unless the kernel lacks them or a sandbox forbids them.
  package static let preferred: AttributeRoute = {
    // Any other result shows that the kernel has the call.
    let result = unsafe clinux_getxattrat(AT_FDCWD, "/", "user.fsobserver.probe", nil, 0)
    return result != -1 || (errno != ENOSYS && errno != EPERM) ? .directoryCalls : .processPath
  }()
}
