import FileIdentity
import LinuxFileSystem

// Which of two that bear one tag is the original, where the one that was found first may be the copy.

/// What is known of the parts of the tree that nobody can see.
struct Blindness: Sendable {
  /// How many directories cannot be listed.
  var unreadableCount = 0
  /// Until when newcomers may be what could not be seen before.
  var until: MonotonicTime?
  /// Documents that have other inodes since, younger than what bears their tags.
  var saved: Set<NodeID> = []
}

extension Classifier {
  /// Whether there are originals that nobody has seen, or are only being found.
  func isBlind(_ now: MonotonicTime) -> Bool {
    blindness.unreadableCount > 0 || blindness.until.map { now < $0 } ?? false
  }

  /// Notes whether a directory can be listed.
  mutating func setUnreadable(_ id: NodeID, _ isUnreadable: Bool, _ now: MonotonicTime) {
    guard graph[id].flags.contains(.unreadable) != isUnreadable else { return }
    graph.setFlags(id, .unreadable, isUnreadable)
    if isUnreadable {
      if !isBlind(now) { blindness.saved = [] }
      blindness.unreadableCount += 1
    } else {
      blindness.unreadableCount -= 1
      blindness.until = now + 4 * timing.settle
    }
  }

  /// Notes that nobody saw an entry come, or whence.
  mutating func noteListed(_ id: NodeID, _ now: MonotonicTime) {
    let until = now + 4 * timing.settle
    listed[id] = until
    expiring.append(.listed(id, until))
  }

  mutating func forgetListed(_ id: NodeID, _ now: MonotonicTime) {
    listed[id] = nil
    if isBlind(now) { noteListed(id, now) }
  }

  /// An entry has another inode, or is no more.
  mutating func forgetOrigin(_ id: NodeID) {
    listed[id] = nil
    blindness.saved.remove(id)
  }

  /// Whether a newcomer was born before the one that was found first and bears its tag, so that it is the original, as in the first scan.
  func isOriginal(_ entry: Entry, ofFound bearer: NodeID, wasListed: Bool, _ now: MonotonicTime) -> Bool {
    guard wasListed, writing[bearer] == nil, !graph.hasOtherNames(bearer), entry.kind == graph[bearer].kind else {
      return false
    }
    let wasLoaded = isBlind(now) && !graph[bearer].flags.contains(.arrived) && !blindness.saved.contains(bearer)
    guard wasLoaded || listed[bearer] != nil else { return false }
    return (entry.key.born, entry.key.inode) < (graph[bearer].born, graph[bearer].inode)
  }

  /// Tells of a newcomer whose copy was found before it.
  mutating func announceOriginal(_ entry: Entry, of copy: NodeID, at place: Place) {
    log.append(.deleted, copy, in: graph, reason: .replaced)
    let key = graph.key(copy)
    graph.setIdentity(copy, uuid: freeIdentity(for: key, on: entry.fileSystem), key: key)
    graph.setFlags(copy, .tagged, false)
    graph.setFlags(copy, .knownCopy, true)
    let original = announce(entry, copyOf: nil, at: place)
    log.append(.duplicated, copy, in: graph, original: original)
    if graph[copy].kind == .file { log.append(.copyFinished, copy, in: graph) }
    requests.append(.writeTag(copy, claiming: false))
  }
}
