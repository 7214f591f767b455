import FileSystemObservation
import FoundationEssentials
import SystemPackage

/// One JSON object a line, for programs.
///
/// The lines are a contract: keys may be added, but none changes.
struct JSONLinesFormat: LineFormat {
  /// The version of the contract; a new one would break programs.
  private static let version = 1

  func append(_ report: Report, _ context: LineContext, to lines: inout [UInt8]) {
    var object = JSONObject()
    object.add("seq", context.sequence)
    switch report {
    case .willBeginFullScan(let reason):
      object.add("kind", "willBeginFullScan")
      object.add("reason", reason)
    case .reset(let reason):
      object.add("kind", "willBeginFullScan")
      object.add("reason", reason)
      object.add("reset", true)
    case .change(let change): add(change, context, to: &object)
    case .followed(let change, let folder):
      add(change, context, to: &object)
      object.add("with", folder)
    case .item(let item): add(item, context, to: &object)
    case .didCompleteFullScan(let items, let duration): addCompletion(items, duration, to: &object)
    case .summary(let summary): add(summary, to: &object)
    case .rootMoved(let old, let new):
      object.add("kind", "rootMoved")
      object.add("path", new)
      object.add("previousPath", old)
    case .diagnostic(let diagnostic): add(diagnostic, context, to: &object)
    case .end(let error): add(error, context, to: &object)
    }
    add(context, to: &object)
    lines.append(contentsOf: object.finished())
    lines.append(UInt8(ascii: "\n"))
  }

  private func add(_ context: LineContext, to object: inout JSONObject) {
    if let root = context.root { object.add("root", root) }
    if let time = context.time { object.add("time", nanoseconds: time) }
    if let cursor = context.cursor { object.add("cursor", cursor.description) }
    if context.isFirst { object.add("format", Self.version) }
  }

  private func add(_ change: FileSystemChange, _ context: LineContext, to object: inout JSONObject) {
    object.add("kind", change.kind.rawValue)
    object.add("uuid", change.uuid)
    object.add("path", context.shown(change.path))
    if let previousPath = change.previousPath { object.add("previousPath", context.shown(previousPath)) }
    object.add("type", change.item.kind.rawValue)
    if case .discovered(let isCopying, _) = change.event { object.add("isCopying", isCopying) }
    if let reason = change.reasonText { object.add("reason", reason) }
    if let original = change.original {
      object.add("originalUUID", original.uuid)
      object.add("originalPath", context.shown(original.path))
    }
    addFacts(of: change.item, to: &object)
  }

  private func add(_ item: FileSystemItem.Snapshot, _ context: LineContext, to object: inout JSONObject) {
    object.add("kind", FileSystemChange.Kind.discovered.rawValue)
    object.add("uuid", item.uuid)
    object.add("path", context.base == nil ? item.path : item.relativePath)
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

// MARK: - Messages

extension JSONLinesFormat {
  private func add(
    _ diagnostic: FileSystemObserver.Diagnostic, _ context: LineContext, to object: inout JSONObject
  ) {
    object.add("kind", "diagnostic")
    object.add("message", diagnostic.message)
    if let path = diagnostic.path { object.add("path", context.shown(path)) }
    object.add("code", diagnostic.code.rawValue)
    guard let limit = diagnostic.limit else { return }
    var members = JSONObject()
    members.add("name", limit.name)
    members.add("value", limit.value)
    members.add("suggested", limit.suggestedValue)
    members.add("command", limit.command)
    object.add("limit", members)
  }

  private func add(_ error: FileSystemObserverError, _ context: LineContext, to object: inout JSONObject) {
    object.add("kind", "diagnostic")
    object.add("message", error.message)
    if let path = error.path { object.add("path", context.shown(path)) }
    object.add("code", error.code.description)
  }
}

extension FileSystemObserver.ScanSummary {
  /// The skipped items, always in the same order.
  var skippedInOrder: [(reason: FileSystemObserver.SkipReason, count: Int)] {
    FileSystemObserver.SkipReason.allCases.compactMap { reason in
      skipped[reason].flatMap { $0 > 0 ? (reason, $0) : nil }
    }
  }
}

extension FileSystemChange {
  /// The reason of a deletion, or that the item has returned.
  fileprivate var reasonText: String? { deletionReason?.rawValue ?? (isReturned ? "returned" : nil) }
}
