import FileIdentity
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

  private func add(_ change: Change, to object: inout JSONObject) {
    object.add("kind", change.kind.rawValue)
    object.add("uuid", UUIDBits(change.uuid).description)
    object.add("path", change.path)
    if let previousPath = change.previousPath { object.add("previousPath", previousPath) }
    object.add("type", change.itemKind.rawValue)
    if change.kind == .discovered { object.add("isCopying", change.isCopying) }
    if let reason = change.reason { object.add("reason", reason.rawValue) }
    if let original = change.originalUUID { object.add("originalUUID", UUIDBits(original).description) }
    if let originalPath = change.originalPath { object.add("originalPath", originalPath) }
  }

  private func add(_ item: Inventory.Item, to object: inout JSONObject) {
    object.add("kind", Change.Kind.discovered.rawValue)
    object.add("uuid", UUIDBits(item.uuid).description)
    object.add("path", item.path)
    object.add("type", item.itemKind.rawValue)
    object.add("isCopying", item.isCopying)
  }

  private func addCompletion(_ items: Int, _ duration: Duration, to object: inout JSONObject) {
    object.add("kind", "didCompleteFullScan")
    object.add("items", items)
    object.add("seconds", duration)
  }

  private func add(_ summary: ScanSummary, to object: inout JSONObject) {
    addCompletion(summary.itemCount, summary.duration, to: &object)
    object.add("directories", summary.directoryCount)
    object.add("tagged", summary.taggedCount)
    object.add("duplicates", summary.duplicateCount)
    object.add("skipped", summary.skippedInOrder.map { ($0.reason.rawValue, $0.count) })
  }
}

extension ScanSummary {
  /// What was skipped, always in the same order.
  var skippedInOrder: [(reason: SkipReason, count: Int)] {
    SkipReason.allCases.compactMap { reason in
      skipped[reason].flatMap { $0 > 0 ? (reason, $0) : nil }
    }
  }
}
