import FileIdentity
import LinuxFileSystem

// Tags of unfinished files, and what is known of tags that were read or written.

extension Classifier {
  /// Remembers the tag of a file that is being written: its original may be about to be removed.
  mutating func noteUnconfirmedTag(_ id: NodeID, _ tag: TagReading) {
    unconfirmedTags.set(tag.uuid, of: id)
  }

  /// Notes whether a tag was written.
  mutating func noteTagWritten(_ id: NodeID, _ key: FileKey, _ written: Bool) {
    guard graph.isLive(id), graph.key(id) == key else { return }
    if graph[id].flags.contains(.tagged) == written { return }
    graph.setFlags(id, .tagged, written)
    news.changedTags.formUnion(graph.names(of: id, atMost: ListenerNews.nameLimit))
  }

  /// Whether an identity was minted for a file that is still being written.
  func isMintedForNow(_ id: NodeID) -> Bool {
    graph[id].flags.contains(.copying) && !graph[id].flags.contains(.tagged) && !graph.hasOtherNames(id)
  }
}
