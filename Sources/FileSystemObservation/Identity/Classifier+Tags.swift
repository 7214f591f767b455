import FileIdentity
import LinuxFileSystem

// Tags of known entries: the announced identity prevails over the tag.

extension Classifier {
  /// Takes in the tag of an entry at its announced place.
  mutating func noteTag(of id: NodeID, _ entry: Entry) {
    let uuid = graph[id].uuid
    guard entry.kind != .symlink, entry.tag != .unreadable else { return }
    if entry.tag.uuid == uuid {
      graph.setFlags(id, .tagUnread, false)
      return noteTagWritten(id, entry.key, true)
    }
    let wasTagged = graph[id].flags.contains(.tagged)
    graph.setFlags(id, .tagged, false)
    let unfinished = unfinishedName(of: id)
    if writing[unfinished] != nil { return unconfirmedTags.set(entry.tag.uuid, of: unfinished) }
    if graph[id].flags.contains(.tagUnread), let tag = entry.tag.uuid, mayBeOwn(tag) {
      // A tag that could not be read is not overwritten.
      if let owner = graph.node(with: tag) { giveUpProvisional(owner, entry) }
      guard graph.node(with: tag) == nil, let file = graph.node(with: uuid), canAccept(file, tag) else {
        return lookLater(at: id)
      }
      return accept(file, to: tag, entry)
    }
    graph.setFlags(id, .tagUnread, false)
    if returnsLate(id, entry) || mayBeOriginal(id, entry) { return }
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
    guard mayBeTaggedLate(id), let tag = entry.tag.uuid, let original = graph.node(with: tag), original != id,
      !hasGone(original)
    else { return false }
    announceCopy(id, of: original)
    return true
  }

  /// Whether the program that has made an item may still give it its tag: a directory after its contents, a file soon.
  ///
  /// A known copy has had its tag.
  func mayBeTaggedLate(_ id: NodeID) -> Bool {
    graph[id].flags.contains(.arrived) && !graph[id].flags.contains(.knownCopy)
      && (graph[id].kind == .directory || recentlyAnnounced[id] != nil)
  }

  /// Gives a new directory the identity in its late tag, if that has ended: the directory comes back by copying.
  private mutating func returnsLate(_ id: NodeID, _ entry: Entry) -> Bool {
    guard entry.kind == .directory, mayBeTaggedLate(id), let tag = entry.tag.uuid, endedIdentities.contains(tag),
      graph.node(with: tag) == nil, canAccept(id, tag),
      // The tag of a copy that took over its original is not overwritten yet.
      !endedIdentities.contains(tag, on: entry.key), unannounced[id] != nil || hasReturnedItem(in: id)
    else { return false }
    if unannounced[id] == nil { accept(id, to: tag, entry) } else { graph.setUUID(ofFile: id, tag) }
    graph.setFlags(id, .tagged, true)
    // A tag that was written after this one was read is not its own.
    requests.append(.writeTag(id, claiming: false))
    return true
  }

  /// Whether an item in a directory had ended, and is back.
  private func hasReturnedItem(in directory: NodeID) -> Bool {
    graph.storage.children(of: directory).contains { endedIdentities.contains(graph[$0].uuid) }
  }
}
