import FileIdentity
import LinuxFileSystem

// Observers that disagree: each puts its own tag back, and they must come to an end, and to the same one.

/// Two who write different tags on one file.
struct TagContest: Sendable {
  /// What the other one writes.
  var rival: UUIDBits
  var rounds: Int
  var latest: MonotonicTime
}

extension Classifier {
  /// How often a tag is put back before it is asked whether another observer means it.
  private static let patientRounds = 3
  /// How often it is put back at all: two who never agree must not write for ever.
  private static let mostRounds = 8

  /// Another tag than its own was found on a file.
  ///
  /// - Returns: Whether it is not to be put back.
  mutating func settleContest(_ id: NodeID, _ entry: Entry, _ now: MonotonicTime) -> Bool {
    guard let rival = entry.tag.uuid else { return false }
    let rounds = noteRound(id, rival, now)
    if rounds <= Self.patientRounds { return false }
    if graph[id].kind == .file, !graph.hasOtherNames(id) {
      if let other = graph.node(with: rival) {
        if mustSwap(id, with: other) {
          swap(id, with: other, now)
          return true
        }
      } else if rounds > Self.mostRounds || mustYield(id, entry, to: rival) {
        yield(id, to: rival)
        return true
      }
    }
    return rounds > Self.mostRounds
  }

  /// How often this file's tag has been found to be the same other one in a short time.
  private mutating func noteRound(_ id: NodeID, _ rival: UUIDBits, _ now: MonotonicTime) -> Int {
    let window = 4 * timing.settle
    if contests.count > 256 { contests = contests.filter { now - $0.value.latest < window } }
    var contest = TagContest(rival: rival, rounds: 0, latest: now)
    if let known = contests[id], known.rival == rival, now - known.latest < window { contest = known }
    contest.rounds += 1
    contest.latest = now
    contests[id] = contest
    return contest.rounds
  }

  /// Whether another observer's identity for a file goes before this one's.
  ///
  /// An identity that is not the one minted for the inode was carried here by somebody who saw more. Of two such, the smaller wins, so
  /// that all who see the same decide the same.
  private func mustYield(_ id: NodeID, _ entry: Entry, to rival: UUIDBits) -> Bool {
    let own = graph[id].uuid
    let minted = UUIDBits.minted(for: entry.key, on: entry.fileSystem)
    if own == minted || rival == minted { return own == minted }
    return (rival.high, rival.low) < (own.high, own.low)
  }

  /// The file has the other one's identity from now on.
  mutating func yield(_ id: NodeID, to rival: UUIDBits) {
    contests[id] = nil
    let given = graph[id].uuid
    // Files that others gave this identity to may have it now.
    let waiting = contests.filter { $0.value.rival == given }.keys.sorted { $0.rawValue < $1.rawValue }
    for other in waiting { requests.append(.look(graph.place(other), .check)) }
    log.append(.deleted, id, in: graph, reason: .replaced)
    graph.setIdentity(id, uuid: rival, key: graph.key(id))
    graph.setFlags(id, .tagged, true)
    graph.setFlags(id, .tagUnread, false)
    log.append(.discovered, id, in: graph, reason: departed.contains(rival) ? .returned : nil)
    log.append(.copyFinished, id, in: graph)
  }

  /// Whether another observer takes this file for one that this observer takes another for, and is right: the file that was born first
  /// is the original, as in the first scan.
  private func mustSwap(_ id: NodeID, with other: NodeID) -> Bool {
    guard let contest = contests[other], graph[other].kind == .file, !graph.hasOtherNames(other),
      displaced[other] == nil, writing[other] == nil
    else { return false }
    let isFree = graph.node(with: contest.rival) == nil || contest.rival == graph[id].uuid
    return isFree && (graph[id].born, graph[id].inode) < (graph[other].born, graph[other].inode)
  }

  /// This file is what the other one was taken for, and the other one is what the other observer takes it for.
  private mutating func swap(_ id: NodeID, with other: NodeID, _ now: MonotonicTime) {
    guard let rival = contests[other]?.rival else { return }
    let (place, otherPlace) = (graph.place(id), graph.place(other))
    let (node, otherNode) = (graph[id], graph[other])
    let (key, otherKey) = (graph.key(id), graph.key(other))
    delete(id, reason: .replaced, now)
    contests[other] = nil
    commitMove(other, to: place, now)
    graph.setIdentity(other, uuid: otherNode.uuid, key: key)
    graph.setContent(other, modified: node.modified, size: node.size)
    let content = FileGraph.Content(
      uuid: rival, key: otherKey, kind: otherNode.kind, modified: otherNode.modified, size: otherNode.size,
      flags: [.arrived, .tagged])
    let newcomer = graph.insert(content, named: otherPlace.name.span, in: otherPlace.parent)
    log.append(.discovered, newcomer, in: graph)
    log.append(.copyFinished, newcomer, in: graph)
  }
}
