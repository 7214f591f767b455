import FileEvents
import FileIdentity
import FileSystemObservation
import LinuxFileSystem
import SystemPackage

/// What a recording says of the file system and of the source: an answer for each question.
///
/// Each question is answered as it was answered in the same step, the first time with the first answer. A question that
/// was not asked then is answered with what was known last.
///
/// The replay runs on one thread.
final class RecordedWorld: @unchecked Sendable {
  /// A name in a directory, by the directory's inode.
  struct Spot: Hashable {
    var folder: UInt64
    var name: [UInt8]
  }

  /// The answers of a step that have not been given.
  private struct Answers {
    var looks: [Spot: Queue<RecordedLine>] = [:]
    var opens: [Spot: Queue<RecordedLine>] = [:]
    var leases: [Spot: Queue<RecordedLine>] = [:]
    var tags: [Spot: Queue<RecordedLine>] = [:]
    var answers: [String: Queue<RecordedLine>] = [:]
    /// Whether open directories exist, by their inodes.
    var exists: [UInt64: Queue<RecordedLine>] = [:]
    /// Open directories whose times could not be read.
    var unreadTimes: [UInt64: Queue<RecordedLine>] = [:]
    var scans: [UInt64: Queue<Scan>] = [:]
    /// Directories that are about to be marked again.
    var listed: [UInt64: Scan] = [:]
    var marks: [UInt64: Queue<RecordedLine>] = [:]
  }

  /// A listing of a directory.
  struct Scan {
    var line: RecordedLine
    var entries: [RecordedLine] = []

    var failure: Errno? { error("failure") }
    var markFailure: Errno? { error("markFailure") }
    var readAt: Int64 { line.number("read") }
    var mark: MarkID? { line.optional("mark").map { MarkID(rawValue: $0) } }
    /// A mark and a failure are of several attempts, before and after the entries were listed.
    var isMarkedAgain: Bool { mark != nil && markFailure != nil }
    /// The directory could not even be opened.
    var isUnopened: Bool { failure != nil && mark == nil && markFailure == nil && entries.isEmpty }

    private func error(_ field: String) -> Errno? {
      let number: Int32 = line.number(field)
      return number == 0 ? nil : Errno(rawValue: number)
    }
  }

  private var current = Answers()
  private var known: [Spot: RecordedEntry] = [:]
  private var systems: [UInt64: UInt64] = [:]
  private var knownMarks: [UInt64: MarkID] = [:]
  /// The directory that was marked last.
  private var marked: UInt64?
  private var stepWall: Int64 = 0
  let root: FileStatus
  let rootUUID: UUIDBits?
  /// The time of day.
  var wallClock: Int64 = 0
  /// Questions that were not asked in the same step of the recording.
  private(set) var newQuestions = 0

  init(_ text: FlightText) {
    let line = text.root
    root = FileStatus(
      device: line.number("device"), inode: line.number("inode"), born: line.number("born"), kind: .directory,
      linkCount: line.number("links"), modified: line.number("modified"), changed: line.number("changed"))
    rootUUID = line.uuid("uuid")
    for line in text.steps.flatMap(\.lines) {
      if let entry = RecordedEntry(line) { systems[entry.status.device] = entry.system }
    }
  }

  /// Begins the next step.
  func begin(_ step: FlightText.Step) {
    stepWall = step.begin.number("wall")
    wallClock = stepWall
    current = Answers()
    var previous: RecordedLine?
    for line in step.lines {
      if !Self.isLookWithoutDirectory(line, after: previous) { sort(line) }
      previous = line
    }
    orderScans()
  }

  /// Orders the listings of each directory by their times.
  ///
  /// They are recorded when they are compared: one that was made during another scan may come before it.
  private func orderScans() {
    for (folder, scans) in current.scans where scans.elements.allSatisfy({ $0.readAt > 0 }) {
      current.scans[folder] = Queue(scans.elements.sorted { $0.readAt < $1.readAt })
    }
  }

  /// Whether a look was in vain because its directory could not be opened just before: the file system was not asked.
  private static func isLookWithoutDirectory(_ line: RecordedLine, after previous: RecordedLine?) -> Bool {
    guard line.kind == "look", line["found"] == "unreachable" else { return false }
    guard let previous, previous.kind == "open" else { return false }
    let isOpen = previous["in"] == line["in"] && previous["inode"] == line["folder"]
    return !isOpen || previous["found"] == "no"
  }

  private func sort(_ line: RecordedLine) {
    let folder: UInt64 = line.number("folder")
    let spot = Spot(folder: folder, name: line.name ?? [])
    switch line.kind {
    case "look": current.looks[spot, default: Queue()].append(line)
    case "open": current.opens[spot, default: Queue()].append(line)
    case "lease": current.leases[spot, default: Queue()].append(line)
    case "tag": current.tags[spot, default: Queue()].append(line)
    case "mark": current.marks[folder, default: Queue()].append(line)
    case "scan": current.scans[folder, default: Queue()].append(Scan(line: line))
    case "listed": current.scans[folder]?.last?.entries.append(line)
    case "answer" where line["question"] == "exists":
      current.exists[line.number("about"), default: Queue()].append(line)
    case "answer" where line["question"] == "times":
      current.unreadTimes[line.number("about"), default: Queue()].append(line)
    case "answer": current.answers[line["question"], default: Queue()].append(line)
    default: break
    }
  }
}

// MARK: - Answers

