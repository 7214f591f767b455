import FileIdentity
import LinuxFileSystem

// Which of two with one tag is the original, if the one found first may be the copy.

extension Classifier {
  /// Whether a listing found an item that may have existed for long, and did not come with a new directory.
  func isFoundLate(_ place: Place, _ cause: LookReason) -> Bool {
    guard cause == .scan, coverage.isRescanning || hasCoverageGap else { return false }
    return !wasMade(place.parent)
  }

  /// Whether a directory was made under observation.
  func wasMade(_ directory: NodeID) -> Bool {
    graph[directory].flags.contains(.arrived) && coverage.lateFinds[directory].map { $0.isMade } ?? true
  }

  /// Notes an entry whose arrival was not observed.
  mutating func noteLateFind(
    _ id: NodeID, isCopy: Bool, isMade: Bool = false, replacement: Coverage.LateFind.Replacement? = nil
  ) {
    let until = now + 4 * timing.settle
    coverage.noteLateFind(id, until: until, isCopy: isCopy, isMade: isMade, replacement: replacement)
    forgetLater(.lateFind(id, until))
  }

  /// Whether a new inode is the original of an entry that was found first and has its tag.
  func isOriginal(_ entry: Entry, ofFound owner: NodeID, in recovery: Int?) -> Bool {
    guard let recovery else { return false }
    let known = OriginalRule.EarlierFind(key: graph.key(owner), claim: claim(of: owner, besides: entry, in: recovery))
    return OriginalRule.isOriginal(
      OriginalRule.Claimant(key: entry.key, bearsOwnTag: entry.bearsOwnTag), foundAfter: known,
      boreTagBefore: boreTagBefore(entry, graph[owner]))
  }

  /// How an entry got the identity that is in the tag of a new inode.
  func claim(of owner: NodeID, besides entry: Entry, in recovery: Int) -> OriginalRule.EarlierFind.Claim {
    if isMintedForNow(owner), unconfirmedTags[owner] != entry.tag.uuid { return .provisional }
    guard !graph.hasOtherNames(owner), entry.kind == graph[owner].kind else { return .established }
    if graph[owner].flags.contains(.tagUnread) { return .unread }
    let isUnfinished = graph[owner].flags.contains(.copying)
    if writing[owner] != nil && !isUnfinished { return .established }
    let mayBeCopy = coverage.mayBeCopy(owner, now)
    let wasLoaded = mayBeCopy && (isUnfinished || !graph[owner].flags.contains(.arrived))
    let found = coverage.lateFinds[owner].flatMap { $0.recovery == recovery ? $0 : nil }
    if found?.replacement == .tagged { return .atItsPath }
    return wasLoaded || found != nil ? .found(asCopy: found?.isCopy == true) : .established
  }

  /// Whether an inode had its tag before observation began, although the UUID was minted here for another inode.
  ///
  /// An inode that has not changed since then was not tagged here. Its UUID is that of an earlier inode, as after a
  /// save.
  func boreTagBefore(_ entry: Entry, _ owner: Node) -> Bool {
    owner.flags.contains(.minted) && entry.changed < period.beganOnWallClock - WallClock.granularity
  }
}

// MARK: - Copies of copies

extension Classifier {
  /// The identity that has taken over the copy from which a new file was copied, before that one had its new tag.
  func successor(ofTagIn entry: Entry) -> UUIDBits? {
    guard let tag = entry.tag.uuid, let uuid = endedIdentities.successor(of: tag), graph.node(with: tag) == nil,
      graph.node(with: uuid) != nil, isUnidentified(entry.key)
    else { return nil }
    return uuid
  }
}
