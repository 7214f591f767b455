import FileIdentity
import LinuxFileSystem

// Entries that a look finds at their announced places.

extension Classifier {
  /// Takes in an entry that is at its announced place, with the same inode.
  mutating func confirm(_ id: NodeID, _ entry: Entry, _ cause: LookReason) {
    coverage.set(.covered, of: id, false)
    if let unresolvedEntry = unresolved[id] {
      markResolved(id)
      if let elsewhere = unresolvedEntry.believedPlace, entry.linkCount > 1, entry.kind != .directory {
        // The inode has both names.
        releaseOldInode(entry.key, entry.kind, isClosed: writing[id]?.isClosed ?? true, at: elsewhere)
      }
      if entry.kind == .directory { requestListing(of: id) }
    }
    let place = graph.place(id)
    dropArrival(at: place)
    displace(from: place, by: id)
    let isFirstSight = graph.key(id) == .unseen
    if isFirstSight { graph.setInode(id, entry.key) }
    if !isLeftUntagged(id, entry, cause) { noteTag(of: id, entry) }
    noteContent(of: id, entry, cause)
    if entry.kind == .directory { listIfNeeded(id, isFirstSight, cause) }
  }

  /// Whether an entry without a tag has not changed: it gets one only when the app asks for its UUID.
  private func isLeftUntagged(_ id: NodeID, _ entry: Entry, _ cause: LookReason) -> Bool {
    !tagsWhatIsFound && cause == .scan && entry.tag == .none && !graph[id].flags.contains(.tagged)
      && graph.content(of: id).modified == entry.modified
  }

  /// Requests the listing of a directory that is at its announced place, if it has not been listed since that is known.
  private mutating func listIfNeeded(_ id: NodeID, _ isFirstSight: Bool, _ cause: LookReason) {
    if isFirstSight { coverage.set(.needsListing, of: id) }
    // The listing that found it may go on with what is in it.
    if cause == .scan, isFirstSight { rescanLater(id) }
    let isUnlisted = cause != .scan && coverage.has(.needsListing, id)
    if isUnlisted || coverage.has(.unlistable, id) { requests.append(.scan(id)) }
  }

  /// Takes in tag and content of an entry that was found elsewhere: the file may have changed on its way.
  mutating func noteFound(_ id: NodeID, _ entry: Entry?) {
    guard let entry, graph.isLive(id), unresolved[id] == nil, graph.key(id) == entry.key else { return }
    noteTag(of: id, entry)
    noteContent(of: id, entry, .check)
  }
}
