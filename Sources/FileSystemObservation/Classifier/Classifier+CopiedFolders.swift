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
enum Successor: Equatable, Sendable {
  /// A copy that is in the graph.
  case entry(NodeID)
  /// A copy that waits to be told.
  case arrival(Place)
}

// MARK: - Waiting for a folder

extension Classifier {
  /// Whether an entry that is missing waits until it is known whether its whole folder goes.
  mutating func awaitsFolder(_ id: NodeID, _ now: MonotonicTime) -> Bool {
    guard isRemoved(id), mayGoOn(id), let due = folderDue(of: id, now), due > now else { return false }
    displaced[id]?.due = due
    timers.schedule(.displaced(id), at: due)
    return true
  }

  /// When it is decided about the folder of an entry; nothing where it does not go.
  private mutating func folderDue(of id: NodeID, _ now: MonotonicTime) -> MonotonicTime? {
    // Where both are due, the folder is decided first.
    if let folder = removedFolder(of: id) { return displaced[folder].map { max($0.due, now + timing.hintDelay) + 1 } }
    var folder = graph[id].parent
    guard var latest = removals[folder], isCopied(folder, with: id) else { return nil }
    while folder != .root, copies.hasCopies(graph[folder].uuid) {
      folder = graph[folder].parent
      latest = max(latest, removals[folder] ?? latest)
    }
    return latest + timing.patience
  }

  /// Notes that something is being removed from a folder that has a copy.
  mutating func noteRemoval(of id: NodeID, _ now: MonotonicTime) {
    guard !copies.isEmpty, isRemoved(id), copies.hasCopies(graph[id].uuid) else { return }
    var folder = graph[id].parent
    repeat {
      removals.set(now, for: folder) { [timing] in now - $0 < timing.patience }
      folder = graph[folder].parent
    } while folder != .root && copies.hasCopies(graph[folder].uuid)
  }

  /// Whether a folder has a copy: by its own tag, or as one that was made while observing and holds the copy of what is
  /// in it.
  private func isCopied(_ folder: NodeID, with id: NodeID) -> Bool {
    if copies.hasCopies(graph[folder].uuid) { return true }
    guard let copy = copies.newestCopy(of: graph[id].uuid) else { return false }
    let place = graph[copy].parent
    return place != folder && place != .root && graph[place].flags.contains(.arrived)
  }

  /// Whether an item may go on in a copy; a symbolic link, which has no tag, does if its folder does.
  private func mayGoOn(_ id: NodeID) -> Bool {
    let tagged = graph[id].kind == .symlink ? graph[id].parent : id
    return copies.hasCopies(graph[tagged].uuid) || tagsInDoubt.hasMembers(graph[tagged].uuid)
  }

  /// Whether an entry is missing, and neither left by a rename nor is out of sight.
  private func isRemoved(_ id: NodeID) -> Bool {
    guard let displacement = displaced[id], !coverage.has(.covered, id) else { return false }
    return switch displacement.whereabouts {
    case .gone: true
    case .unknown: !displacement.leftByRename
    case .at, .outside: false
    }
  }

  /// The nearest of the folders that an entry is in that is missing, where it was removed.
  private func removedFolder(of id: NodeID) -> NodeID? {
    var folder = graph[id].parent
    while folder != .root {
      if displaced[folder] != nil { return isRemoved(folder) ? folder : nil }
      folder = graph[folder].parent
    }
    return nil
  }

  /// Whether it will be decided about an item with a folder that it is in.
  func isInRemovedFolder(_ id: NodeID) -> Bool { !displaced.isEmpty && removedFolder(of: id) != nil }
}

// MARK: - The original of a copy

