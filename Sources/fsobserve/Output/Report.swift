import FileSystemObservation
import SystemPackage

/// What one line of output tells.
enum Report: Sendable {
  case willBeginFullScan
  case change(FileSystemChange)
  /// An item of the inventory.
  case item(FileSystemItem.Snapshot)
  case didCompleteFullScan(items: Int, duration: Duration)
  /// The end of `scan`, with what it did.
  case summary(FileSystemObserver.ScanSummary)
  case diagnostic(message: String, path: FilePath?)
}

/// A form of output.
///
/// One report is one line.
protocol LineFormat: Sendable {
  /// Appends a line. The sequence number is that of the change set the report belongs to, or of the last one before it.
  func append(_ report: Report, sequence: UInt64, to lines: inout [UInt8])
}
