import FileIdentity
import LinuxFileSystem

// Which of two that bear one tag is the original, where the one that was found first may be the copy.

extension Classifier {
  /// What times of files may lag behind the clock, in nanoseconds.
  private static let clockGranularity: Int64 = 1_000_000_000

  /// Whether something is found by a listing that may have been there for long: not what came with a new directory.
  func isFoundLate(_ place: Place, _ cause: Cause, _ now: MonotonicTime) -> Bool {
    guard cause == .scan, coverage.isRecovering || isBlind(now) else { return false }
    return !wasMade(place.parent)
  }

  /// Whether a directory came to be while everything was seen that happened to it.
  func wasMade(_ directory: NodeID) -> Bool {
    graph[directory].flags.contains(.arrived) && coverage.lateFinds[directory].map { $0.isMade } ?? true
  }

  /// Notes that nobody saw an entry come, or whence.
  mutating func noteLateFind(_ id: NodeID, isCopy: Bool, isMade: Bool = false, _ now: MonotonicTime) {
    let until = now + 4 * timing.settle
    coverage.noteLateFind(id, until: until, isCopy: isCopy, isMade: isMade)
    forgetLater(.lateFind(id, until))
  }

  /// Whether a newcomer is the original of the one that was found first and bears its tag.
  func isOriginal(_ entry: Entry, ofFound bearer: NodeID, in recovery: Int?, _ now: MonotonicTime) -> Bool {
    guard let recovery else { return false }
    let known = OriginalRule.EarlierFind(
      key: graph.key(bearer), claim: claim(of: bearer, besides: entry, in: recovery, now))
    return OriginalRule.isOriginal(
      OriginalRule.Claimant(key: entry.key, bearsOwnTag: entry.bearsOwnTag), foundAfter: known,
      boreTagBefore: boreTagBefore(entry, graph[bearer]))
  }

  /// How an entry came to have the identity that is in the tag of a newcomer.
  func claim(
    of bearer: NodeID, besides entry: Entry, in recovery: Int, _ now: MonotonicTime
  ) -> OriginalRule.EarlierFind.Claim {
    if isMintedForNow(bearer), copyTags[bearer] != entry.tag.uuid { return .provisional }
    guard !graph.hasOtherNames(bearer), entry.kind == graph[bearer].kind else { return .established }
    if graph[bearer].flags.contains(.tagUnread) { return .unread }
    let isUnfinished = graph[bearer].flags.contains(.copying)
    if writing[bearer] != nil && !isUnfinished { return .established }
    let mayBeCopy = coverage.mayBeCopy(bearer, now)
    let wasLoaded = mayBeCopy && (isUnfinished || !graph[bearer].flags.contains(.arrived))
    let found = coverage.lateFinds[bearer].flatMap { $0.recovery == recovery ? $0 : nil }
    return wasLoaded || found != nil ? .found(asCopy: found?.isCopy == true) : .established
  }

  /// Whether an inode bears the UUID that was minted here for another, and was not changed since anything could be
  /// tagged here: so it bore it before, as a document does that was saved and has what was minted for its first inode.
  func boreTagBefore(_ entry: Entry, _ bearer: Node) -> Bool {
    bearer.flags.contains(.minted) && entry.changed < beganOnWallClock - Self.clockGranularity
  }
}
