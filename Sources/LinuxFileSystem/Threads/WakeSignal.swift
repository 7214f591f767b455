internal import CLinux
import Glibc
package import SystemPackage

/// A way for one thread to wake another that waits: an `eventfd(2)`.
///
/// Signals do not get lost and do not add up: after any number of `send()` the next wait returns once.
package final class WakeSignal: Sendable {
  package let descriptor: OwnedDescriptor

  package init() throws(Errno) {
    descriptor = OwnedDescriptor(owning: try retryingOnInterrupt { clinux_eventfd() })
  }

  /// Wakes the waiting thread, now or when it next waits.
  package func send() {
    var one: UInt64 = 1
    let number = descriptor.number
    // Fails only when the counter is full, and then the thread is woken anyway.
    _ = try? retryingOnInterrupt { unsafe Glibc.write(number, &one, 8) }
  }

  /// Waits for a signal, at most for the nanoseconds given; without a number, for ever.
  package func wait(nanoseconds: Int64?) {
    let number = descriptor.number
    let deadline = nanoseconds.map { MonotonicTime.now + max(0, $0) }
    let ready = try? retryingOnInterrupt { () -> CInt in
      // After an interruption only what is left of the time is waited.
      let left = deadline.map { max(0, $0 - MonotonicTime.now) }
      return clinux_poll_readable(number, left ?? -1)
    }
    if let ready, ready > 0 { clear() }
  }

  /// Takes back the signals sent so far.
  package func clear() {
    var count: UInt64 = 0
    let number = descriptor.number
    _ = try? retryingOnInterrupt { unsafe Glibc.read(number, &count, 8) }
  }
}
