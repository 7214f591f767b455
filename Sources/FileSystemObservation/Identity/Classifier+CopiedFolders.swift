import FileIdentity
import LinuxFileSystem

// Folders that are moved by copying: by `mv` between file systems, a file manager, or `cp -a` and `rm -r`.
//
// An item of a removed folder continues in its copy, which takes its identity over, if the copy
// - is the newest: the only unannounced one with the item's tag, or the last one in `CopyRecords`;
// - is outside of the removed folder;
// - is like the item, and neither has changed since the copy was announced.
// A file that was saved in the new folder before it was announced there has no tag: it is known by its name (`savedCopy`).
// Any other item ends, and its copies stay items of their own. If the copy takes the folder's place, the folder was
// saved: then all items of the same names go on (`Classifier+SavedFolders`).

extension Classifier {
  /// Ends a removed folder: items with a copy continue there, the others end.
  ///
  /// - Parameter version: The folder that is about to take its place, if that was made for it.
  /// - Returns: Whether the folder has ended, or left; if not, nothing in it continues.
  mutating func endByCopying(_ folder: NodeID, in version: NodeID? = nil) -> Bool {
    let version = version ?? self.version(ofFolder: folder)
    guard version != nil || isRemoved(folder) && !(copies.isEmpty && unconfirmedTags.isEmpty) else { return false }
    copies.forgetExpired(now)
    // Entries that are known to have left the folder are not removed with it.
    moveOut(of: folder)
    guard graph.isLive(folder), unresolved[folder] != nil else { return true }
    let successors = successors(in: folder, version)
    guard !successors.isEmpty else { return false }
    let items = [folder] + graph.storage.descendants(of: folder)
    for id in items.reversed() where graph.isLive(id) && graph.storage.isEntry(id, inside: folder) {
      if version != nil, successors[id] == nil, awaitsItsVersion(id, successors) { continue }
      handOver(id, to: successors[id])
    }
    return true
  }

  /// Ends a folder that is gone by its copy or next version, before that or another folder takes its place.
  ///
  /// - Parameter mover: The folder that is about to take the place, which may be the copy.
  mutating func goesOn(_ folder: NodeID, inCopyBefore mover: NodeID) -> Bool {
    let isVersion = hasGoneForGood(folder) && isVersion(mover, ofFolder: folder)
    guard isVersion || isRemoved(folder) && copies.hasCopies(graph[folder].uuid),
      !isOwnRemoval(of: folder)
    else { return false }
    markResolved(mover)
    return endByCopying(folder, in: isVersion ? mover : nil) && graph.isLive(mover)
  }

  /// Continues a removed file that was saved in the copy of its folder, if the copy is new or the folder is removed, too.
  ///
  /// - Returns: Whether there is such a file.
  mutating func continueInSavedCopy(_ id: NodeID) -> Bool {
    guard isRemoved(id), !isOwnRemoval(of: id), let folder = latestCopy(ofFolder: graph[id].parent),
      isNew(folder) || isInRemovedFolder(id), case .arrival(let place)? = savedCopy(of: id, in: .entry(folder))
    else { return false }
    takeOver(place, id)
    return true
  }

  /// Whether an item waits for its next version, or its folder does.
  private mutating func awaitsItsVersion(_ id: NodeID, _ successors: [NodeID: Successor]) -> Bool {
    switch successors[graph[id].parent] {
    case .entry(let folder): moveToVersion(id, folder)
    case .arrival: false
    case nil: true
    }
  }

  private mutating func handOver(_ id: NodeID, to successor: Successor?) {
    switch successor {
    case .entry(let copy) where canTakeOver(copy, id): takeOver(copy, id)
    case .arrival(let place) where arrivals[place] != nil: takeOver(place, id)
    default: delete(id, reason: .removed)
    }
  }

  /// Whether a copy can still take over, after other items of the folder were handled.
  private func canTakeOver(_ copy: NodeID, _ id: NodeID) -> Bool {
    graph.isLive(copy) && unresolved[copy] == nil && graph[copy].kind == graph[id].kind
      && !graph.storage.hasChildren(id)
  }

  /// Makes a copy the item: the copy's own identity ends, and the item is found there.
  mutating func takeOver(_ copy: NodeID, _ name: NodeID) {
    // A file is announced under the oldest of its names.
    let id = graph.node(with: graph[name].uuid) ?? name
    let isNewVersion = isNewVersion(copy, of: id)
    let links = unlinkOthers(of: copy)
    unlinkOthers(of: id)
    log.append(.deleted, copy, in: graph, reason: .replaced, by: .copyTookOver)
    log.append(.deleted, id, in: graph, reason: .removed, by: .copyTookOver)
    become(copy, id)
    log.append(.discovered, copy, in: graph, by: .copyTookOver)
    link(copy, again: links)
    if isNewVersion { log.append(.modified, copy, in: graph, by: .savedByReplacement) }
  }

  /// Whether a complete file has another content than the one that goes on in it.
  private func isNewVersion(_ copy: NodeID, of id: NodeID) -> Bool {
    graph[copy].kind == .file && !graph[copy].flags.contains(.copying)
      && graph.content(of: copy) != graph.content(of: id) && !copies.isIntact(copy, of: id, in: graph)
  }

  /// Gives a copy the identity of an item, whose own entry ends.
  mutating func become(_ copy: NodeID, _ id: NodeID) {
    let (uuid, former, kind, content) = (graph[id].uuid, graph[copy].uuid, graph[id].kind, graph.content(of: id))
    endedIdentities.insert(EndedItem(uuid: former, key: graph.key(copy), successor: uuid))
    disputes.remove(former)
    if kind == .directory { forgetDirectory(id) }
    removeEntry(id)
    copies.forget(copy)
    copies.replaceOriginal(former, by: uuid)
    replaceUnconfirmedTags(former, by: uuid)
    recentlyAnnounced[copy] = nil
    coverage.forgetLateFind(copy)
    forgetUnannounced(copy)
    graph.setUUID(ofFile: copy, uuid)
    graph.setFlags(copy, [.tagged, .knownCopy, .minted, .mayBeVersion], false)
    guard graph[copy].flags.contains(.copying) else { return requests.append(.writeTag(copy, claiming: false)) }
    graph.setFlags(copy, .copying, false)
    graph.setContent(copy, modified: content.modified, size: content.size)
    writing[copy]?.isSave = true
    writing[copy]?.mayBeCarried = true
  }

  /// Makes an unannounced copy the item.
  mutating func takeOver(_ place: Place, _ id: NodeID) {
    unlinkOthers(of: id)
    guard let arrival = takeArrival(at: place) else { return }
    // Its content is the item's, so that there is nothing to wait for.
    if let entry = arrival.entry, entry.presumption == .content { return moveOwner(id, to: place, entry) }
    by(.copyTookOver) { $0.commitMove(id, to: place) }
    guard graph.node(at: place) == id else {
      if graph.isLive(place.parent) { put(arrival, at: place) }
      if graph.isLive(id) { delete(id, reason: .removed) }
      return
    }
    continueIdentity(of: id, with: arrival)
    writing[id]?.mayBeCarried = true
  }
}
