import FileIdentity
import LinuxFileSystem

// Observers that disagree: each puts its own tag back, and they must come to an end, and to the same one.

/// Two who write different tags on one file.

extension Classifier {
  private static let fewestRounds = 8

  /// How long after one round the next belongs to the same contest, in nanoseconds: observers that poll take their
  /// time, and those that are told do not; whoever changes the tag when they have come to an end begins anew.
  private static let contestPace: ClosedRange<Int64> = 1_000_000_000...30_000_000_000

  /// Another tag than its own was found on a file.
  ///
  /// - Returns: Whether it is not to be put back.
  mutating func settleContest(_ id: NodeID, _ entry: Entry, _ now: MonotonicTime) -> Bool {
    guard let rival = entry.tag.uuid, let file = graph.node(with: graph[id].uuid) else { return false }
    guard noteRound(file, rival, now) > mostRounds(of: file, entry, against: rival, now) else { return false }
    if canConcede(file, rival) {
      concede(file, to: rival, entry, now)
    } else {
      lookLater(at: id, now)
    }
    return true
  }

  /// How often this file's tag has been found to be the same other one in a short time.
  private mutating func noteRound(_ id: NodeID, _ rival: UUIDBits, _ now: MonotonicTime) -> Int {
    var contest = TagContest(rival: rival, rounds: 0, latest: now, pace: Self.contestPace.upperBound)
    let own = graph[id].uuid
    if let known = contests[own], known.rival == rival, now - known.latest < known.pace {
      contest = known
      contest.pace = min(max(4 * (now - known.latest), Self.contestPace.lowerBound), Self.contestPace.upperBound)
    }
    contest.rounds += 1
    contest.latest = now
    contests.set(contest, for: own, now)
    return contest.rounds
  }

  /// How often a tag is put back at all: two who never agree must not write for ever.
  ///
  /// Who has watched for longer without missing anything has seen more, and holds out for longer.
  private func mostRounds(of id: NodeID, _ entry: Entry, against rival: UUIDBits, _ now: MonotonicTime) -> Int {
    let seconds = Int(max(0, now - (hasSeenAllSince ?? now)) / 1_000_000_000)
    let patience = 3 * (min(8, seconds) + min(8, Int.bitWidth - seconds.leadingZeroBitCount))
    return Self.fewestRounds + patience + (mustYield(id, entry, to: rival) ? 0 : 2)
  }

  /// Whether another observer's identity for a file goes before this one's, where both have watched for as long: all
  /// who see the same decide the same.
  private func mustYield(_ id: NodeID, _ entry: Entry, to rival: UUIDBits) -> Bool {
    if let bearer = graph.node(with: rival) { return mustExchange(id, with: bearer, for: rival) }
    // An identity that is not the one minted for the inode was carried here by somebody who saw more.
    let own = graph[id].uuid
    let minted = UUIDBits.minted(for: entry.key, on: entry.fileSystem)
    if own == minted || rival == minted { return own == minted }
    return rival < own
  }

  /// Whether another observer takes this file for one that this observer takes another for, and is right.
  func mustExchange(_ id: NodeID, with bearer: NodeID, for rival: UUIDBits) -> Bool {
    // Between a name and its backup, the identity belongs to the name.
    if patterns.isBackup(graph.name(bearer), of: graph.name(id)) { return true }
    guard let contest = contests[graph[bearer].uuid] else { return false }
    let (own, key, other) = (graph[id].uuid, graph.key(id), graph.key(bearer))
    if contest.rival == own { return OriginalRule.mustExchange(key, own, with: other, rival) }
    return key.isBorn(before: other) && graph.node(with: contest.rival) == nil
  }

  /// Whether the entries concerned are all where the graph has them.
  func canConcede(_ id: NodeID, _ rival: UUIDBits) -> Bool {
    var names = graph.names(of: id)
    if let bearer = graph.node(with: rival) { names += graph.names(of: bearer) }
    return names.allSatisfy { $0 != .root && displaced[$0] == nil && writing[$0] == nil }
  }
}

// MARK: - Taking another's word

extension Classifier {
  /// The file is from now on what another observer takes it for.
  ///
  /// Pure acceptance: nothing is written, so that whoever else accepts at the same time accepts the same.
  mutating func concede(_ id: NodeID, to rival: UUIDBits, _ entry: Entry, _ now: MonotonicTime) {
    let given = graph[id].uuid
    contests.remove(given)
    if let bearer = graph.node(with: rival) {
      contests.remove(rival)
      reidentify([(id, rival), (bearer, identity(afterGiving: bearer, to: id, entry))], isTagged: true)
      requests.append(.look(graph.place(bearer), .check))
    } else {
      reidentify([(id, rival)], isTagged: true)
    }
    // Files that others gave this identity to may have it now.
    let waiting = contests.identities(claimedAs: given).compactMap { graph.node(with: $0) }
    for other in waiting.sorted(by: { $0.rawValue < $1.rawValue }) {
      requests.append(.look(graph.place(other), .check))
    }
  }

  /// What a file is that gives its identity to another: what the other observer takes it for, if that is free then.
  func identity(afterGiving bearer: NodeID, to id: NodeID, _ entry: Entry) -> UUIDBits {
    if let rival = contests[graph[bearer].uuid]?.rival {
      let holder = graph.node(with: rival)
      if holder == nil || holder == id { return rival }
    }
    return freeIdentity(for: graph.key(bearer), on: entry.fileSystem)
  }
}
