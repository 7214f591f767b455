/// Bounds the waiting events that are not changes, and counts those beyond the limit.
///
/// A scan is left out from its beginning to its end, so that both events stay together.
struct NoticeCounter: Sendable {
  /// The decision on an event.
  enum Place: Equatable, Sendable {
    /// The event is queued.
    case inLine
    /// The event is dropped; a diagnostic is counted in the waiting report.
    case leftOut
    /// The event is counted, and a report of the number is queued.
    case countedFrom
    /// The event is dropped with its whole scan, and the listener is reset.
    case scanLeftOut
  }

  private var waiting = 0
  /// The number of dropped diagnostics while the report waits.
  private var leftOut = 0
  /// Whether the current scan is left out.
  private(set) var isScanLeftOut = false

  /// Decides on an event; the caller queues it if the result says so.
  mutating func place(for notification: FileSystemObserver.Event) -> Place {
    switch notification {
    case .willBeginFullScan where waiting >= Mailbox.noticeLimit:
      isScanLeftOut = true
      return .scanLeftOut
    case .didCompleteFullScan where isScanLeftOut:
      isScanLeftOut = false
      return .leftOut
    case .diagnostic where leftOut > 0:
      leftOut += 1
      return .leftOut
    case .diagnostic where waiting >= Mailbox.noticeLimit:
      leftOut = 1
      return .countedFrom
    default:
      waiting += 1
      return .inLine
    }
  }

  /// A diagnostic with the number of dropped diagnostics.
  var report: FileSystemObserver.Event {
    let what = leftOut == 1 ? "1 diagnostic was" : "\(leftOut) diagnostics were"
    let message: Message = "\(what) left out, for this listener did not take them in time"
    return .diagnostic(
      FileSystemObserver.Diagnostic(code: .diagnosticsLeftOut, sentence: message, path: nil, errno: nil))
  }

  /// Takes an event out; a report gets the current number of dropped diagnostics.
  mutating func take(_ notification: FileSystemObserver.Event) -> FileSystemObserver.Event {
    guard case .diagnostic(let diagnostic) = notification, diagnostic.code == .diagnosticsLeftOut else {
      waiting -= 1
      return notification
    }
    defer { leftOut = 0 }
    return report
  }
}
