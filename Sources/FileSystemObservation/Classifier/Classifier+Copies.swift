import FileIdentity
import LinuxFileSystem

// Which of two that bear one tag is the original, where the one that was found first may be the copy.

/// An entry that was found while not everything was seen.
struct Listed: Sendable {
  var until: MonotonicTime
  /// Whether its UUID was minted for it because another had that of its tag.
  ///
  /// An inode with such a past may have been that of a document which was saved since, and has what was minted for it at first.
  var isCopy: Bool
}

extension Classifier {
  /// Whether something is found by a listing that may have been there for long: not what came with a new directory.
  func isFoundLate(_ place: Place, _ cause: Cause, _ now: MonotonicTime) -> Bool {
    guard cause == .scan, isRecovering || isBlind(now) else { return false }
    return !graph[place.parent].flags.contains(.arrived) || listed[place.parent] != nil
  }

  /// Notes that nobody saw an entry come, or whence.
  mutating func noteListed(_ id: NodeID, isCopy: Bool, _ now: MonotonicTime) {
    let until = now + 4 * timing.settle
    listed[id] = Listed(until: until, isCopy: isCopy)
    expiring.append(.listed(id, until))
  }

  mutating func forgetListed(_ id: NodeID, _ now: MonotonicTime) {
    guard let entry = listed.removeValue(forKey: id) else { return }
    if isBlind(now) { noteListed(id, isCopy: entry.isCopy, now) }
  }

  /// Whether a newcomer was born before the one that was found first and bears its tag, so that it is the original, as in the first scan.
  func isOriginal(_ entry: Entry, ofFound bearer: NodeID, wasListed: Bool, _ now: MonotonicTime) -> Bool {
    if wasListed, graph[bearer].flags.contains(.copying), copyTags[bearer] != entry.tag.uuid { return true }
    guard wasListed, writing[bearer] == nil, !graph.hasOtherNames(bearer), entry.kind == graph[bearer].kind else {
      return false
    }
    if graph[bearer].flags.contains(.tagUnread) { return true }
    let wasLoaded = isBlind(now) && !graph[bearer].flags.contains(.arrived) && !blindness.saved.contains(bearer)
    guard wasLoaded || listed[bearer] != nil else { return false }
    let isOlder = (entry.key.born, entry.key.inode) < (graph[bearer].born, graph[bearer].inode)
    return isOlder || listed[bearer]?.isCopy == true
  }

  /// Tells of a newcomer whose copy was found before it.
  mutating func announceOriginal(_ entry: Entry, of copy: NodeID, at place: Place) {
    log.append(.deleted, copy, in: graph, reason: .replaced)
    let key = graph.key(copy)
    graph.setIdentity(copy, uuid: freeIdentity(for: key, on: entry.fileSystem), key: key)
    graph.setFlags(copy, .tagged, false)
    graph.setFlags(copy, .knownCopy, true)
    let original = announce(entry, copyOf: nil, at: place)
    // Its identity was provisional, and it is no copy as far as is known.
    if graph[copy].flags.contains(.copying) { return log.append(.discovered, copy, in: graph) }
    log.append(.duplicated, copy, in: graph, original: original)
    if graph[copy].kind == .file { log.append(.copyFinished, copy, in: graph) }
    requests.append(.writeTag(copy, claiming: false))
  }
}
