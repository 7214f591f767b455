import FileIdentity
import LinuxFileSystem

// Entries that are added to the graph.

extension Classifier {
  /// Adds an entry for a new inode, with the UUID in its tag or a minted one.
  mutating func insert(_ entry: Entry, at place: Place, copyOf original: NodeID?, flags: NodeFlags) -> NodeID {
    let uuid = identity(for: entry, copyOf: original)
    let isTagged = entry.tag.uuid == uuid && !entry.isPresumed
    let tagging: NodeFlags = isTagged ? .tagged : entry.tag == .unreadable ? .tagUnread : .minted
    let content = FileGraph.Content(
      uuid: uuid, key: entry.key, kind: entry.kind, modified: entry.modified, size: entry.size,
      flags: flags.union(tagging))
    return graph.insert(content, named: place.name.span, in: place.parent)
  }

  /// Adds and announces a further name of a known inode.
  @discardableResult
  mutating func link(_ known: NodeID, at place: Place) -> NodeID {
    displace(from: place)
    let node = graph[known]
    let content = FileGraph.Content(
      uuid: node.uuid, key: graph.key(known), kind: node.kind, modified: node.modified, size: node.size)
    let id = graph.insert(content, named: place.name.span, in: place.parent)
    log.append(.linked, id, in: graph, by: .furtherName)
    return id
  }

  /// Gives a file with another identity the names again that `unlinkOthers` removed.
  mutating func link(_ id: NodeID, again places: [Place]) {
    for place in places where isFree(place) { link(id, at: place) }
  }

  /// Announces an entry as a copy, and records that: it may prove to be the original's next version, or its new place.
  ///
  /// A directory that waits is announced later.
  mutating func announceCopy(_ id: NodeID, of original: NodeID, by rule: DecisionReason = .copyOfOriginal) {
    graph.setFlags(id, .knownCopy, true)
    copies.note(id, of: original, in: graph, at: now)
    if unannounced[id] == nil { log.append(.duplicated, id, in: graph, original: original, by: rule) }
  }

  /// Why a new file counts as a copy.
  func reasonOfCopy(_ entry: Entry) -> DecisionReason {
    entry.presumption == .content ? .sameContent : .copyOfOriginal
  }

  /// Notes an announcement: for a moment, the entry may still prove to be a temporary file.
  mutating func noteRecentlyAnnounced(_ id: NodeID) {
    recentlyAnnounced[id] = now + timing.settle
    forgetLater(.announced(id, now + timing.settle))
  }

  /// Requests the tag of an entry, unless it has it.
  mutating func requestTag(_ id: NodeID, _ entry: Entry) {
    guard entry.kind != .symlink, entry.isPresumed || entry.tag.uuid != graph[id].uuid else { return }
    requests.append(
      entry.tag == .none
        ? .writeTagInTime(id, claiming: true) : .writeTag(id, claiming: entry.tag == .unreadable))
  }
}
