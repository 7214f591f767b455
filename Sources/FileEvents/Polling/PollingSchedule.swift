package import LinuxFileSystem

/// When to look again: soon while things change, seldom when nothing has for long, and never so often that it is a
/// burden.
package struct PollingSchedule: Sendable, Equatable {
  /// Half a second.
  package static let shortest: Int64 = 500_000_000
  /// Half a minute.
  package static let longest: Int64 = 30_000_000_000
  /// What is looked at for a moment rests for so many times as long.
  private static let restFactor: Int64 = 10

  private var lastChange: MonotonicTime
  private var lastStart: MonotonicTime
  private var lastEnd: MonotonicTime
  private var wantedSince: MonotonicTime?

  package init(at now: MonotonicTime) {
    lastChange = now
    lastStart = now
    lastEnd = now
  }

  /// Something else tells that the tree has changed.
  package mutating func noteChange(at now: MonotonicTime) { lastChange = max(lastChange, now) }

  package mutating func passEnded(began start: MonotonicTime, at end: MonotonicTime, foundChanges: Bool) {
    if foundChanges { lastChange = max(lastChange, end) }
    lastStart = start
    lastEnd = end
    if let wanted = wantedSince, wanted < start { wantedSince = nil }
  }

  /// Somebody waits for a pass that begins after this moment.
  package mutating func want(since moment: MonotonicTime) {
    wantedSince = max(wantedSince ?? moment, moment)
  }

  /// How long the rest between two passes is: a tenth of the time since the last change.
  package var interval: Int64 {
    let quiet = (lastEnd - lastChange) / 10
    let rest = (lastEnd - lastStart) * Self.restFactor
    return min(Self.longest, max(Self.shortest, quiet, rest))
  }

  /// When the next pass is due.
  package var next: MonotonicTime {
    let regular = lastEnd + interval
    guard wantedSince != nil else { return regular }
    // However urgent: not more than half of the time is spent looking.
    return min(regular, lastEnd + max(10_000_000, lastEnd - lastStart))
  }
}
