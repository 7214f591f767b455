import FileSystemObservation
import FoundationEssentials
import SystemPackage

/// The content of one line of output.
enum Report: Sendable {
  case willBeginFullScan(reason: String)
  /// The whole tree follows, in the place of everything before.
  case reset(reason: String)
  case change(FileSystemChange)
  /// An item that moved along with a folder.
  case followed(FileSystemChange, folder: UUID)
  /// An item of the inventory.
  case item(FileSystemItem.Snapshot)
  case didCompleteFullScan(items: Int, duration: Duration)
  /// The end of `scan`, with its summary.
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
