internal import FileSystemObservation
public import Foundation
internal import SystemPackage

extension Notification.Name {
  /// A scan of the whole tree begins.
  ///
  /// The user info has the ``BroadcastKey/scanReason``.
  public static let fileSystemObserverWillBeginFullScan = Notification.Name("FileSystemObserverWillBeginFullScan")

  /// The full scan is complete.
  ///
  /// The user info has the ``BroadcastKey/summary``.
  public static let fileSystemObserverDidCompleteFullScan = Notification.Name("FileSystemObserverDidCompleteFullScan")

  /// The tree changed.
  ///
  /// The user info has the ``BroadcastKey/changes``.
  public static let fileSystemObserverDidChange = Notification.Name("FileSystemObserverDidChange")

  /// The progress of a full scan.
  ///
  /// The user info has the ``BroadcastKey/progress``.
  public static let fileSystemObserverScanProgress = Notification.Name("FileSystemObserverScanProgress")

  /// The observed directory was renamed or moved, and is observed at its new path.
  ///
  /// The user info has the ``BroadcastKey/directory``.
  public static let fileSystemObserverRootMoved = Notification.Name("FileSystemObserverRootMoved")

  /// The handlers of these notifications fell behind, and changes were dropped.
  ///
  /// The user info has the ``BroadcastKey/snapshot`` to start from.
  public static let fileSystemObserverDidReset = Notification.Name("FileSystemObserverDidReset")

  /// A condition that the app or its user should know about while observation continues.
  ///
  /// The user info has the ``BroadcastKey/diagnostic``.
  public static let fileSystemObserverDiagnostic = Notification.Name("FileSystemObserverDiagnostic")

  /// Observation has ended by itself.
  ///
  /// The user info has the ``BroadcastKey/error``.
  public static let fileSystemObserverDidEnd = Notification.Name("FileSystemObserverDidEnd")
}

/// The keys of the user info of an observer's notifications.
public enum BroadcastKey {
  /// The `FileSystemObserver`; in every notification.
  public static let observer = "FileSystemObserver"
  /// The `FileSystemChanges` of `fileSystemObserverDidChange`.
  public static let changes = "FileSystemObserverChanges"
  /// The `FileSystemObserver.ScanReason` of `fileSystemObserverWillBeginFullScan`.
  public static let scanReason = "FileSystemObserverScanReason"
  /// The `FileSystemObserver.ScanSummary` of `fileSystemObserverDidCompleteFullScan`.
  public static let summary = "FileSystemObserverScanSummary"
  /// The `FileSystemObserver.ScanProgress` of `fileSystemObserverScanProgress`.
  public static let progress = "FileSystemObserverScanProgress"
  /// The new `FilePath` of `fileSystemObserverRootMoved`.
  public static let directory = "FileSystemObserverDirectory"
  /// The `FileSystemSnapshot` of `fileSystemObserverDidReset`.
  public static let snapshot = "FileSystemObserverSnapshot"
  /// The `FileSystemObserver.Diagnostic` of `fileSystemObserverDiagnostic`.
  public static let diagnostic = "FileSystemObserverDiagnostic"
  /// The `FileSystemObserverError` of `fileSystemObserverDidEnd`.
  public static let error = "FileSystemObserverError"
}

extension Notification {
  /// The notification for an event of an observer.
  init(_ event: FileSystemObserver.Event, from observer: FileSystemObserver) {
    let (name, key, value): (Name, String, any Sendable) =
      switch event {
      case .willBeginFullScan(let reason): (.fileSystemObserverWillBeginFullScan, BroadcastKey.scanReason, reason)
      case .didCompleteFullScan(let summary): (.fileSystemObserverDidCompleteFullScan, BroadcastKey.summary, summary)
      case .scanProgress(let progress): (.fileSystemObserverScanProgress, BroadcastKey.progress, progress)
      case .rootMoved(_, let path): (.fileSystemObserverRootMoved, BroadcastKey.directory, path)
      case .didChange(let changes): (.fileSystemObserverDidChange, BroadcastKey.changes, changes)
      case .reset(let snapshot, _): (.fileSystemObserverDidReset, BroadcastKey.snapshot, snapshot)
      case .diagnostic(let diagnostic): (.fileSystemObserverDiagnostic, BroadcastKey.diagnostic, diagnostic)
      case .didEnd(let error): (.fileSystemObserverDidEnd, BroadcastKey.error, error)
      }
    self.init(name: name, object: observer, userInfo: [BroadcastKey.observer: observer, key: value])
  }
}
