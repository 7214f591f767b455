import FileIdentity
import LinuxFileSystem

// The tags of entries that are known: the graph's own identity wins.

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

  /// Looks at the tag of an entry that stayed where it was.
  mutating func noteTag(of id: NodeID, _ entry: Entry, _ now: MonotonicTime) {
    let uuid = graph[id].uuid
    guard entry.kind != .symlink, entry.tag != .unreadable else { return }
    if entry.tag.uuid == uuid {
      return graph.setFlags(id, .tagged, true)
    }
    graph.setFlags(id, .tagged, false)
    if writing[id] != nil { return noteTagInDoubt(id, entry.tag) }
    tellLateCopy(id, entry)
    let rounds = noteRound(id, entry.tag.uuid, now)
    if rounds > Self.patientRounds, mustYield(id, entry) { return yield(id, entry) }
    if rounds <= Self.mostRounds { requests.append(.writeTag(id, claiming: false)) }
  }

  /// How often this file's tag has been found to be the same other one in a short time.
  private mutating func noteRound(_ id: NodeID, _ rival: UUIDBits?, _ now: MonotonicTime) -> Int {
    guard let rival else { return 0 }
    contests = contests.count > 256 ? contests.filter { now - $0.value.latest < 4 * timing.settle } : contests
    var contest = TagContest(rival: rival, rounds: 0, latest: now)
    if let known = contests[id], known.rival == rival, now - known.latest < 4 * timing.settle { contest = known }
    contest.rounds += 1
    contest.latest = now
    contests[id] = contest
    return contest.rounds
  }

  /// Whether another observer's identity for a file goes before this one's.
  ///
  /// An identity that is not the one minted for the inode was carried here by somebody who saw more. Of two such, the smaller
  /// wins, so that all who see the same decide the same.
  private func mustYield(_ id: NodeID, _ entry: Entry) -> Bool {
    guard let rival = entry.tag.uuid, graph.node(with: rival) == nil, graph[id].kind == .file, !graph.hasOtherNames(id)
    else { return false }
    let minted = UUIDBits.minted(for: entry.key, on: entry.fileSystem)
    if graph[id].uuid == minted || rival == minted { return graph[id].uuid == minted }
    return (rival.high, rival.low) < (graph[id].uuid.high, graph[id].uuid.low)
  }

  /// The file has the other one's identity from now on.
  private mutating func yield(_ id: NodeID, _ entry: Entry) {
    guard let rival = entry.tag.uuid else { return }
    contests[id] = nil
    log.append(.deleted, id, in: graph, reason: .replaced)
    graph.setIdentity(id, uuid: rival, key: graph.key(id))
    graph.setFlags(id, .tagged, true)
    log.append(.discovered, id, in: graph, reason: departed.contains(rival) ? .returned : nil)
    log.append(.copyFinished, id, in: graph)
  }

  /// `cp -a` tags a directory when it is full: only then does the tag tell that it is a copy.
  private mutating func tellLateCopy(_ id: NodeID, _ entry: Entry) {
    let flags = graph[id].flags
    guard flags.contains(.arrived), !flags.contains(.knownCopy), let tag = entry.tag.uuid,
      let original = graph.node(with: tag), original != id, !hasGone(original)
    else { return }
    graph.setFlags(id, .knownCopy, true)
    log.append(.duplicated, id, in: graph, original: original)
  }

  /// Remembers which tag a file bears that is still being written: its original may be about to go.
  mutating func noteTagInDoubt(_ id: NodeID, _ tag: TagReading) {
    guard copyTags[id] != tag.uuid else { return }
    if let old = copyTags.removeValue(forKey: id) { releaseTag(old) }
    guard let tag = tag.uuid else { return }
    copyTags[id] = tag
    tagsInDoubt[tag, default: 0] += 1
  }

  mutating func releaseTag(_ tag: UUIDBits) {
    guard let count = tagsInDoubt[tag] else { return }
    tagsInDoubt[tag] = count > 1 ? count - 1 : nil
  }

  /// Takes in whether a tag could be written.
  mutating func noteTagWritten(_ id: NodeID, _ key: FileKey, _ written: Bool) {
    guard graph.isLive(id), graph.key(id) == key else { return }
    graph.setFlags(id, .tagged, written)
  }
}
