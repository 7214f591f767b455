import FileSystemObservation
import FoundationEssentials
import SystemPackage

/// Lines for people: the kind of change, the UUID, the path, and notes in parentheses.
struct TextFormat: LineFormat {
  /// Whether lines end in NUL and paths are raw, for xargs(1) and the like.
  var endsInNUL = false
  /// Whether lines of changes begin with the time.
  var showsTime = false

  func append(_ report: Report, _ context: LineContext, to lines: inout [UInt8]) {
    switch report {
    case .willBeginFullScan: append("scan begins", to: &lines)
    case .reset: append("everything anew", to: &lines)
    case .change(let change): append(change, change.notes, context, to: &lines)
    case .followed(let change, _):
      append(change, change.notes + [.init("with its folder")], context, to: &lines)
    case .item(let item): append(item, context, to: &lines)
    case .didCompleteFullScan(let items, let duration):
      append("scan complete: \(items) items in \(duration.inSeconds) s", to: &lines)
    case .summary(let summary):
      for line in Self.lines(of: summary) { append(line, to: &lines) }
    case .rootMoved(let old, let new):
      append("the folder has moved: \(old.printable) -> \(new.printable)", to: &lines)
    // Messages are not results: they go to standard error.
    case .diagnostic, .end: break
    }
  }

  private var end: UInt8 { endsInNUL ? 0 : UInt8(ascii: "\n") }

  private func append(_ line: String, to lines: inout [UInt8]) {
    lines.append(contentsOf: line.utf8)
    lines.append(end)
  }

  private func append(_ word: String, paddedTo width: Int, to lines: inout [UInt8]) {
    lines.append(contentsOf: word.utf8)
    for _ in word.utf8.count..<max(width, word.utf8.count) { lines.append(UInt8(ascii: " ")) }
  }

  private func append(
    _ change: FileSystemChange, _ notes: [Note], _ context: LineContext, to lines: inout [UInt8]
  ) {
    if showsTime, let time = context.time { append(time, to: &lines) }
    append(change.kind.rawValue, paddedTo: 12, to: &lines)
    lines.append(contentsOf: "  ".utf8)
    change.uuid.appendText(to: &lines)
    lines.append(contentsOf: "  ".utf8)
    append(context.shown(change.path), to: &lines)
    if change.item.kind == .directory { lines.append(UInt8(ascii: "/")) }
    append(notes, context, to: &lines)
    lines.append(end)
  }

  /// Appends a time, in UTC as of RFC 3339.
  private func append(_ time: Int64, to lines: inout [UInt8]) {
    lines.append(contentsOf: Date(timeIntervalSince1970: Double(time / 1_000_000_000)).formatted(.iso8601).utf8)
    lines.append(contentsOf: "  ".utf8)
  }

  private func append(_ item: FileSystemItem.Snapshot, _ context: LineContext, to lines: inout [UInt8]) {
    item.uuid.appendText(to: &lines)
    lines.append(contentsOf: "  ".utf8)
    append(item.kind.rawValue, paddedTo: 9, to: &lines)
    lines.append(contentsOf: "  ".utf8)
    append(context.base == nil ? item.path : item.relativePath, to: &lines)
    append([], context, to: &lines)
    lines.append(end)
  }

  private func append(_ path: FilePath, to lines: inout [UInt8]) {
    if endsInNUL { return path.appendBytes(to: &lines) }
    if !path.appendIfPlain(to: &lines, where: { _ in true }) { lines.append(contentsOf: path.printable.utf8) }
  }

  /// Adds the folder to the notes if paths are relative and there are several folders.
  private func append(_ notes: [Note], _ context: LineContext, to lines: inout [UInt8]) {
    var notes = notes
    if context.base != nil, let root = context.root { notes.append(Note("in", root)) }
    for (index, note) in notes.enumerated() {
      lines.append(contentsOf: (index == 0 ? "  (" : "; ").utf8)
      lines.append(contentsOf: note.text.utf8)
      guard let path = note.path else { continue }
      lines.append(UInt8(ascii: " "))
      append(note.text == "in" ? path : context.shown(path), to: &lines)
    }
    if !notes.isEmpty { lines.append(UInt8(ascii: ")")) }
  }

  private static func lines(of summary: FileSystemObserver.ScanSummary) -> [String] {
    var lines = [
      "",
      "items: \(summary.itemCount), of these folders: \(summary.directoryCount); "
        + "seconds: \(summary.duration.inSeconds)",
      "tagged: \(summary.taggedCount); copies given a UUID of their own: \(summary.duplicateCount)",
    ]
    let skipped = summary.skippedInOrder.map { "\($0.reason.text): \($0.count)" }
    if !skipped.isEmpty { lines.append("skipped: " + skipped.joined(separator: "; ")) }
    return lines
  }
}
