import FileIdentity
import LinuxFileSystem

// Entries that a look finds at their announced places.

extension Classifier {
  /// Takes in an entry that is at its announced place, with the same inode.
  mutating func confirm(_ id: NodeID, _ entry: Entry, _ cause: LookReason) {
    coverage.set(.covered, of: id, false)
    if let unresolvedEntry = unresolved[id] {
      markResolved(id)
      if case .at(let elsewhere) = unresolvedEntry.believedLocation, entry.linkCount > 1, entry.kind != .directory {
        // The inode has both names.
        releaseOldInode(entry.key, entry.kind, isClosed: writing[id]?.isClosed ?? true, at: elsewhere)
      }
      if entry.kind == .directory { requests.append(.moved(id, from: graph[id].parent)) }
    }
    let place = graph.place(id)
    dropArrival(at: place)
    // No other entry can be here.
    if let holder = unresolved.entry(at: place), holder != id { setBelievedLocation(of: holder, .gone) }
    if graph.key(id) == .unseen { graph.setInode(id, entry.key) }
    noteTag(of: id, entry)
    noteContent(of: id, entry, cause)
    if entry.kind == .directory, coverage.has(.unlistable, id) { requests.append(.scan(id)) }
  }

  /// Takes in tag and content of an entry that was found elsewhere: the file may have changed on its way.
  mutating func noteFound(_ id: NodeID, _ entry: Entry?) {
    guard let entry, graph.isLive(id), unresolved[id] == nil, graph.key(id) == entry.key else { return }
    noteTag(of: id, entry)
    noteContent(of: id, entry, .check)
  }
}
