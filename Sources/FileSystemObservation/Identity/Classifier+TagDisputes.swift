import FileIdentity
import LinuxFileSystem

// Observers that disagree: each puts its own tag back, and they must come to an end, and to the same one.

/// Two who write different tags on one file.

extension Classifier {
  private static let fewestRounds = 8

  /// How long after one round the next belongs to the same contest, in nanoseconds: observers that poll take their
  /// time, and those that are told do not; whoever changes the tag when they have come to an end begins anew.
  private static let disputePace: ClosedRange<Int64> = 1_000_000_000...30_000_000_000

  /// Another tag than its own was found on a file.
  ///
  /// - Returns: Whether it is not to be put back.
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

  /// How often this file's tag has been found to be the same other one in a short time.
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

  /// How often a tag is put back at all: two who never agree must not write for ever.
  ///
  /// Who has watched for longer without missing anything has seen more, and holds out for longer.
  private func mostRounds(of id: NodeID, _ entry: Entry, against otherTag: UUIDBits) -> Int {
    let seconds = Int(max(0, now - (period.hasSeenAllSince ?? now)) / 1_000_000_000)
    let unprovenQuiet = 3 * (min(8, seconds) + min(8, Int.bitWidth - seconds.leadingZeroBitCount))
    return Self.fewestRounds + unprovenQuiet + (mustDefer(id, entry, to: otherTag) ? 0 : 2)
  }

  /// Whether another observer's identity for a file goes before this one's, where both have watched for as long: all
  /// who see the same decide the same.
  private func mustDefer(_ id: NodeID, _ entry: Entry, to otherTag: UUIDBits) -> Bool {
    if let owner = graph.node(with: otherTag) { return mustExchange(id, with: owner, for: otherTag) }
    // An identity that is not the one minted for the inode was carried here by somebody who saw more.
    let own = graph[id].uuid
    let minted = UUIDBits.minted(for: entry.key, on: entry.fileSystem)
    if own == minted || otherTag == minted { return own == minted }
    return otherTag < own
  }

  /// Whether another observer takes this file for one that this observer takes another for, and is right.
  func mustExchange(_ id: NodeID, with owner: NodeID, for otherTag: UUIDBits) -> Bool {
    // Between a name and its backup, the identity belongs to the name.
    if patterns.isBackup(graph.name(owner), of: graph.name(id)) { return true }
    guard let dispute = disputes[graph[owner].uuid] else { return false }
    let (own, key, other) = (graph[id].uuid, graph.key(id), graph.key(owner))
    if dispute.otherTag == own { return OriginalRule.mustExchange(key, own, with: other, otherTag) }
    return key.isBorn(before: other) && graph.node(with: dispute.otherTag) == nil
  }

  /// Whether the entries concerned are all where the graph has them.
  func canAccept(_ id: NodeID, _ otherTag: UUIDBits) -> Bool {
    var names = graph.names(of: id)
    if let owner = graph.node(with: otherTag) { names += graph.names(of: owner) }
    return names.allSatisfy { $0 != .root && unresolved[$0] == nil && writing[$0] == nil }
  }
}

// MARK: - Taking another's word

extension Classifier {
  /// The file is from now on what another observer takes it for.
  ///
  /// Pure acceptance: nothing is written, so that whoever else accepts at the same time accepts the same.
  mutating func accept(_ id: NodeID, to otherTag: UUIDBits, _ entry: Entry) {
    let given = graph[id].uuid
    disputes.remove(given)
    if let owner = graph.node(with: otherTag) {
      disputes.remove(otherTag)
      reidentify([(id, otherTag), (owner, identity(afterGiving: owner, to: id, entry))], isTagged: true)
      requests.append(.look(graph.place(owner), .check))
    } else {
      reidentify([(id, otherTag)], isTagged: true)
    }
    // Files that others gave this identity to may have it now.
    let waiting = disputes.identities(claimedAs: given).compactMap { graph.node(with: $0) }
    for other in waiting.sorted(by: { $0.rawValue < $1.rawValue }) {
      requests.append(.look(graph.place(other), .check))
    }
  }

  /// What a file is that gives its identity to another: what the other observer takes it for, if that is free then.
  func identity(afterGiving owner: NodeID, to id: NodeID, _ entry: Entry) -> UUIDBits {
    if let otherTag = disputes[graph[owner].uuid]?.otherTag {
      let holder = graph.node(with: otherTag)
      if holder == nil || holder == id { return otherTag }
    }
    return freeIdentity(for: graph.key(owner), on: entry.fileSystem)
  }
}
