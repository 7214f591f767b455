import FileIdentity
import LinuxFileSystem

// Folders that are moved by copying: by `mv` between file systems, a file manager, or `cp -a` and `rm -r`.
//
// The rule. An item whose whole folder is removed goes on in its copy, which takes its identity over, if
// - it is the newest copy of it: one that waits to be told and bears its tag, or the last that was told and is
//   remembered (`CopyRecords`);
// - it stands outside of what is removed;
// - it is like the item, and neither of the two has been changed since the copy was told.
// Whatever else is removed ends, and its copies are items of their own.

/// What takes over the identity of an item that is removed with its folder.

extension Classifier {
  /// A folder has been removed: what has a copy goes on there, and the rest ends.
  ///
  /// - Returns: Whether the folder has ended, or gone elsewhere; else nothing in it goes on.
  mutating func endByCopying(_ folder: NodeID) -> Bool {
    guard !copies.isEmpty || !unconfirmedTags.isEmpty, isRemoved(folder) else { return false }
    copies.forgetExpired(now)
    // What is known to have left it is not removed with it.
    moveOut(of: folder)
    guard graph.isLive(folder), unresolved[folder] != nil else { return true }
    let successors = successors(in: folder)
    guard !successors.isEmpty else { return false }
    var items = [folder]
    graph.storage.forEachDescendant(of: folder) { items.append($0) }
    for id in items.reversed() where graph.isLive(id) && graph.storage.isEntry(id, inside: folder) {
      handOver(id, to: successors[id])
    }
    return true
  }

  private mutating func handOver(_ id: NodeID, to successor: Successor?) {
    switch successor {
    case .entry(let copy) where canTakeOver(copy, id): takeOver(copy, id)
    case .arrival(let place) where arrivals[place] != nil: takeOver(place, id)
    default: delete(id, reason: .removed)
    }
  }

  /// Whether what was done for others in the folder has left a copy and its original as they were.
  private func canTakeOver(_ copy: NodeID, _ id: NodeID) -> Bool {
    graph.isLive(copy) && unresolved[copy] == nil && graph[copy].kind == graph[id].kind
      && !graph.storage.hasChildren(id)
  }

  /// A copy becomes the item: its own identity ends, and the item is found there.
  mutating func takeOver(_ copy: NodeID, _ name: NodeID) {
    // The oldest of several names is the one that it is told by.
    let id = graph.node(with: graph[name].uuid) ?? name
    let links = unlinkOthers(of: copy)
    unlinkOthers(of: id)
    log.append(.deleted, copy, in: graph, reason: .replaced, by: .copyTookOver)
    log.append(.deleted, id, in: graph, reason: .removed, by: .copyTookOver)
    become(copy, id)
    log.append(.discovered, copy, in: graph, by: .copyTookOver)
    for place in links where isFree(place) { link(copy, at: place) }
  }

  /// A copy has the identity of an item from now on, whose own entry ends.
  mutating func become(_ copy: NodeID, _ id: NodeID) {
    let (uuid, former, kind, content) = (graph[id].uuid, graph[copy].uuid, graph[id].kind, graph.content(of: id))
    endedIdentities.insert(former, graph.key(copy))
    disputes.remove(former)
    if kind == .directory { forgetDirectory(id) }
    removeEntry(id)
    copies.forget(copy)
    copies.replaceOriginal(former, by: uuid)
    recentlyAnnounced[copy] = nil
    coverage.forgetLateFind(copy)
    forgetUnannounced(copy)
    graph.setIdentity(copy, uuid: uuid, key: graph.key(copy))
    graph.setFlags(copy, [.tagged, .knownCopy, .minted, .mayBeVersion], false)
    guard graph[copy].flags.contains(.copying) else { return requests.append(.writeTag(copy, claiming: false)) }
    graph.setFlags(copy, .copying, false)
    graph.setContent(copy, modified: content.modified, size: content.size)
    writing[copy]?.isSave = true
    writing[copy]?.mayBeCarried = true
  }

  /// A copy that was never told becomes the item.
  mutating func takeOver(_ place: Place, _ id: NodeID) {
    unlinkOthers(of: id)
    guard let arrival = takeArrival(at: place) else { return }
    by(.copyTookOver) { $0.commitMove(id, to: place) }
    guard graph.isLive(id), graph.place(id) == place else {
      if graph.isLive(place.parent) { put(arrival, at: place) }
      if graph.isLive(id) { delete(id, reason: .removed) }
      return
    }
    adopt(arrival, as: id)
    writing[id]?.mayBeCarried = true
  }
}
