import FileIdentity
import LinuxFileSystem

// Which of two that bear one tag is the original, where the one that was found first may be the copy.

extension Classifier {
  /// What times of files may lag behind the clock, in nanoseconds.
  private static let clockGranularity: Int64 = 1_000_000_000

  /// Whether something is found by a listing that may have been there for long: not what came with a new directory.
  func isFoundLate(_ place: Place, _ cause: LookReason) -> Bool {
    guard cause == .scan, coverage.isRescanning || isBlind() else { return false }
    return !wasMade(place.parent)
  }

  /// Whether a directory came to be while everything was seen that happened to it.
  func wasMade(_ directory: NodeID) -> Bool {
    graph[directory].flags.contains(.arrived) && coverage.lateFinds[directory].map { $0.isMade } ?? true
  }

  /// Notes that nobody saw an entry come, or whence.
  mutating func noteLateFind(_ id: NodeID, isCopy: Bool, isMade: Bool = false) {
    let until = now + 4 * timing.settle
    coverage.noteLateFind(id, until: until, isCopy: isCopy, isMade: isMade)
    forgetLater(.lateFind(id, until))
  }

  /// Whether a newcomer is the original of the one that was found first and bears its tag.
  func isOriginal(_ entry: Entry, ofFound owner: NodeID, in recovery: Int?) -> Bool {
    guard let recovery else { return false }
    let known = OriginalRule.EarlierFind(key: graph.key(owner), claim: claim(of: owner, besides: entry, in: recovery))
    return OriginalRule.isOriginal(
      OriginalRule.Claimant(key: entry.key, bearsOwnTag: entry.bearsOwnTag), foundAfter: known,
      boreTagBefore: boreTagBefore(entry, graph[owner]))
  }

  /// How an entry came to have the identity that is in the tag of a newcomer.
  func claim(of owner: NodeID, besides entry: Entry, in recovery: Int) -> OriginalRule.EarlierFind.Claim {
    if isMintedForNow(owner), unconfirmedTags[owner] != entry.tag.uuid { return .provisional }
    guard !graph.hasOtherNames(owner), entry.kind == graph[owner].kind else { return .established }
    if graph[owner].flags.contains(.tagUnread) { return .unread }
    let isUnfinished = graph[owner].flags.contains(.copying)
    if writing[owner] != nil && !isUnfinished { return .established }
    let mayBeCopy = coverage.mayBeCopy(owner, now)
    let wasLoaded = mayBeCopy && (isUnfinished || !graph[owner].flags.contains(.arrived))
    let found = coverage.lateFinds[owner].flatMap { $0.recovery == recovery ? $0 : nil }
    return wasLoaded || found != nil ? .found(asCopy: found?.isCopy == true) : .established
  }

  /// Whether an inode bears the UUID that was minted here for another, and was not changed since anything could be
  /// tagged here: so it bore it before, as a document does that was saved and has what was minted for its first inode.
  func boreTagBefore(_ entry: Entry, _ owner: Node) -> Bool {
    owner.flags.contains(.minted) && entry.changed < period.beganOnWallClock - Self.clockGranularity
  }
}
