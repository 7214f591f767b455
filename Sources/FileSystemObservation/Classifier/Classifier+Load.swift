import FileIdentity
import LinuxFileSystem

// The first scan: nothing was announced before, so each entry is taken as it is found.

extension Classifier {
  /// Takes in one entry of the first scan; `nil` if it contradicts an earlier one, and must be looked at again.
  mutating func load(
    _ scanned: ScannedEntry, _ name: Span<UInt8>, in parent: NodeID, _ hashes: EntryHashes,
    _ inventory: inout FirstInventory
  ) -> NodeID? {
    let entry = scanned.entry
    guard graph.isNew(name, in: parent, entry.key, hashes) else {
      // A listing may return a name twice if the file is replaced meanwhile.
      guard graph.node(named: name, in: parent) == nil, let known = graph.node(with: entry.key) else { return nil }
      return load(scanned, again: known, name, in: parent, &inventory)
    }
    let restored = restoredTag(of: scanned, name, in: parent)
    let (tag, owner) = restored.map { ($0, nil) } ?? tag(of: scanned, name, in: parent)
    let uuid = tag ?? identity(for: entry, copyOf: owner)
    let isTagged = entry.tag.uuid == uuid
    let id = graph.insertNew(content(of: scanned, uuid, isTagged: isTagged), named: name, in: parent, hashes)
    inventory.order.append(id)
    if let owner { noteCopy(id, of: owner, isOriginal: tag != nil, &inventory) }
    if !isTagged, !scanned.isBeingWritten, entry.tag != .unreadable, entry.tag != .none {
      requests.append(.writeTag(id, claiming: false))
    }
    if scanned.isBeingWritten {
      beginWriting(id, WriteActivity(entry, at: now, nextCheck: now + timing.quiet))
    } else {
      noteYoung(id, entry)
    }
    return id
  }

  /// The tag that a new inode keeps, `nil` for a copy, and the entry that has the same tag.
  private mutating func tag(
    of scanned: ScannedEntry, _ name: Span<UInt8>, in parent: NodeID
  ) -> (UUIDBits?, owner: NodeID?) {
    let entry = scanned.entry
    let tag = scanned.isBeingWritten && !entry.bearsOwnTag ? nil : entry.tag.uuid
    guard let tag, let owner = graph.node(with: tag) else { return (tag, nil) }
    if owner == .root || !isOriginal(scanned, name, in: parent, besides: owner) { return (nil, owner) }
    splitCopy(owner, entry)
    return (tag, owner)
  }

  /// The identity of a file that had none before the scan, if it is one of a former tree that is put back.
  private func restoredTag(of scanned: ScannedEntry, _ name: Span<UInt8>, in parent: NodeID) -> UUIDBits? {
    guard endedIdentities.hasRestorableItems, scanned.isWithoutIdentity, !scanned.isBeingWritten else { return nil }
    var entry = scanned.entry
    entry.tag = .none
    return recognizing(entry, restoredAt: Place(parent: parent, name: FileName(name))).tag.uuid
  }

  /// Notes which of two files with one tag is the original.
  private mutating func noteCopy(_ id: NodeID, of owner: NodeID, isOriginal: Bool, _ inventory: inout FirstInventory) {
    noteLateFind(isOriginal ? owner : id, isCopy: true)
    if !isOriginal {
      inventory.originals[id] = owner
    } else if !graph[owner].flags.contains(.copying) {
      inventory.originals[owner] = id
    }
  }

  /// Takes in another name of a known inode: a hard link, or its new name after a rename.
  private mutating func load(
    _ scanned: ScannedEntry, again known: NodeID, _ name: Span<UInt8>, in parent: NodeID,
    _ inventory: inout FirstInventory
  ) -> NodeID? {
    let entry = scanned.entry
    guard entry.kind != .directory else { return nil }
    takeUnreadTag(known, entry)
    doubtTag(of: known, entry)
    if scanned.wasTagged { noteTagged(known, entry, &inventory) }
    // The file may have been written since it was found under the first name.
    graph.setContent(known, modified: entry.modified, size: entry.size)
    guard entry.linkCount < 2 else { return loadFurtherName(of: known, entry, name, in: parent, &inventory) }
    // With one link only, the file was renamed after it was listed.
    graph.move(known, to: Place(parent: parent, name: FileName(name)))
    notePlace(of: known)
    inventory.renamed.insert(known)
    inventory.order.append(known)
    return known
  }

  /// Takes the tag from this name, if it could not be read under the first.
  private mutating func takeUnreadTag(_ id: NodeID, _ entry: Entry) {
    guard graph[id].flags.contains(.tagUnread), let tag = entry.tag.uuid, graph.node(with: tag) == nil else { return }
    graph.setUUID(ofFile: id, tag)
    graph.setFlags(id, .tagUnread, false)
    graph.setFlags(id, .tagged, true)
  }

