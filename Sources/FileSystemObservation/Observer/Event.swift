internal import LinuxFileSystem
public import SystemPackage

extension FileSystemObserver {
  /// What an observer announces.
  ///
  /// Between two sets of changes each listener gets every event, in order, unless it fell behind: then it gets one
  /// ``reset(_:_:)`` in place of the sets that it missed.
  @nonexhaustive
  public enum Event: Sendable {
    /// The state from which everything that follows starts: forget what was announced before. The next set of changes
    /// follows upon it.
    case reset(FileSystemSnapshot, ResetReason)
    /// The whole tree is about to be scanned: at the start, and whenever events were lost.
    case willBeginFullScan(ScanReason)
    /// How far a full scan has come: four times a second at most, and not at all of one that takes less than a quarter
    /// of a second.
    case scanProgress(ScanProgress)
    /// The scan is done. All its changes were announced before, except those that wait for their deletion delay.
    case didCompleteFullScan(ScanSummary)
    /// The tree went from one state to the next.
    case didChange(FileSystemChanges)
    /// The observed directory itself was renamed or moved, and is observed where it is now; see
    /// ``RootLossPolicy/follow``.
    ///
    /// From now on, paths are below the new one. No item has another path relative to the directory.
    case rootMoved(from: FilePath, to: FilePath)
    /// Something the app or its user should know. Observation goes on.
    case diagnostic(Diagnostic)
    /// Observation has ended by itself, because of this error. Not announced after ``stop()``.
    case didEnd(FileSystemObserverError)
  }

  /// What a notification block is.
  public typealias NotificationBlock = @Sendable (FileSystemObserver, Event) -> Void

  /// Why a listener gets the whole state.
  @nonexhaustive
  public enum ResetReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// It begins to listen.
    case initial
    /// It did not take events in time, and sets of changes were dropped.
    case fellBehind
    /// It goes on after a cursor, and what happened since then is not known.
    case resumed
  }

  /// Why the whole tree is scanned.
  @nonexhaustive
  public enum ScanReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// Observation starts.
    case start
    /// The kernel's queue of events overflowed, or the observer's own.
    case eventsLost
    /// The observed directory had gone and is back.
    case rootReturned
  }
}

extension FileSystemObserver.Event: CustomStringConvertible {
  /// What happened, in a line or two; of many changes, the first ones.
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
