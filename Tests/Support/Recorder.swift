package import FileSystemObservation
import LinuxFileSystem

/// Keeps everything that an observer tells.
package final class Recorder: Sendable {
  /// One notification, and when it came.
  package final class Entry: Sendable {
    package let notification: ObservationNotification
    package let time: Moment
    private let known = Mutex<[Change]?>(nil)

    package init(_ notification: ObservationNotification) {
      self.notification = notification
      time = .now
    }

    /// Its changes, made when they are first asked for: there may be a hundred thousand that nobody looks at.
    package var changes: [Change] {
      guard case .didChange(let set) = notification else { return [] }
      return known.withLock { known in
        let changes = known ?? Array(set.changes)
        known = changes
        return changes
      }
    }
  }

  private let feed: Feed<Entry>
  private let token: NotificationToken

  package init(_ observer: FileSystemObserver) {
    let feed = Feed<Entry>()
    self.feed = feed
    token = observer.addNotificationBlock { _, notification in feed.append(Entry(notification)) }
  }

  package var entries: [Entry] { feed.elements }
  /// The number of notifications so far: a mark from which on to look.
  package var position: Int { feed.count }

  /// The changes from a mark on.
  package func changes(from mark: Int = 0) -> [Change] { entries[mark...].flatMap(\.changes) }

  /// The diagnostics so far, from a mark on.
  package var diagnostics: [Diagnostic] { diagnostics(from: 0) }

  /// The diagnostics from a mark on.
  package func diagnostics(from mark: Int) -> [Diagnostic] {
    entries[mark...].compactMap { if case .diagnostic(let diagnostic) = $0.notification { diagnostic } else { nil } }
  }

  /// The completed scans so far.
  package var scans: [ScanSummary] {
    entries.compactMap { if case .didCompleteFullScan(let summary) = $0.notification { summary } else { nil } }
  }

  /// Ends the recording.
  package func end() { token.invalidate() }

  /// Awaits a notification.
  ///
  /// Says where it is.
  @discardableResult
  package func await(
    _ what: String, from mark: Int = 0, within time: Duration = .seconds(60),
    where match: @escaping @Sendable (ObservationNotification) -> Bool
  ) async throws(TimedOut) -> Int {
    let index = await feed.firstIndex(from: mark, within: time) { match($0.notification) }
    guard let index else { throw TimedOut(what) }
    return index
  }

  /// Awaits a change.
  @discardableResult
  package func awaitChange(
    _ what: String, from mark: Int = 0, within time: Duration = .seconds(60),
    where match: @escaping @Sendable (Change) -> Bool
  ) async throws(TimedOut) -> Change {
    let index = await feed.firstIndex(from: mark, within: time) { $0.changes.contains(where: match) }
    guard let index, let change = entries[index].changes.first(where: match) else { throw TimedOut(what) }
    return change
  }

  /// Awaits the end of a scan.
  @discardableResult
  package func awaitScan(from mark: Int = 0, within time: Duration = .seconds(60)) async throws(TimedOut) -> ScanSummary
  {
    let index = try await self.await("the end of a scan", from: mark, within: time) {
      if case .didCompleteFullScan = $0 { true } else { false }
    }
    guard case .didCompleteFullScan(let summary) = entries[index].notification else { throw TimedOut("a scan") }
    return summary
  }
}
