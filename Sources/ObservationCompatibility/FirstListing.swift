internal import Dispatch
internal import FileSystemObservation

/// Waits until an observer has listed its directory for the first time after a start.
///
/// What happens after that is told, and what was there before is not.
final class FirstListing: Sendable {
  /// How long to wait, in seconds: a file system may not answer.
  private static let patience = 5.0

  private let isDone = DispatchSemaphore(value: 0)

  /// Takes an event of the observer.
  func note(_ event: FileSystemObserver.Event) {
    switch event {
    case .didCompleteFullScan, .didEnd: isDone.signal()
    default: break
    }
  }

  /// Blocks until the directory is listed, or cannot be; at most five seconds.
  func wait() {
    // Whoever else waits passes, too.
    if isDone.wait(timeout: .now() + Self.patience) == .success { isDone.signal() }
  }
}
