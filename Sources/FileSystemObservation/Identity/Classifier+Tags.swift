import FileIdentity
import LinuxFileSystem

// Tags of known entries: the announced identity prevails over the tag.

extension Classifier {
  /// Takes in the tag of an entry at its announced place.
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
      // A tag that could not be read is not overwritten.
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

  /// Whether a UUID may be this file's: no other entry has it for certain.
  private func mayBeOwn(_ tag: UUIDBits) -> Bool {
    graph.node(with: tag).map { graph[$0].flags.contains(.tagUnread) || isMintedForNow($0) } ?? true
  }

  /// Announces a copy by a late tag, as `cp -a` tags a directory after its contents; returns whether it was one.
  private mutating func announceLateCopy(_ id: NodeID, _ entry: Entry) -> Bool {
    let flags = graph[id].flags
    guard flags.contains(.arrived), !flags.contains(.knownCopy), let tag = entry.tag.uuid,
      let original = graph.node(with: tag), original != id, !hasGone(original)
    else { return false }
    announceCopy(id, of: original)
    return true
  }
}
