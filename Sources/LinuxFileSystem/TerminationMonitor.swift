internal import CLinux
package import SystemPackage

/// Waits for what ends a command that otherwise runs for ever.
///
/// Make it on the main thread before any other thread is started: signals are blocked in this thread and in those it starts.
package final class TerminationMonitor: Sendable {
  /// What ended the wait.
  package enum Cause: Sendable {
    /// SIGINT, SIGTERM or SIGHUP.
    case signal
    /// `wake()` was called.
    case woken
    /// Nobody reads standard output any more.
    case outputClosed
    /// The time was up.
    case timeout
  }

  private let signals: OwnedDescriptor
  private let wakeSignal: WakeSignal

  package init() throws(Errno) {
    signals = OwnedDescriptor(owning: try retryingOnInterrupt { clinux_termination_signals() })
    wakeSignal = try WakeSignal()
  }

  /// Ends the wait, now or the next one.
  package func wake() {
    wakeSignal.send()
  }

  /// Waits, at most for the nanoseconds given; without a number, for ever.
  package func wait(nanoseconds: Int64? = nil, watchingOutput: Bool = true) throws(Errno) -> Cause {
    let (signals, wake) = (signals.number, wakeSignal.descriptor.number)
    let output = watchingOutput ? StandardStream.output.rawValue : -1
    let timeout = nanoseconds.map { max(0, $0) } ?? -1
    let end = try retryingOnInterrupt { clinux_wait_for_end(signals, wake, output, timeout) }
    return switch UInt32(end) {
    case clinux_end_signal.rawValue: .signal
    case clinux_end_woken.rawValue: .woken
    case clinux_end_output_closed.rawValue: .outputClosed
    default: .timeout
    }
  }
}
