import FileIdentity
import LinuxFileSystem

// Tags that have been read or written, and those of files that are not complete: their originals may be about to go.

extension Classifier {
  /// Remembers which tag a file bears that is still being written: its original may be about to go.
  mutating func noteUnconfirmedTag(_ id: NodeID, _ tag: TagReading) {
    unconfirmedTags.set(tag.uuid, of: id)
  }

  /// The tag of a file has been read, under one of its names.
  mutating func noteTagRead(_ id: NodeID) {
    for name in graph.names(of: id, with: .tagUnread) { graph.setFlags(name, .tagUnread, false) }
  }

  /// Takes in whether a tag could be written.
  mutating func noteTagWritten(_ id: NodeID, _ key: FileKey, _ written: Bool) {
    guard graph.isLive(id), graph.key(id) == key else { return }
    graph.setFlags(id, .tagged, written)
  }

  /// Whether an identity was minted for a file that is still being written.
  func isMintedForNow(_ id: NodeID) -> Bool {
    graph[id].flags.contains(.copying) && !graph[id].flags.contains(.tagged) && !graph.hasOtherNames(id)
  }
}
