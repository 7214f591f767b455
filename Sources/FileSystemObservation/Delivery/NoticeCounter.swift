/// Bounds the notifications of one listener that are no changes: those that find no room are counted.
///
/// Scans are left out from their beginning to their end, so that the two still go together.
struct NoticeCounter: Sendable {
  /// What becomes of a notification.
  enum Place: Equatable, Sendable {
    /// It waits its turn.
    case inLine
    /// It is left out; where it is a diagnostic, it is counted in the report that waits already.
    case leftOut
    /// It is counted, and the report of how many were left out takes its turn.
    case countedFrom
    /// It is left out, as all of its scan, and the listener starts from an inventory instead.
    case scanLeftOut
  }

  private var waiting = 0
  /// How many diagnostics were left out, while the report of that waits.
  private var leftOut = 0
  /// Whether the scan that goes on is left out.
  private(set) var isScanLeftOut = false

  /// Decides about a notification, which is put in line if it says so.
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

  /// Tells how many diagnostics have been left out.
  var report: FileSystemObserver.Event {
    let what = leftOut == 1 ? "1 diagnostic was" : "\(leftOut) diagnostics were"
    let message: Message = "\(what) left out, for this listener did not take them in time"
    return .diagnostic(
      FileSystemObserver.Diagnostic(code: .diagnosticsLeftOut, sentence: message, path: nil, errno: nil))
  }

  /// A notification has its turn; what is told of those left out is what is known by now.
  mutating func take(_ notification: FileSystemObserver.Event) -> FileSystemObserver.Event {
    guard case .diagnostic(let diagnostic) = notification, diagnostic.code == .diagnosticsLeftOut else {
      waiting -= 1
      return notification
    }
    defer { leftOut = 0 }
    return report
  }
}
