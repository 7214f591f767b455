import LinuxFileSystem

/// The reading of files that no decision waits for, in small groups, while nothing happens: all files at first, and then
/// those that have changed.
struct ContentPass: Sendable {
  /// How long nothing must have happened, in nanoseconds.
  var delay: Int64 = 5_000_000_000
  /// The same while somebody waits for the end.
  static let hurriedDelay: Int64 = 100_000_000
  /// How long a group waits for that where something happens all the time.
  static let patience: Int64 = 60_000_000_000

  /// As many files are read in a group, and as many entries looked at in a step.
  static let filesInGroup = 32
  static let entriesInStep = 8_192
  /// With more changed files than this, all files are gone through again.
  private static let mostWanted = 65_536
  /// How often files are tried again that were changed while they were read, or just before.
  private static let mostRepetitions = 5

  /// When to look for files to read; `nil` while they are being read, and after the last.
  var due: MonotonicTime?
  /// Since when files wait to be read.
  private(set) var waitingSince: MonotonicTime?
  /// The files that are being read.
  private var group: Set<NodeID> = []
  /// Whether the group is read to its end, whatever happens.
  private(set) var isGroupDetermined = false
  /// The entry from which on all files are gone through; `nil` when that is done.
  private var position: Int? = 0
  private var wanted: Set<NodeID> = []
  private var leftOut: Set<NodeID> = []
  private var repetitions = 0

  var isReading: Bool { !group.isEmpty }
  /// Whether everything was read.
  var isComplete: Bool { due == nil && group.isEmpty }

  /// Has files read that have changed.
  mutating func want(_ files: some Sequence<NodeID>, at time: MonotonicTime) {
    wanted.formUnion(files)
    if wanted.count > Self.mostWanted { (position, wanted) = (0, []) }
    repetitions = 0
    if group.isEmpty { due = time }
  }

  /// Nothing is read before a time: something happens.
  mutating func wait(until time: MonotonicTime, at now: MonotonicTime) {
    due = time
    waitingSince = waitingSince ?? now
  }

  /// Takes the next files to read; none may be among many entries.
  mutating func takeFiles(of classifier: borrowing Classifier) -> [NodeID] {
    var found: Classifier.UnreadFiles
    if let start = position {
      let storage = classifier.graph.storage
      let end = min(storage.nodes.count, start + Self.entriesInStep)
      let ids = (start..<max(start, end)).lazy.map { storage.id(at: $0) }
      found = classifier.unreadFiles(among: ids, atMost: Self.filesInGroup)
      let next = start + found.examined
      position = next < storage.nodes.count ? next : nil
    } else {
      let ids = Array(wanted.prefix(Self.entriesInStep))
      found = classifier.unreadFiles(among: ids, atMost: Self.filesInGroup)
      wanted.subtract(ids.prefix(found.examined))
    }
    leftOut.formUnion(found.inDoubt)
    return found.files
  }

  /// A file cannot be found now; it is tried again.
  mutating func leaveOut(_ file: NodeID) { leftOut.insert(file) }

  /// A group is being read.
  mutating func begin(_ files: [NodeID], isDetermined: Bool) {
    group = Set(files)
    isGroupDetermined = isDetermined
    (due, waitingSince) = (nil, nil)
  }

  /// A group was read, or only a part of it.
  ///
  /// - Parameters:
  ///   - changed: Files that were changed while they were read, or just before.
  ///   - later: When to go on if something happens meanwhile.
  mutating func endGroup(
    read: some Sequence<NodeID>, changed: some Sequence<NodeID>, at now: MonotonicTime, orLater later: MonotonicTime
  ) {
    let rest = group.subtracting(read)
    wanted.formUnion(rest)
    leftOut.formUnion(changed)
    group = []
    due = rest.isEmpty ? now : later
  }

  /// Goes on, or ends, after files were taken of which none has to be read.
  mutating func goOn(at now: MonotonicTime, orLater later: MonotonicTime) {
    waitingSince = nil
    if position != nil || !wanted.isEmpty { return due = now }
    due = nil
    guard !leftOut.isEmpty, repetitions < Self.mostRepetitions else { return leftOut = [] }
    repetitions += 1
    (wanted, leftOut) = (leftOut, [])
    due = later
  }
}
