internal import CLinux
import Glibc
package import SystemPackage

/// A thread's wait for a time that others set: a `timerfd_create(2)`.
///
/// To set it and to take it back wakes nobody.
package final class Alarm: Sendable {
  private let descriptor: OwnedDescriptor

  package init() throws(Errno) {
    descriptor = OwnedDescriptor(owning: try retryingOnInterrupt { clinux_timerfd() })
  }

  /// Ends the wait, or the next one, so many nanoseconds from now, of which there must be one.
  package func set(after nanoseconds: Int64) {
    _ = clinux_timerfd_set(descriptor.number, max(1, nanoseconds))
  }

  /// Takes back what was set, also if the time has come and nobody has seen it.
  package func cancel() {
    _ = clinux_timerfd_set(descriptor.number, 0)
  }

  /// Waits until the time that is set, or will be, has come: once for each time.
  package func wait() {
    var count: UInt64 = 0
    let number = descriptor.number
    _ = try? retryingOnInterrupt { unsafe Glibc.read(number, &count, 8) }
  }
}
