package import FileSystemObservation
import LinuxFileSystem

/// Records all events of an observer.
package final class Recorder: Sendable {
  /// One event, and its time.
  package final class Entry: Sendable {
    package let event: FileSystemObserver.Event
    package let time: Moment
    private let known = Mutex<[FileSystemChange]?>(nil)

    package init(_ event: FileSystemObserver.Event) {
      self.event = event
      time = .now
    }

    /// The changes of the event, made on first use: most of a hundred thousand may never be needed.
    package var changes: [FileSystemChange] {
      guard case .didChange(let set) = event else { return [] }
      return known.withLock { known in
        let changes = known ?? Array(set)
        known = changes
        return changes
      }
    }
  }

  private let feed: Feed<Entry>
  private let token: NotificationToken

  package init(
    _ observer: FileSystemObserver, of scope: FileSystemObserver.Scope = .all,
    including details: FileSystemObserver.Details = []
  ) {
    let feed = Feed<Entry>()
    self.feed = feed
    token = observer.addNotificationBlock(of: scope, including: details) { _, event in feed.append(Entry(event)) }
  }

  package var entries: [Entry] { feed.elements }
  /// The number of events so far: a mark from which on to look.
  package var position: Int { feed.count }

  /// The changes from a mark on.
  package func changes(from mark: Int = 0) -> [FileSystemChange] { entries[mark...].flatMap(\.changes) }

  /// All diagnostics so far.
  package var diagnostics: [FileSystemObserver.Diagnostic] { diagnostics(from: 0) }

  /// The diagnostics from a mark on.
  package func diagnostics(from mark: Int) -> [FileSystemObserver.Diagnostic] {
    entries[mark...].compactMap { if case .diagnostic(let diagnostic) = $0.event { diagnostic } else { nil } }
  }

  /// The completed scans so far.
  package var scans: [FileSystemObserver.ScanSummary] {
    entries.compactMap { if case .didCompleteFullScan(let summary) = $0.event { summary } else { nil } }
  }

  /// Ends the recording.
  package func end() { token.invalidate() }

  /// Awaits an event.
  ///
  /// - Returns: Its index.
  @discardableResult
  package func await(
    _ what: String, from mark: Int = 0, within time: Duration = .seconds(60),
    where match: @escaping @Sendable (FileSystemObserver.Event) -> Bool
  ) async throws(TimedOut) -> Int {
    let index = await feed.firstIndex(from: mark, within: time) { match($0.event) }
    guard let index else { throw TimedOut(what) }
    return index
  }

  /// Awaits a change.
  @discardableResult
  package func awaitChange(
    _ what: String, from mark: Int = 0, within time: Duration = .seconds(60),
    where match: @escaping @Sendable (FileSystemChange) -> Bool
  ) async throws(TimedOut) -> FileSystemChange {
    let index = await feed.firstIndex(from: mark, within: time) { $0.changes.contains(where: match) }
    guard let index, let change = entries[index].changes.first(where: match) else { throw TimedOut(what) }
    return change
  }

  /// Awaits the end of a scan.
  @discardableResult
  package func awaitScan(from mark: Int = 0, within time: Duration = .seconds(60)) async throws(TimedOut)
    -> FileSystemObserver.ScanSummary
  {
    let index = try await self.await("the end of a scan", from: mark, within: time) {
      if case .didCompleteFullScan = $0 { true } else { false }
    }
    guard case .didCompleteFullScan(let summary) = entries[index].event else { throw TimedOut("a scan") }
    return summary
  }
}
