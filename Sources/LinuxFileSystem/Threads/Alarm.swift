internal import CLinux
import Glibc
package import SystemPackage

/// A timer on which one thread waits, and which others set: a `timerfd_create(2)`.
///
/// Setting and cancelling it wakes no thread.
package final class Alarm: Sendable {
  private let descriptor: OwnedDescriptor

  package init() throws(Errno) {
    descriptor = OwnedDescriptor(owning: try retryingOnInterrupt { clinux_timerfd() })
  }

  /// Ends the present or next wait after some nanoseconds, at least one.
  package func set(after nanoseconds: Int64) {
    _ = clinux_timerfd_set(descriptor.number, max(1, nanoseconds))
  }

  /// Cancels the timer, even if it has expired unnoticed.
  package func cancel() {
    _ = clinux_timerfd_set(descriptor.number, 0)
  }

  /// Waits for the timer to expire, once for each time that is set.
  package func wait() {
    var count: UInt64 = 0
    let number = descriptor.number
    _ = try? retryingOnInterrupt { unsafe Glibc.read(number, &count, 8) }
  }
}
