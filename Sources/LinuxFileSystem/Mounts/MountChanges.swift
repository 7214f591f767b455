internal import CLinux
import Glibc
package import SystemPackage

/// Tells when the table of mounts has changed.
package struct MountChanges: ~Copyable, Sendable {
  /// For `Epoll.addChanges(of:token:)`.
  package let descriptor: OwnedDescriptor

  package init() throws(Errno) {
    let number = try retryingOnInterrupt { unsafe Glibc.open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC) }
    descriptor = OwnedDescriptor(owning: number)
  }

  /// Whether the table has changed since this was asked last, or since the beginning; also where that cannot be found
  /// out.
  ///
  /// Not for one that an `Epoll` waits for: who is told first takes the news.
  package borrowing func takeNews() -> Bool {
    let number = descriptor.number
    guard let count = try? retryingOnInterrupt({ clinux_poll_urgent(number) }) else { return true }
    return count > 0
  }
}
