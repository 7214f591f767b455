import FileSystemObservation
import FoundationEssentials
import SystemPackage

/// What one line of output tells.
enum Report: Sendable {
  case willBeginFullScan(reason: String)
  case change(FileSystemChange)
  /// An item that followed a folder to its new place.
  case followed(FileSystemChange, folder: UUID)
  /// An item of the inventory.
  case item(FileSystemItem.Snapshot)
  case didCompleteFullScan(items: Int, duration: Duration)
  /// The end of `scan`, with what it did.
  case summary(FileSystemObserver.ScanSummary)
  /// The observed folder has another path.
  case rootMoved(from: FilePath, to: FilePath)
  case diagnostic(FileSystemObserver.Diagnostic)
  /// Observation has ended.
  case end(FileSystemObserverError)
}

/// A form of output.
///
/// One report is one line.
protocol LineFormat: Sendable {
  /// Appends a line.
  func append(_ report: Report, _ context: LineContext, to lines: inout [UInt8])
}
