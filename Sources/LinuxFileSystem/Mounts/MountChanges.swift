internal import CLinux
import Glibc
package import SystemPackage

/// Reports changes of the table of mounts.
package struct MountChanges: ~Copyable, Sendable {
  /// For `Epoll.addChanges(of:token:)`.
  package let descriptor: OwnedDescriptor

  package init() throws(Errno) {
    let number = try retryingOnInterrupt { unsafe Glibc.open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC) }
    descriptor = OwnedDescriptor(owning: number)
  }

  /// Whether the table has changed since the last call, or since the beginning; true if that cannot be found out.
  ///
  /// Do not use it together with an `Epoll`: the first reader takes the change.
  package borrowing func takeNews() -> Bool {
    let number = descriptor.number
    guard let count = try? retryingOnInterrupt({ clinux_poll_urgent(number) }) else { return true }
    return count > 0
  }
}
