internal import FileSystemObservation
public import Foundation

extension Notification.Name {
  /// The whole tree is about to be scanned.
  ///
  /// The user info has the ``BroadcastKey/scanReason``.
  public static let fileSystemObserverWillBeginFullScan = Notification.Name("FileSystemObserverWillBeginFullScan")

  /// The scan is done.
  ///
  /// The user info has the ``BroadcastKey/summary``.
  public static let fileSystemObserverDidCompleteFullScan = Notification.Name("FileSystemObserverDidCompleteFullScan")

  /// Something happened in the tree.
  ///
  /// The user info has the ``BroadcastKey/changes``.
  public static let fileSystemObserverDidChange = Notification.Name("FileSystemObserverDidChange")

  /// Whoever handles these notifications fell behind, and changes were dropped.
  ///
  /// The user info has the ``BroadcastKey/inventory`` to start anew from.
  public static let fileSystemObserverMustRescan = Notification.Name("FileSystemObserverMustRescan")

  /// Something to know while observation goes on.
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
  /// The `ChangeSet` of `fileSystemObserverDidChange`.
  public static let changes = "FileSystemObserverChanges"
  /// The `ScanReason` of `fileSystemObserverWillBeginFullScan`.
  public static let scanReason = "FileSystemObserverScanReason"
  /// The `ScanSummary` of `fileSystemObserverDidCompleteFullScan`.
  public static let summary = "FileSystemObserverScanSummary"
  /// The `Inventory` of `fileSystemObserverMustRescan`.
  public static let inventory = "FileSystemObserverInventory"
  /// The `Diagnostic` of `fileSystemObserverDiagnostic`.
  public static let diagnostic = "FileSystemObserverDiagnostic"
  /// The `ObservationError` of `fileSystemObserverDidEnd`.
  public static let error = "FileSystemObserverError"
}

extension Notification {
  /// The notification for what an observer tells.
  init(_ notification: ObservationNotification, from observer: FileSystemObserver) {
    let (name, key, value): (Name, String, any Sendable) =
      switch notification {
      case .willBeginFullScan(let reason): (.fileSystemObserverWillBeginFullScan, BroadcastKey.scanReason, reason)
      case .didCompleteFullScan(let summary): (.fileSystemObserverDidCompleteFullScan, BroadcastKey.summary, summary)
      case .didChange(let changes): (.fileSystemObserverDidChange, BroadcastKey.changes, changes)
      case .mustRescan(let inventory): (.fileSystemObserverMustRescan, BroadcastKey.inventory, inventory)
      case .diagnostic(let diagnostic): (.fileSystemObserverDiagnostic, BroadcastKey.diagnostic, diagnostic)
      case .didEnd(let error): (.fileSystemObserverDidEnd, BroadcastKey.error, error)
      }
    self.init(name: name, object: observer, userInfo: [BroadcastKey.observer: observer, key: value])
  }
}
