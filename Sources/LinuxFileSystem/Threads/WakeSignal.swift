internal import CLinux
import Glibc
package import SystemPackage

/// A signal with which one thread wakes another: an `eventfd(2)`.
///
/// Signals are neither lost nor counted: after any number of `send()` the next wait returns once.
package final class WakeSignal: Sendable {
  package let descriptor: OwnedDescriptor

  package init() throws(Errno) {
    descriptor = OwnedDescriptor(owning: try retryingOnInterrupt { clinux_eventfd() })
  }

  /// Ends the present or next wait.
  package func send() {
    var one: UInt64 = 1
    let number = descriptor.number
    // It fails only if the counter is full, and then the thread wakes anyway.
    _ = try? retryingOnInterrupt { unsafe Glibc.write(number, &one, 8) }
  }

  /// Waits for a signal, for a number of nanoseconds, or without limit.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  package func wait(nanoseconds: Int64?) -> Bool {
    let number = descriptor.number
    let deadline = nanoseconds.map { MonotonicTime.now + max(0, $0) }
    let ready = try? retryingOnInterrupt { () -> CInt in
      // After an interruption, the wait continues for the rest of the time.
      let left = deadline.map { max(0, $0 - MonotonicTime.now) }
      return clinux_poll_readable(number, left ?? -1)
    }
    guard let ready, ready > 0 else { return false }
    clear()
    return true
  }

  /// Clears all signals.
  package func clear() {
    var count: UInt64 = 0
    let number = descriptor.number
    _ = try? retryingOnInterrupt { unsafe Glibc.read(number, &count, 8) }
  }
}