extension RecordedWorld {
  /// What is at a place now.
  func look(at spot: Spot) throws(Errno) -> RecordedEntry {
    if let line = current.looks[spot]?.popFirst() {
      guard let entry = RecordedEntry(line) else {
        known[spot] = nil
        throw Self.errors[line["found"]] ?? .noSuchFileOrDirectory
      }
      note(entry, at: spot)
      setClock(entry)
      return entry
    }
    newQuestions += 1
    guard let entry = known[spot] else { throw .noSuchFileOrDirectory }
    setClock(entry)
    return entry
  }

  /// The errors that the engine takes for what a look found.
  private static let errors: [String: Errno] = ["unreachable": .permissionDenied, "failed": .ioError]

  func note(_ entry: RecordedEntry, at spot: Spot) { known[spot] = entry }

  func knownEntry(at spot: Spot) -> RecordedEntry? { known[spot] }

  /// Whether an inode changed just now is judged by the clock: it says what it said then.
  private func setClock(_ entry: RecordedEntry) {
    let changed = entry.status.changed
    let isNear = abs(stepWall &- changed) < 10_000_000_000
    wallClock = isNear == entry.isRecent ? stepWall : changed + (entry.isRecent ? 0 : 20_000_000_000)
  }

  /// The directory that a name leads to: its key as far as a status has it.
  func open(_ spot: Spot) throws(Errno) -> FileStatus {
    if let line = current.opens[spot]?.popFirst() {
      if line["found"] == "no" { throw .noSuchFileOrDirectory }
      return FileStatus(
        device: line.number("device"), inode: line.number("inode"), born: line.number("born"), kind: .directory)
    }
    return try knownDirectory(at: spot)
  }

  /// The directory that a name led to when it was seen last.
  func knownDirectory(at spot: Spot) throws(Errno) -> FileStatus {
    guard let entry = known[spot], entry.status.kind == .directory else { throw .noSuchFileOrDirectory }
    return entry.status
  }

  /// Whether an open directory exists, as the engine asked next; `nil` if it did not ask.
  func exists(_ inode: UInt64) throws(Errno) -> Bool? {
    guard let line = current.exists[inode]?.popFirst() else { return nil }
    guard let value: Int = line.optional("value") else { throw .ioError }
    return value == 1
  }

  func lease(_ spot: Spot) -> WriterProbe {
    guard let line = current.leases[spot]?.popFirst() else { return .nobodyWrites }
    switch line["writers"] {
    case "beingWritten": return .beingWritten
    case "nobodyWrites": return .nobodyWrites
    case "failed": return .failed
    default: return .unknown
    }
  }

  /// The outcome of writing a tag.
  func write(_ uuid: UUIDBits, at spot: Spot) throws(Errno) -> TagWriting {
    guard let line = current.tags[spot]?.popFirst() else { return .written }
    switch line["why"] {
    case "tagWritten":
      known[spot]?.tag = .uuid(uuid)
      return .written
    case "tagSpared": return .spared
    case "tagFailed": throw Errno(rawValue: line.number("error"))
    default: return .notWritten
    }
  }

  func answer(_ question: String) -> RecordedLine? {
    let line = current.answers[question]?.popFirst()
    if line == nil { newQuestions += 1 }
    return line
  }

  func fileSystem(of device: UInt64) -> UInt64 { systems[device] ?? 0 }
}

// MARK: - Listings and marks

extension RecordedWorld {
  /// The next listing of a directory in this step.
  func nextScan(_ folder: UInt64) -> Scan? { current.scans[folder]?.first }

  /// The modification time of a directory that is about to be listed; `nil` for others, whose times have no record.
  func modificationTime(of folder: UInt64) throws(Errno) -> Int64? {
    guard let scan = nextScan(folder) else {
      if current.unreadTimes[folder]?.popFirst() != nil { throw .ioError }
      return nil
    }
    if let modified: Int64 = scan.line.optional("modified") { return modified }
    // Its key was compared before it was marked.
    if marked == folder { throw .ioError }
    return nil
  }

  func takeScan(_ folder: UInt64) -> Scan? {
    let scan = current.scans[folder]?.popFirst()
    if let mark = scan?.mark { knownMarks[folder] = mark }
    if scan?.isMarkedAgain == true { current.listed[folder] = scan }
    return scan
  }

  /// The directory is about to be listed: the clock says what it said then.
  func prepareListing(_ folder: UInt64) throws(Errno) {
    guard let scan = nextScan(folder) else { return }
    if scan.isUnopened, let failure = scan.failure {
      _ = takeScan(folder)
      throw failure
    }
    wallClock = scan.readAt
  }

  /// The first scan marks a directory again after it was listed: if one attempt has failed, it may be the last.
  func mark(_ folder: UInt64, for scope: MarkScope) throws(Errno) -> MarkID {
    marked = folder
    if let scan = current.listed[folder] ?? nextScan(folder) {
      if scope == .entries { current.listed[folder] = nil }
      if let failure = scan.markFailure, scan.mark == nil || scope == .entries { throw failure }
      if let mark = scan.mark { return mark }
    }
    guard let mark = knownMarks[folder] else { throw .noSpace }
    return mark
  }

  /// The mark that a directory got by being recognised.
  func recognized(_ folder: UInt64) -> MarkID? {
    current.marks[folder]?.popFirst().map { MarkID(rawValue: $0.number("mark")) }
  }
}

/// Answers in their order.
struct Queue<Element> {
  private(set) var elements: [Element] = []
  private var next = 0

  init(_ elements: [Element] = []) {
    self.elements = elements
  }

  var first: Element? { next < elements.count ? elements[next] : nil }
  var last: Element? {
    get { elements.last }
    set { if let newValue, !elements.isEmpty { elements[elements.count - 1] = newValue } }
  }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard let first else { return nil }
    next += 1
    return first
  }
}
