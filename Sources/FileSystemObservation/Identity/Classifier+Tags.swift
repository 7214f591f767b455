import FileIdentity
import LinuxFileSystem

// The tags of entries that are known: the graph's own identity wins.

extension Classifier {
  /// Looks at the tag of an entry that stayed where it was.
  mutating func noteTag(of id: NodeID, _ entry: Entry) {
    let uuid = graph[id].uuid
    guard entry.kind != .symlink, entry.tag != .unreadable else { return }
    if entry.tag.uuid == uuid {
      noteTagRead(id)
      return graph.setFlags(id, .tagged, true)
    }
    let wasTagged = graph[id].flags.contains(.tagged)
    graph.setFlags(id, .tagged, false)
    let unfinished = unfinishedName(of: id)
    if writing[unfinished] != nil { return noteUnconfirmedTag(unfinished, entry.tag) }
    if graph[id].flags.contains(.tagUnread), let tag = entry.tag.uuid, mayBeOwn(tag) {
      // Nothing is written over a tag that was not read.
      if let owner = graph.node(with: tag) { giveUpProvisional(owner, entry) }
      guard graph.node(with: tag) == nil, let file = graph.node(with: uuid), canAccept(file, tag) else {
        return lookLater(at: id)
      }
      return accept(file, to: tag, entry)
    }
    noteTagRead(id)
    if mayBeOriginal(id, entry) { return }
    let isCopy = announceLateCopy(id, entry)
    if settleDispute(id, entry) { return }
    let isRepeated = disputes[graph[id].uuid].map { $0.rounds > 1 } ?? false
    requests.append(wasTagged && !isCopy && !isRepeated ? .restoreTag(id) : .writeTag(id, claiming: false))
  }

  /// Whether nothing else is known to have a UUID for certain.
  private func mayBeOwn(_ tag: UUIDBits) -> Bool {
    graph.node(with: tag).map { graph[$0].flags.contains(.tagUnread) || isMintedForNow($0) } ?? true
  }

  /// `cp -a` tags a directory when it is full: only then does the tag tell that it is a copy.
  ///
  /// - Returns: Whether it was told.
  private mutating func announceLateCopy(_ id: NodeID, _ entry: Entry) -> Bool {
    let flags = graph[id].flags
    guard flags.contains(.arrived), !flags.contains(.knownCopy), let tag = entry.tag.uuid,
      let original = graph.node(with: tag), original != id, !hasGone(original)
    else { return false }
    announceCopy(id, of: original)
    return true
  }
}
