import FileSystemObservation
import FoundationEssentials
import SystemPackage

/// Turns the events of an observer into lines, and keeps the sequence number of the last change set.
struct Reporter: Sendable {
  /// What the lines of one observed folder show.
  struct Style: Sendable {
    /// On each line: the folder, if there are several.
    var root: FilePath?
    /// The folder that paths are relative to.
    var base: FilePath?
    /// Whether each line has the time.
    var showsTime = false
    /// Whether items below a moved folder have lines of their own.
    var showsFollowers = false
    /// The only file to report.
    var file: FilePath?
  }

  private let style: Style
  private var context: LineContext
  private var filter: FileFilter?
  private var lastMessage: String?

  init(_ style: Style = Style()) {
    self.style = style
    filter = style.file.map { FileFilter(path: $0) }
    context = LineContext(root: style.root, base: style.base)
  }

  /// Reports an event; the number of lines.
  @discardableResult
  mutating func report(_ event: FileSystemObserver.Event, to lines: inout LineBuffer) throws -> Int {
    if style.showsTime { context.time = WallClock.nanoseconds }
    switch event {
    case .willBeginFullScan(let reason): try lines.append(.willBeginFullScan(reason: reason.rawValue), context)
    case .didCompleteFullScan(let summary):
      try lines.append(.didCompleteFullScan(items: summary.itemCount, duration: summary.duration), context)
    case .didChange(let changes): return try report(changes, to: &lines)
    case .reset(let snapshot, let reason): try report(snapshot, reason, to: &lines)
    case .diagnostic(let diagnostic):
      lastMessage = diagnostic.message
      try lines.append(.diagnostic(diagnostic), context)
    case .didEnd(let error):
      // A diagnostic has already reported the loss of the folder.
      if error.message == lastMessage { return 0 }
      try lines.append(.end(error), context)
    case .rootMoved(let old, let new):
      if style.root != nil { context.root = new }
      if style.base != nil { context.base = new }
      try lines.append(.rootMoved(from: old, to: new), context)
    case .scanProgress: return 0
    @unknown default: return 0
    }
    return 1
  }

  /// Lists a snapshot in the order of its paths, with the summary of the scan.
  mutating func list(
    _ snapshot: FileSystemSnapshot, _ summary: FileSystemObserver.ScanSummary, to lines: inout LineBuffer
  ) throws {
    context.sequence = snapshot.sequence
    for item in snapshot.inPathOrder { try lines.append(.item(item), context) }
    try lines.append(.summary(summary), context)
  }
}

// MARK: - Sets of changes

extension Reporter {
  private mutating func report(_ changes: FileSystemChanges, to lines: inout LineBuffer) throws -> Int {
    context.sequence = changes.sequence
    var last: Report?
    var count = 0
    try forEachReport(of: changes) { report, context in
      if let last { try lines.append(last, context) }
      last = report
      count += 1
    }
    if let last {
      var context = context
      context.cursor = changes.cursor
      try lines.append(last, context)
    }
    return count
  }

  private mutating func forEachReport(
    of changes: FileSystemChanges, _ body: (Report, LineContext) throws -> Void
  ) throws {
    for change in changes {
      if filter?.admits(change) == false { continue }
      try body(.change(change), context)
      guard style.showsFollowers, change.item.kind == .directory, change.previousPath != nil else { continue }
      for follower in changes.movesBelow(change) { try body(.followed(follower, folder: change.uuid), context) }
    }
  }

  /// Lists the whole snapshot, as after an overflow: which items changed in between is unknown.
  private mutating func report(
    _ snapshot: FileSystemSnapshot, _ reason: FileSystemObserver.ResetReason, to lines: inout LineBuffer
  ) throws {
    context.sequence = snapshot.sequence
    try lines.append(.reset(reason: reason.rawValue), context)
    var count = 0
    for item in snapshot where filter?.admits(item) != false {
      try lines.append(.item(item), context)
      count += 1
    }
    var context = context
    context.cursor = snapshot.cursor
    try lines.append(.didCompleteFullScan(items: count, duration: .zero), context)
  }
}
