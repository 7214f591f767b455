internal import LinuxFileSystem
public import SystemPackage

extension FileSystemObserver {
  /// An event that an observer announces.
  ///
  /// Each listener gets every event in order. A listener that fell behind gets one ``reset(_:_:)`` instead of the sets
  /// of changes that it missed. A `switch` needs a `default`, because there may be more events in later versions.
  @nonexhaustive
  public enum Event: Sendable {
    /// The state to start from: discard everything announced before. The next set of changes builds on it.
    case reset(FileSystemSnapshot, ResetReason)
    /// A scan of the whole tree begins: at the start, and whenever events were lost.
    case willBeginFullScan(ScanReason)
    /// The progress of a full scan: at most four times a second, and never for a scan of less than a quarter of a
    /// second.
    case scanProgress(ScanProgress)
    /// The full scan is complete. All its changes were announced before, except those held back by a deletion delay.
    case didCompleteFullScan(ScanSummary)
    /// The tree changed from one state to the next.
    case didChange(FileSystemChanges)
    /// The observed directory itself was renamed or moved, and is observed at its new path; see
    /// ``RootLossPolicy/follow``.
    ///
    /// Also announced by a start with a store, if the directory has another path than in the run before: then it was
    /// renamed or moved meanwhile, or another path leads to it.
    ///
    /// From now on, absolute paths begin with the new path. Paths relative to the directory stay the same.
    case rootMoved(from: FilePath, to: FilePath)
    /// A condition that the app or its user should know about. Observation continues.
    case diagnostic(Diagnostic)
    /// Observation has ended by itself with this error. Not announced after ``stop()``.
    case didEnd(FileSystemObserverError)
  }

  /// A block that is called with the observer and each event.
  public typealias NotificationBlock = @Sendable (FileSystemObserver, Event) -> Void

  /// The reason for a reset of a listener.
  @nonexhaustive
  public enum ResetReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// The listener has begun to listen.
    case initial
    /// The listener did not take events in time, and sets of changes were dropped.
    case fellBehind
    /// The listener resumed after a cursor of which the observer knows nothing.
    case resumed
    /// The listener resumed after a cursor, and some changes since then are no longer kept.
    case tooOld
  }

  /// The reason for a full scan.
  @nonexhaustive
  public enum ScanReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// Observation has started.
    case start
    /// The kernel's queue of events overflowed, or the observer's own.
    case eventsLost
    /// The observed directory was lost and has returned.
    case rootReturned
    /// Observation has started with the tree that a store has from an earlier run: only what has changed is announced.
    case resumed
  }
}

extension FileSystemObserver.Event: CustomStringConvertible {
  /// The event in one or two lines; for many changes, the first ones.
  public var description: String {
    switch self {
    case .reset(let snapshot, let reason): "reset (\(reason.rawValue)): \(snapshot)"
    case .willBeginFullScan(let reason): "full scan begins (\(reason.rawValue))"
    case .didCompleteFullScan(let summary): "full scan is complete: \(summary)"
    case .scanProgress(let progress): progress.description
    case .rootMoved(let old, let new): "the observed folder was moved: \(old.printable) -> \(new.printable)"
    case .didChange(let changes): changes.description
    case .diagnostic(let diagnostic): diagnostic.description
    case .didEnd(let error): "observation has ended: \(error)"
    }
  }
}
