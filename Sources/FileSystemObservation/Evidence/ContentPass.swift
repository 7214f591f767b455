import LinuxFileSystem

/// The reading of files that nobody waits for, in the order of the graph, while nothing happens.
struct ContentPass: Sendable {
  /// How long nothing must have happened, in nanoseconds.
  var delay: Int64 = 5_000_000_000
  /// The same while somebody waits for the end.
  static let hurriedDelay: Int64 = 100_000_000
  /// Where to go on.
  var position = 0
  /// The first file of the group that is being read.
  var group: Int?
  /// When to look for files to read; `nil` while they are being read, and after the last.
  var due: MonotonicTime?
  /// Whether something has changed since the pass began, so that another follows.
  var mustRepeat = false

  /// Whether a file has changed while it was read, or just before.
  var hasLeftOut = false
  /// How often the pass was repeated for that.
  private var repetitions = 0
  private static let mostRepetitions = 5

  /// Whether everything was read.
  var isComplete: Bool { due == nil && group == nil }

  /// As many files are read in a group, and as many entries looked at in a step.
  static let filesInGroup = 32
  static let entriesInStep = 8_192

  /// Begins anew at a time, since something has changed.
  mutating func restart(at time: MonotonicTime) {
    guard group == nil else { return mustRepeat = true }
    position = 0
    due = time
    (hasLeftOut, repetitions) = (false, 0)
  }

  /// Ends the pass, or begins it once more for the files that were left out.
  ///
  /// A file that keeps changing is read when it rests: the next change of the tree begins another pass.
  mutating func end(orRepeatAt later: MonotonicTime) {
    due = nil
    guard hasLeftOut, repetitions < Self.mostRepetitions else { return }
    let next = repetitions + 1
    restart(at: later)
    repetitions = next
  }

  /// Notes that a group was read, or only a part of it.
  ///
  /// - Parameter later: When to go on if something happens meanwhile.
  mutating func endGroup(isWhole: Bool, at now: MonotonicTime, orLater later: MonotonicTime) {
    if !isWhole, let group { position = group }
    if mustRepeat { position = 0 }
    due = isWhole && !mustRepeat ? now : later
    (group, mustRepeat) = (nil, false)
  }
}
