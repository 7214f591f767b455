import FileIdentity
import LinuxFileSystem

extension Classifier {
  /// Takes in that a listing has found a document at its place, with its tag, in the inode of another one.
  ///
  /// Documents were renamed, and then restored from a backup that was written into the files which had their names. Place
  /// and tag agree, so that the inode says nothing.
  mutating func takeBackRestored(_ entry: Entry, _ look: Look) {
    guard look.cause == .scan, entry.kind == .file, entry.linkCount < 2, let occupant = graph.node(at: look.place),
      entry.tag.uuid == graph[occupant].uuid, graph.key(occupant) != entry.key, let other = graph.node(with: entry.key),
      !graph.hasOtherNames(occupant), !graph.hasOtherNames(other)
    else { return }
    loseInode(other)
    graph.setInode(occupant, entry.key)
    // It may be in a directory that is not listed now.
    if graph.isLive(other), unresolved[other] == nil { requestLook(at: graph.place(other)) }
  }
}
