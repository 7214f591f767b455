import FileSystemObservation
import SystemPackage

/// One JSON object a line, for programs.
struct JSONLinesFormat: LineFormat {
  func append(_ report: Report, sequence: UInt64, to lines: inout [UInt8]) {
    var object = JSONObject()
    object.add("seq", sequence)
    switch report {
    case .willBeginFullScan: object.add("kind", "willBeginFullScan")
    case .change(let change): add(change, to: &object)
    case .item(let item): add(item, to: &object)
    case .didCompleteFullScan(let items, let duration): addCompletion(items, duration, to: &object)
    case .summary(let summary): add(summary, to: &object)
    case .diagnostic(let message, let path):
      object.add("kind", "diagnostic")
      object.add("message", message)
      if let path { object.add("path", path) }
    }
    lines.append(contentsOf: object.finished())
    lines.append(UInt8(ascii: "\n"))
  }

  private func add(_ change: FileSystemChange, to object: inout JSONObject) {
    object.add("kind", change.kind.rawValue)
    object.add("uuid", change.uuid.text)
    object.add("path", change.path)
    if let previousPath = change.previousPath { object.add("previousPath", previousPath) }
    object.add("type", change.item.kind.rawValue)
    if case .discovered(let isCopying, _) = change.event { object.add("isCopying", isCopying) }
    if let reason = change.reasonText { object.add("reason", reason) }
    if let original = change.original {
      object.add("originalUUID", original.uuid.text)
      object.add("originalPath", original.path)
    }
    addFacts(of: change.item, to: &object)
  }

  private func add(_ item: FileSystemItem.Snapshot, to object: inout JSONObject) {
    object.add("kind", FileSystemChange.Kind.discovered.rawValue)
    object.add("uuid", item.uuid.text)
    object.add("path", item.path)
    object.add("type", item.kind.rawValue)
    object.add("isCopying", item.isCopying)
    addFacts(of: item, to: &object)
  }

  private func addFacts(of item: FileSystemItem.Snapshot, to object: inout JSONObject) {
    object.add("size", item.size)
    object.add("modified", nanoseconds: item.modificationNanoseconds)
    object.add("identity", item.identity.rawValue)
  }

  private func addCompletion(_ items: Int, _ duration: Duration, to object: inout JSONObject) {
    object.add("kind", "didCompleteFullScan")
    object.add("items", items)
    object.add("seconds", duration)
  }

  private func add(_ summary: FileSystemObserver.ScanSummary, to object: inout JSONObject) {
    addCompletion(summary.itemCount, summary.duration, to: &object)
    object.add("directories", summary.directoryCount)
    object.add("tagged", summary.taggedCount)
    object.add("duplicates", summary.duplicateCount)
    object.add("skipped", summary.skippedInOrder.map { ($0.reason.rawValue, $0.count) })
  }
}

extension FileSystemObserver.ScanSummary {
  /// What was skipped, always in the same order.
  var skippedInOrder: [(reason: FileSystemObserver.SkipReason, count: Int)] {
    FileSystemObserver.SkipReason.allCases.compactMap { reason in
      skipped[reason].flatMap { $0 > 0 ? (reason, $0) : nil }
    }
  }
}

extension FileSystemChange {
  /// Why an item is gone, or that it is back.
  fileprivate var reasonText: String? { deletionReason?.rawValue ?? (isReturned ? "returned" : nil) }
}
