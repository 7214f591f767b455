package import LinuxFileSystem

/// When to look again: soon while there are changes, rarely after a long rest, and never at a high load.
package struct PollingSchedule: Sendable, Equatable {
  /// Half a second.
  package static let shortest: Int64 = 500_000_000
  /// Half a minute.
  package static let longest: Int64 = 30_000_000_000
  /// A pass is followed by a rest this many times as long.
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

  /// Another source reports a change of the tree.
  package mutating func noteChange(at now: MonotonicTime) { lastChange = max(lastChange, now) }

  package mutating func passEnded(began start: MonotonicTime, at end: MonotonicTime, foundChanges: Bool) {
    if foundChanges { lastChange = max(lastChange, end) }
    lastStart = start
    lastEnd = end
    if let wanted = wantedSince, wanted < start { wantedSince = nil }
  }

  /// A caller waits for a pass that begins after a moment.
  package mutating func want(since moment: MonotonicTime) {
    wantedSince = max(wantedSince ?? moment, moment)
  }

  /// The rest between two passes: a tenth of the time since the last change, within limits.
  package var interval: Int64 {
    let quiet = (lastEnd - lastChange) / 10
    let rest = (lastEnd - lastStart) * Self.restFactor
    return min(Self.longest, max(Self.shortest, quiet, rest))
  }

  /// The time of the next pass.
  package var next: MonotonicTime {
    let regular = lastEnd + interval
    guard wantedSince != nil else { return regular }
    // Even an urgent pass uses at most half of the time.
    return min(regular, lastEnd + max(10_000_000, lastEnd - lastStart))
  }
}