extension Classifier {
  /// Whether an entry bears the tag of one that is missing, and may turn out to be that: until then its tag stays.
  mutating func mayBeOriginal(_ id: NodeID, _ entry: Entry, _ now: MonotonicTime) -> Bool {
    guard let tag = entry.tag.uuid, let original = graph.node(with: tag), original != id,
      isRemoved(original) || isInRemovedFolder(original), graph[original].kind == graph[id].kind
    else { return false }
    // It is looked at again: by then, it may be decided.
    lookLater(at: id, now)
    if copies.isCopy(id, of: tag) { return true }
    // Another observer may have seen more of a file: this one saw a new file with a tag of its own.
    let isSame = graph[id].kind == .directory || graph.content(of: id) == graph.content(of: original)
    guard graph[id].flags.contains(.arrived), !graph[id].flags.contains(.knownCopy), isSame else { return false }
    copies.note(id, of: original, in: graph, at: now)
    return true
  }

  /// Remembers the copies that the first scan has found.
  mutating func noteCopies(_ originals: [NodeID: NodeID], _ now: MonotonicTime) {
    for (copy, original) in originals.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      copies.note(copy, of: original, in: graph, at: now)
    }
  }
}

// MARK: - What takes over

extension Classifier {
  /// What takes over the identities of a folder that is removed, and of what is in it.
  private func successors(in top: NodeID) -> [NodeID: Successor] {
    var successors: [NodeID: Successor] = [:]
    successors[top] = successor(of: top, in: top)
    // Parents come first: whether a symbolic link goes on is seen by its folder.
    graph.storage.forEachDescendant(of: top) { id in
      successors[id] = graph[id].kind == .symlink ? successor(ofLink: id, successors) : successor(of: id, in: top)
    }
    return successors
  }

  private func successor(of id: NodeID, in top: NodeID) -> Successor? {
    let uuid = graph[id].uuid
    guard copies.hasCopies(uuid) || tagsInDoubt.hasMembers(uuid), untold[id] == nil,
      displaced[id] == nil || isRemoved(id), writing[unfinishedName(of: id)] == nil
    else { return nil }
    // A further name that stays has the identity.
    if graph.hasOtherNames(id), !graph.names(of: id).allSatisfy({ graph.storage.isEntry($0, inside: top) }) {
      return nil
    }
    // Of several that are on their way none is the newest.
    let waiting = tagsInDoubt.members(of: uuid)
    if let holder = waiting.first { return waiting.count == 1 ? successor(of: id, holder, in: top) : nil }
    guard let copy = copies.newestCopy(of: uuid), canSucceed(copy, id, in: top),
      writing[unfinishedName(of: copy)] == nil, copies.isIntact(copy, of: id, in: graph)
    else { return nil }
    return .entry(copy)
  }

  /// A copy that is not told, or not complete.
  private func successor(of id: NodeID, _ holder: TagHolder, in top: NodeID) -> Successor? {
    switch holder {
    case .entry(let copy):
      return graph[copy].flags.contains(.copying) && canSucceed(copy, id, in: top) ? .entry(copy) : nil
    case .arrival(let place):
      guard let arrival = arrivals[place], arrival.kind == graph[id].kind, !arrival.progress.isOld,
        graph.node(with: arrival.key) == nil, graph.node(at: place) == nil, graph.isLive(place.parent),
        !graph.storage.isEntry(place.parent, inside: top)
      else { return nil }
      return .arrival(place)
    }
  }

  private func canSucceed(_ copy: NodeID, _ id: NodeID, in top: NodeID) -> Bool {
    graph.isLive(copy) && displaced[copy] == nil && graph[copy].kind == graph[id].kind
      && !graph.storage.isEntry(copy, inside: top) && !graph.storage.isEntry(id, inside: copy)
  }

  /// Symbolic links have no tags: one goes on in a link of its name and length where its folder goes on.
  private func successor(ofLink id: NodeID, _ successors: [NodeID: Successor]) -> Successor? {
    guard case .entry(let folder) = successors[graph[id].parent], displaced[id] == nil || isRemoved(id),
      let copy = graph.node(at: Place(parent: folder, name: graph.name(id))), graph[copy].kind == .symlink,
      displaced[copy] == nil, graph[copy].size == graph[id].size
    else { return nil }
    return .entry(copy)
  }
}

// MARK: - Taking over

