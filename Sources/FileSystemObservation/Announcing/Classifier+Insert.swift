import FileIdentity
import LinuxFileSystem

// Entries that are added to the graph.

extension Classifier {
  /// Adds an entry for a newcomer, with the UUID it brings or else the one that is minted for it.
  mutating func insert(_ entry: Entry, at place: Place, copyOf original: NodeID?, flags: NodeFlags) -> NodeID {
    let uuid = identity(for: entry, copyOf: original)
    let tagging: NodeFlags = entry.tag.uuid == uuid ? .tagged : entry.tag == .unreadable ? .tagUnread : .minted
    let content = FileGraph.Content(
      uuid: uuid, key: entry.key, kind: entry.kind, modified: entry.modified, size: entry.size,
      flags: flags.union(tagging))
    return graph.insert(content, named: place.name.span, in: place.parent)
  }

  /// Tells of a further name of a known inode.
  ///
  /// What is known of its content is the same for all names: a change since then is told by hints, or found.
  @discardableResult
  mutating func link(_ known: NodeID, at place: Place) -> NodeID {
    // Whatever was taken to be here is not.
    if let holder = unresolved.entry(at: place) { setBelievedLocation(of: holder, .gone) }
    let node = graph[known]
    let (modified, size) = graph.content(of: known)
    let content = FileGraph.Content(
      uuid: node.uuid, key: graph.key(known), kind: node.kind, modified: modified, size: size,
      flags: node.flags.intersection([.tagged, .arrived]))
    let id = graph.insert(content, named: place.name.span, in: place.parent)
    log.append(.linked, id, in: graph, by: .furtherName)
    return id
  }

  /// Tells that an entry is a copy of another, and remembers it: it may be the next version of that, or where it was
  /// moved to.
  ///
  /// A directory that waits to be told is told so later.
  mutating func announceCopy(_ id: NodeID, of original: NodeID) {
    graph.setFlags(id, .knownCopy, true)
    copies.note(id, of: original, in: graph, at: now)
    if unannounced[id] == nil { log.append(.duplicated, id, in: graph, original: original, by: .copyOfOriginal) }
  }

  /// Just announced, an entry may still turn out to be a temporary file.
  mutating func noteRecentlyAnnounced(_ id: NodeID) {
    recentlyAnnounced[id] = now + timing.settle
    forgetLater(.announced(id, now + timing.settle))
  }

  /// Asks for the tag to be written, where it does not stand there already.
  mutating func requestTag(_ id: NodeID, _ entry: Entry) {
    guard entry.kind != .symlink, entry.tag.uuid != graph[id].uuid else { return }
    requests.append(
      entry.tag == .none
        ? .writeTagInTime(id, claiming: true) : .writeTag(id, claiming: entry.tag == .unreadable))
  }
}
