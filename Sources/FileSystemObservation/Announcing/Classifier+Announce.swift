import FileIdentity
import LinuxFileSystem

// Announcements of new items.

extension Classifier {
  /// Announces a complete arrival.
  ///
  /// - Parameters:
  ///   - waits: Whether a directory is announced only with its first contents, or after a moment.
  ///   - isRevealed: Whether the item existed before it was observed, so that it has not arrived.
  @discardableResult
  mutating func announce(
    _ entry: Entry, copyOf original: NodeID?, at place: Place, waits: Bool = false, isRevealed: Bool = false
  ) -> NodeID {
    freeTag(of: entry)
    let original = original ?? ownOriginal(of: entry)
    let id = insert(entry, at: place, copyOf: original, flags: [.arrived, .mayBeVersion])
    let isReturned = endedIdentities.contains(graph[id].uuid)
    if waits { holdAnnouncement(of: id) }
    if let original {
      announceCopy(id, of: original, by: reasonOfCopy(entry))
    } else if unannounced[id] == nil {
      let rule: DecisionReason = isReturned ? .returned : isRevealed || isRevealing ? .revealed : .newItem
      log.appendDiscovery(of: id, in: graph, isReturned: isReturned, by: rule)
    }
    if entry.kind == .file, !isRevealed { log.append(.copyFinished, id, in: graph) }
    if entry.kind == .directory { requests.append(.scan(id)) }
    // What was there before is left as it is, unless it bears the tag of another.
    if !tagsWhatIsFound, isRevealed || isRevealing, [nil, graph[id].uuid].contains(entry.tag.uuid) { return id }
    // An entry that may prove to be the original keeps its tag until then.
    if unannounced[id] != nil, let original, unresolved[original] != nil {
      lookLater(at: id)
    } else {
      requestTag(id, entry)
    }
    return id
  }

  /// Gives up a UUID that was minted for a file with an unread tag, if it is the tag of a directory; and the other way
  /// round.
  private mutating func freeTag(of entry: Entry) {
    guard let tag = entry.tag.uuid, let holder = graph.node(with: tag), holder != .root,
      owner(ofTagIn: entry, besides: nil) == nil, graph[holder].flags.contains(.tagUnread),
      !graph.hasOtherNames(holder)
    else { return }
    takeFreeIdentity(holder, entry)
    let isFinished = graph[holder].kind == .file && !graph[holder].flags.contains(.copying)
    if isFinished { log.append(.copyFinished, holder, in: graph, by: .anotherIdentity) }
  }

  /// The original of an entry that an operation of this process has just made as a copy.
  private func ownOriginal(of entry: Entry) -> NodeID? {
    guard let own, !own.originals.isEmpty else { return nil }
    // Without tags, the operation mints the same UUID.
    let uuid = entry.tag.uuid ?? UUIDBits.minted(for: entry.key, on: entry.fileSystem)
    return own.originals[uuid].flatMap { graph.node(with: $0) }
  }

  /// Announces an original that was found after its copy.
  mutating func announceOriginal(_ entry: Entry, of copy: NodeID, at place: Place) {
    log.append(.deleted, copy, in: graph, reason: .replaced, by: .originalFoundLater)
    graph.setUUID(ofFile: copy, freeIdentity(for: graph.key(copy), on: entry.fileSystem))
    graph.setFlags(copy, .tagged, false)
    let count = log.notes.count
    let original = announce(entry, copyOf: nil, at: place)
    noteLateFind(original, isCopy: false)
    let isTagUnread = graph[copy].flags.contains(.tagUnread)
    // Its identity was provisional, and nothing shows that it is a copy; or a directory without a tag was taken for the
    // original because of its path.
    let isCopying = graph[copy].flags.contains(.copying)
    if isCopying || isTagUnread || coverage.lateFinds[copy]?.replacement == .untagged {
      log.append(.discovered, copy, in: graph, by: .originalFoundLater)
    } else {
      announceCopy(copy, of: original)
    }
    if graph.storage.isEntry(original, inside: copy) {
      // A directory is announced before its contents.
      if log.notes.last?.node == copy { log.moveLast(to: count) }
      returnContents(of: copy, to: original)
    }
    if isCopying { return }
    if graph[copy].kind == .file { log.append(.copyFinished, copy, in: graph) }
    if isTagUnread { return requestLook(at: graph.place(copy)) }
    requests.append(.writeTag(copy, claiming: false))
  }

  /// Moves what was in a folder before from its copy, which was taken for it, to the folder itself, which was found in it.
  private mutating func returnContents(of copy: NodeID, to original: NodeID) {
    for child in graph.storage.children(of: copy) {
      guard let former = graph.former(child), former.parent == copy, former.uuid == graph[child].uuid,
        !graph.storage.isEntry(original, inside: child)
      else { continue }
      let place = graph.place(child)
      for id in [child] + graph.storage.descendants(of: child) { restoreInode(of: id) }
      commitMove(child, to: Place(parent: original, name: place.name))
      requestLook(at: place)
    }
  }

  /// Has a directory the inode again that it had before another one went on by its path.
  private mutating func restoreInode(of id: NodeID) {
    guard let key = formerFolders[id], graph.node(with: key) == nil, graph.former(id)?.uuid == graph[id].uuid
    else { return }
    graph.setInode(id, key)
    coverage.set(.needsListing, of: id)
  }
}