extension Classifier {
  /// A folder has been removed: what has a copy goes on there, and the rest ends.
  ///
  /// - Returns: Whether the folder has ended, or gone elsewhere; else nothing in it goes on.
  mutating func endByCopying(_ folder: NodeID, _ now: MonotonicTime) -> Bool {
    guard !copies.isEmpty || !tagsInDoubt.isEmpty, isRemoved(folder) else { return false }
    copies.forgetExpired(now)
    // What is known to have left it is not removed with it.
    moveOut(of: folder, now)
    guard graph.isLive(folder), displaced[folder] != nil else { return true }
    let successors = successors(in: folder)
    guard !successors.isEmpty else { return false }
    var items = [folder]
    graph.storage.forEachDescendant(of: folder) { items.append($0) }
    for id in items.reversed() where graph.isLive(id) && graph.storage.isEntry(id, inside: folder) {
      handOver(id, to: successors[id], now)
    }
    return true
  }

  private mutating func handOver(_ id: NodeID, to successor: Successor?, _ now: MonotonicTime) {
    switch successor {
    case .entry(let copy) where canTakeOver(copy, id): takeOver(copy, id, now)
    case .arrival(let place) where arrivals[place] != nil: takeOver(place, id, now)
    default: delete(id, reason: .removed, now)
    }
  }

  /// Whether what was done for others in the folder has left a copy and its original as they were.
  private func canTakeOver(_ copy: NodeID, _ id: NodeID) -> Bool {
    graph.isLive(copy) && displaced[copy] == nil && graph[copy].kind == graph[id].kind && !graph.storage.hasChildren(id)
  }

  /// A copy becomes the item: its own identity ends, and the item is found there.
  private mutating func takeOver(_ copy: NodeID, _ name: NodeID, _ now: MonotonicTime) {
    // The oldest of several names is the one that it is told by.
    let id = graph.node(with: graph[name].uuid) ?? name
    let links = unlinkOthers(of: copy)
    for name in graph.names(of: id) where name != id { unlink(name) }
    log.append(.deleted, copy, in: graph, reason: .replaced, by: .copyTookOver)
    log.append(.deleted, id, in: graph, reason: .removed, by: .copyTookOver)
    become(copy, id, now)
    log.append(.discovered, copy, in: graph, by: .copyTookOver)
    for place in links where isFree(place) { link(copy, at: place) }
  }

  /// A copy has the identity of an item from now on, whose own entry ends.
  private mutating func become(_ copy: NodeID, _ id: NodeID, _ now: MonotonicTime) {
    let (uuid, former, kind, content) = (graph[id].uuid, graph[copy].uuid, graph[id].kind, graph.content(of: id))
    departed.insert(former, graph.key(copy))
    contests.remove(former)
    if kind == .directory { forgetDirectory(id, now) }
    removeEntry(id)
    copies.forget(copy)
    copies.replaceOriginal(former, by: uuid)
    announced[copy] = nil
    coverage.forgetLateFind(copy)
    forgetUntold(copy)
    graph.setIdentity(copy, uuid: uuid, key: graph.key(copy))
    graph.setFlags(copy, [.tagged, .knownCopy, .minted, .mayBeVersion], false)
    guard graph[copy].flags.contains(.copying) else { return requests.append(.writeTag(copy, claiming: false)) }
    graph.setFlags(copy, .copying, false)
    graph.setContent(copy, modified: content.modified, size: content.size)
    writing[copy]?.isSave = true
    writing[copy]?.mayBeCarried = true
  }

  /// A copy that was never told becomes the item.
  private mutating func takeOver(_ place: Place, _ id: NodeID, _ now: MonotonicTime) {
    for name in graph.names(of: id) where name != id { unlink(name) }
    guard let arrival = takeArrival(at: place) else { return }
    by(.copyTookOver) { $0.commitMove(id, to: place, now) }
    guard graph.isLive(id), graph.place(id) == place else {
      if graph.isLive(place.parent) { put(arrival, at: place) }
      if graph.isLive(id) { delete(id, reason: .removed, now) }
      return
    }
    adopt(arrival, as: id, now)
    writing[id]?.mayBeCarried = true
  }
}