  /// Requests another look if the tag differs: a file was replaced between the reads of its number and of its tag.
  private mutating func doubtTag(of id: NodeID, _ entry: Entry) {
    guard let tag = entry.tag.uuid, tag != graph[id].uuid, !graph[id].flags.contains(.copying) else { return }
    graph.setFlags(id, .tagUnread, true)
    requests.append(.lookAt(id))
  }

  /// Marks a file that this scan has just tagged under another name: the tag is no evidence that it is an original.
  private mutating func noteTagged(_ id: NodeID, _ entry: Entry, _ inventory: inout FirstInventory) {
    if !graph[id].flags.contains(.minted) { graph.setFlags(id, .minted, true) }
    let uuid = graph[id].uuid
    let copies = inventory.originals.filter { $0.value == id && !graph[$0.key].flags.contains(.copying) }.keys
    guard entry.tag.uuid == uuid, let original = copies.min() else { return }
    splitCopy(id, entry)
    graph.setUUID(ofFile: original, uuid)
    graph.setFlags(original, .tagged, true)
    inventory.originals[original] = nil
    inventory.originals[id] = original
  }

  private mutating func loadFurtherName(
    of known: NodeID, _ entry: Entry, _ name: Span<UInt8>, in parent: NodeID, _ inventory: inout FirstInventory
  ) -> NodeID {
    let node = graph[known]
    let content = FileGraph.Content(
      uuid: node.uuid, key: entry.key, kind: entry.kind, modified: entry.modified, size: entry.size,
      flags: node.flags.intersection(.mayBeVersion))
    let id = graph.insert(content, named: name, in: parent)
    inventory.order.append(id)
    inventory.furtherNames.insert(id)
    return id
  }

  private func content(of scanned: ScannedEntry, _ uuid: UUIDBits, isTagged: Bool) -> FileGraph.Content {
    let entry = scanned.entry
    var flags: NodeFlags = isTagged ? .tagged : .minted
    if scanned.wasTagged { flags.insert(.minted) }
    if entry.tag == .unreadable { flags.insert(.tagUnread) }
    if scanned.isBeingWritten { flags.formUnion([.copying, .arrived, .mayBeVersion]) }
    return FileGraph.Content(
      uuid: uuid, key: entry.key, kind: entry.kind, modified: entry.modified, size: entry.size, flags: flags)
  }

  /// A file written just before observation began may be the temporary file of a save, like a recently announced one.
  private mutating func noteYoung(_ id: NodeID, _ entry: Entry) {
    guard entry.kind == .file, entry.changed > period.beganOnWallClock - timing.settle,
      graph[id].flags.contains(.minted)
    else { return }
    noteRecentlyAnnounced(id)
  }

  private func isOriginal(
    _ scanned: ScannedEntry, _ name: Span<UInt8>, in parent: NodeID, besides owner: NodeID
  ) -> Bool {
    let (entry, node) = (scanned.entry, graph[owner])
    var newFile = OriginalRule.Claimant(
      key: entry.key, bearsOwnTag: !scanned.wasTagged && entry.bearsOwnTag, isNew: scanned.wasTagged)
    newFile.isLoneCopy = isLoneCopy(entry.kind, entry.key, entry.modified, in: parent, entry.fileSystem)
    var known = OriginalRule.Claimant(key: graph.key(owner))
    known.bearsOwnTag =
      node.flags.contains(.tagged) && !node.flags.contains(.minted)
      && node.uuid.isMinted(for: known.key, on: entry.fileSystem)
    known.isNew = !node.flags.contains(.tagged) || !node.flags.isDisjoint(with: [.minted, .copying])
    known.isLoneCopy = isLoneCopy(
      node.kind, known.key, graph.content(of: owner).modified, in: node.parent, entry.fileSystem)
    if node.parent == parent, node.kind == .file {
      let name = FileName(name)
      newFile.isBackup = patterns.isBackup(name, of: graph.name(owner))
      known.isBackup = patterns.isBackup(graph.name(owner), of: name)
    }
    return OriginalRule.isOriginal(newFile, besides: known)
  }

  /// Whether a file's content is older than its inode, so that it was copied, and its folder was not.
  private func isLoneCopy(
    _ kind: FileKind, _ key: FileKey, _ modified: Int64, in parent: NodeID, _ fileSystem: UInt64
  ) -> Bool {
    kind == .file && key.isBorn(after: modified) && !isCopiedDirectory(parent, on: fileSystem)
  }

  /// Whether the tag of a directory was minted for another inode.
  func isCopiedDirectory(_ id: NodeID, on fileSystem: UInt64) -> Bool {
    !graph[id].uuid.isMinted(for: graph.key(id), on: fileSystem)
  }

  /// Gives the entry that was found first an identity of its own: its tag belongs to a file that was found later.
  private mutating func splitCopy(_ owner: NodeID, _ original: Entry) {
    renew(owner, freeIdentity(for: graph.key(owner), on: original.fileSystem))
  }
}
