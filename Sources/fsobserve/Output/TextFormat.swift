import FileSystemObservation
import SystemPackage

/// Lines for people: what happened, the UUID, the path, and what else there is to say in parentheses.
struct TextFormat: LineFormat {
  func append(_ report: Report, sequence: UInt64, to lines: inout [UInt8]) {
    let line: String? =
      switch report {
      case .willBeginFullScan: "scan begins"
      case .change(let change): text(of: change)
      case .item(let item): text(of: item)
      case .didCompleteFullScan(let items, let duration): "scan complete: \(items) items in \(duration.inSeconds) s"
      case .summary(let summary): text(of: summary)
      // Messages are not results: they go to standard error.
      case .diagnostic: nil
      }
    guard let line else { return }
    lines.append(contentsOf: line.utf8)
    lines.append(UInt8(ascii: "\n"))
  }

  private func text(of change: FileSystemChange) -> String {
    let kind = change.kind.rawValue
    let padding = String(repeating: " ", count: max(0, 12 - kind.count))
    let path = change.path.printable + (change.item.kind == .directory ? "/" : "")
    let notes = notes(on: change)
    let uuid = change.uuid.text
    return "\(kind)\(padding)  \(uuid)  \(path)" + (notes.isEmpty ? "" : "  (\(notes.joined(separator: "; ")))")
  }

  private func notes(on change: FileSystemChange) -> [String] {
    var notes: [String] = []
    if let previous = change.previousPath { notes.append("was \(previous.printable)") }
    if let original = change.original?.path { notes.append("copy of \(original.printable)") }
    if let reason = change.deletionReason { notes.append(reason.text) }
    if change.isReturned { notes.append("returned") }
    if case .discovered(isCopying: true, _) = change.event { notes.append("still being written") }
    if change.item.kind == .symlink { notes.append("symlink") }
    return notes
  }

  private func text(of item: FileSystemItem.Snapshot) -> String {
    let kind = item.kind.rawValue
    let padding = String(repeating: " ", count: max(0, 9 - kind.count))
    return "\(item.uuid.text)  \(kind)\(padding)  \(item.path.printable)"
  }

  private func text(of summary: FileSystemObserver.ScanSummary) -> String {
    var lines = [
      "",
      "items: \(summary.itemCount), of these folders: \(summary.directoryCount); "
        + "seconds: \(summary.duration.inSeconds)",
      "tagged: \(summary.taggedCount); copies given a UUID of their own: \(summary.duplicateCount)",
    ]
    let skipped = summary.skippedInOrder.map { "\($0.reason.text): \($0.count)" }
    if !skipped.isEmpty { lines.append("skipped: " + skipped.joined(separator: "; ")) }
    return lines.joined(separator: "\n")
  }
}

extension DeletionReason {
  fileprivate var text: String {
    switch self {
    case .removed: "removed"
    case .trashed: "into the trash"
    case .movedOut: "moved out"
    case .replaced: "replaced by another"
    case .unmounted: "unmounted"
    @unknown default: rawValue
    }
  }
}

extension FileSystemObserver.SkipReason {
  fileprivate var text: String {
    switch self {
    case .unreadableFolder: "folders that may not be listed"
    case .excluded: "excluded"
    case .hidden: "hidden"
    case .special: "FIFOs, sockets and devices"
    case .belowLevels: "below the levels included"
    case .tagNotPermitted: "no permission to tag"
    case .tagNotSupported: "cannot bear a tag"
    case .noRoomForTag: "no room for the tag"
    case .readOnly: "read-only file system"
    case .onlyInLowerLayer: "in a lower layer of an overlay (--tag-lower tags them)"
    @unknown default: rawValue
    }
  }
}
