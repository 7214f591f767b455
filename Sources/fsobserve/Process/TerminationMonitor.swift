import CTool
import Glibc
import SystemPackage

/// Waits for the end of a command that otherwise runs for ever.
///
/// Make it on the main thread before any other thread is started: it blocks the signals in this thread and in those
/// that this thread starts.
final class TerminationMonitor: Sendable {
  /// What ended the wait.
  enum Cause: Sendable {
    /// SIGINT, SIGTERM or SIGHUP.
    case signal
    /// SIGUSR1, which ends nothing, if the monitor takes requests.
    case request
    /// `wake()` was called.
    case woken
    /// The reader of standard output has closed the pipe.
    case outputClosed
    /// The time was up.
    case timeout
  }

  private let signals: CInt
  private let wakeSignal: CInt

  /// - Parameter takesRequests: Whether SIGUSR1 is a request; otherwise it ends the process, as by default.
  init(takesRequests: Bool = false) throws(Errno) {
    signals = try retryingOnInterrupt { ctool_termination_signals(takesRequests ? 1 : 0) }
    wakeSignal = try retryingOnInterrupt { ctool_wake_signal() }
  }

  deinit {
    _ = close(signals)
    _ = close(wakeSignal)
  }

  /// Ends the wait, now or the next one.
  func wake() {
    // Fails only when the counter is full, and then the thread is woken anyway.
    _ = ctool_wake(wakeSignal)
  }

  /// Waits for an end; without a time limit, for ever.
  func wait(atMost time: Duration? = nil, watchingOutput: Bool = true) throws(Errno) -> Cause {
    let (signals, wake) = (signals, wakeSignal)
    let output = watchingOutput ? StandardStream.output.rawValue : -1
    let timeout = time.map { max(0, $0.wholeNanoseconds) } ?? -1
    let end = try retryingOnInterrupt { ctool_wait_for_end(signals, wake, output, timeout) }
    return switch UInt32(end) {
    case ctool_end_signal.rawValue: .signal
    case ctool_end_request.rawValue: .request
    case ctool_end_woken.rawValue: .woken
    case ctool_end_output_closed.rawValue: .outputClosed
    default: .timeout
    }
  }
}

extension Duration {
  /// The whole duration in nanoseconds; the tool's durations are at most a year.
  var wholeNanoseconds: Int64 {
    components.seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ components.attoseconds
      / 1_000_000_000
  }
}
