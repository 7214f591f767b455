import FileSystemObservation
import SystemPackage

/// Turns what an observer tells into lines, and keeps the sequence number of the last change set.
struct Reporter: Sendable {
  private let format: any LineFormat
  private var sequence: UInt64 = 0
  private var lastMessage: String?

  init(_ format: any LineFormat) {
    self.format = format
  }

  /// The lines for one notification; they are to be written together.
  mutating func lines(for notification: FileSystemObserver.Event) -> [UInt8] {
    switch notification {
    case .willBeginFullScan: return lines([.willBeginFullScan])
    case .didCompleteFullScan(let summary):
      return lines([.didCompleteFullScan(items: summary.itemCount, duration: summary.duration)])
    case .didChange(let changeSet):
      sequence = changeSet.sequence
      return lines(changeSet.lazy.map { .change($0) })
    case .reset(let inventory, _): return lines(for: inventory)
    case .diagnostic(let diagnostic):
      lastMessage = diagnostic.message
      return lines([.diagnostic(message: diagnostic.message, path: diagnostic.path)])
    // The loss of the folder is told as a diagnostic before.
    case .didEnd(let error):
      return error.message == lastMessage ? [] : lines([.diagnostic(message: error.message, path: error.path)])
    @unknown default: return []
    }
  }

  /// What was missed is not known item by item: everything is told anew, as after an overflow.
  private mutating func lines(for inventory: FileSystemSnapshot) -> [UInt8] {
    var all = lines([.willBeginFullScan])
    sequence = inventory.sequence
    all += lines(inventory.lazy.map { .item($0) })
    all += lines([.didCompleteFullScan(items: inventory.count, duration: .zero)])
    return all
  }

  /// The lines for an inventory in the order of its paths, with the summary of the scan.
  mutating func lines(for inventory: FileSystemSnapshot, _ summary: FileSystemObserver.ScanSummary) -> [UInt8] {
    sequence = inventory.sequence
    let items = inventory.map { (path: $0.path.bytes, item: $0) }
      .sorted { $0.path.lexicographicallyPrecedes($1.path) }
    return lines(items.lazy.map { .item($0.item) }) + lines([.summary(summary)])
  }

  private func lines(_ reports: some Sequence<Report>) -> [UInt8] {
    var lines: [UInt8] = []
    for report in reports { format.append(report, sequence: sequence, to: &lines) }
    return lines
  }
}
