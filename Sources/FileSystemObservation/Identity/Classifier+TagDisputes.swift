import FileIdentity
import LinuxFileSystem

// Disputes with other observers: each restores its own tag. They must end, and all observers must decide the same.

extension Classifier {
  private static let fewestRounds = 8

  /// How soon the next round must follow to belong to the same dispute, in nanoseconds.
  ///
  /// Observers that poll are slower than those with events. A change of the tag after the end begins a new dispute.
  private static let disputePace: ClosedRange<Int64> = 1_000_000_000...30_000_000_000

  /// Takes in that a file has another tag than its own; returns whether its own is not restored.
  mutating func settleDispute(_ id: NodeID, _ entry: Entry) -> Bool {
    guard let otherTag = entry.tag.uuid, let file = graph.node(with: graph[id].uuid) else { return false }
    guard noteRound(file, otherTag) > mostRounds(of: file, entry, against: otherTag) else { return false }
    if canAccept(file, otherTag) {
      accept(file, to: otherTag, entry)
    } else {
      lookLater(at: id)
    }
    return true
  }

  /// Counts how often the same other tag was found on a file in a short time.
  private mutating func noteRound(_ id: NodeID, _ otherTag: UUIDBits) -> Int {
    var dispute = TagDispute(otherTag: otherTag, rounds: 0, latest: now, pace: Self.disputePace.upperBound)
    let own = graph[id].uuid
    if let known = disputes[own], known.otherTag == otherTag, now - known.latest < known.pace {
      dispute = known
      dispute.pace = min(max(4 * (now - known.latest), Self.disputePace.lowerBound), Self.disputePace.upperBound)
    }
    dispute.rounds += 1
    dispute.latest = now
    disputes.set(dispute, for: own, now)
    return dispute.rounds
  }

  /// How often a tag is restored: observers that never agree must not write forever.
  ///
  /// An observer that has missed nothing for longer has seen more, and persists for longer.
  private func mostRounds(of id: NodeID, _ entry: Entry, against otherTag: UUIDBits) -> Int {
    let seconds = Int(max(0, now - (period.hasSeenAllSince ?? now)) / 1_000_000_000)
    let extraRounds = 3 * (min(8, seconds) + min(8, Int.bitWidth - seconds.leadingZeroBitCount))
    return Self.fewestRounds + extraRounds + (mustDefer(id, entry, to: otherTag) ? 0 : 2)
  }

  /// Whether the other observer's identity for a file prevails, if both have watched for equally long.
  ///
  /// Observers that see the same decide the same.
  private func mustDefer(_ id: NodeID, _ entry: Entry, to otherTag: UUIDBits) -> Bool {
    if let owner = graph.node(with: otherTag) { return mustExchange(id, with: owner, for: otherTag) }
    // An identity that was not minted for this inode was carried here by an observer that saw more.
    let own = graph[id].uuid
    let minted = UUIDBits.minted(for: entry.key, on: entry.fileSystem)
    if own == minted || otherTag == minted { return own == minted }
    return otherTag < own
  }

  /// Whether the other observer identifies two files the other way round, and is right.
  func mustExchange(_ id: NodeID, with owner: NodeID, for otherTag: UUIDBits) -> Bool {
    // The identity belongs to the document's name, and not to its backup.
    if patterns.isBackup(graph.name(owner), of: graph.name(id)) { return true }
    guard let dispute = disputes[graph[owner].uuid] else { return false }
    let (own, key, other) = (graph[id].uuid, graph.key(id), graph.key(owner))
    if dispute.otherTag == own { return OriginalRule.mustExchange(key, own, with: other, otherTag) }
    return key.isBorn(before: other) && graph.node(with: dispute.otherTag) == nil
  }

  /// Whether all entries concerned are resolved, and none is being written.
  func canAccept(_ id: NodeID, _ otherTag: UUIDBits) -> Bool {
    var names = graph.names(of: id)
    if let owner = graph.node(with: otherTag) { names += graph.names(of: owner) }
    return names.allSatisfy { $0 != .root && unresolved[$0] == nil && writing[$0] == nil }
  }
}

// MARK: - Acceptance of another observer's identity

extension Classifier {
  /// Gives a file the identity that another observer writes.
  ///
  /// Nothing is written, so that observers who accept at the same time accept the same.
  mutating func accept(_ id: NodeID, to otherTag: UUIDBits, _ entry: Entry) {
    let given = graph[id].uuid
    disputes.remove(given)
    // An observer that saw more has carried the identity to this inode: it is a document that goes on here, and no copy.
    if !entry.bearsOwnTag { copies.forget(id) }
    if let owner = graph.node(with: otherTag) {
      disputes.remove(otherTag)
      copies.forget(owner)
      reidentify([(id, otherTag), (owner, identity(afterGiving: owner, to: id, entry))], isTagged: true)
      requestLook(at: graph.place(owner))
    } else {
      reidentify([(id, otherTag)], isTagged: true)
    }
    // Files to which other observers gave this identity may have it now.
    let waiting = disputes.identities(claimedAs: given).compactMap { graph.node(with: $0) }
    for other in waiting.sorted() {
      requestLook(at: graph.place(other))
    }
  }

  /// The identity of a file that gives its own to another: the one that the other observer writes on it, if that is
  /// free.
  func identity(afterGiving owner: NodeID, to id: NodeID, _ entry: Entry) -> UUIDBits {
    if let otherTag = disputes[graph[owner].uuid]?.otherTag {
      let holder = graph.node(with: otherTag)
      if holder == nil || holder == id { return otherTag }
    }
    return freeIdentity(for: graph.key(owner), on: entry.fileSystem)
  }
}
