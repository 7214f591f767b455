import FileIdentity
import LinuxFileSystem

// Entries that end, and what must be forgotten with them.

extension Classifier {
  /// Tells that an entry is gone, with everything below it: the deepest first.
  ///
  /// - Parameter key: The inode that left by a rename, as far as is known, and that may be in a trash folder.
  mutating func delete(_ id: NodeID, reason: DeletionReason, leaving key: FileKey? = nil, _ now: MonotonicTime) {
    moveOut(below: id, now)
    // What is known to be elsewhere may change places with something that comes to be below only then.
    while graph.storage.hasChildren(id) {
      var below: [NodeID] = []
      graph.storage.forEachDescendant(of: id) { below.append($0) }
      for entry in below.reversed() where graph.isLive(entry) && graph.storage.isEntry(entry, inside: id) {
        if graph.storage.hasChildren(entry) { continue }
        deleteOne(entry, reason: reason, leaving: key, below: id, now)
      }
    }
    // Another may have come to its place on the way, and it may have gone for that.
    if graph.isLive(id) { deleteOne(id, reason: reason, leaving: key, below: id, now) }
  }

  /// What is known to have left a directory goes before that ends, and takes along what is in it.
  mutating func moveOut(below top: NodeID, _ now: MonotonicTime) {
    guard !held.isEmpty, graph.storage.hasChildren(top) else { return }
    let storage = graph.storage
    var below: [NodeID] = []
    storage.forEachDescendant(of: top) { if case .at = displaced[$0]?.whereabouts { below.append($0) } }
    let order = below.map { (level: storage.level(of: $0), id: $0) }
      .sorted { ($0.level, $0.id.rawValue) < ($1.level, $1.id.rawValue) }
    for (_, id) in order where graph.isLive(id) && graph.storage.isEntry(id, inside: top) {
      guard let elsewhere = placeOutside(top, of: id) else { continue }
      clearWay(to: elsewhere, for: id, below: top, now)
      if graph.isLive(id) { commitMove(id, to: elsewhere, now) }
    }
  }

  /// What is missing in a directory that ends, and in whose place something else was found, ends before what waits for
  /// that place: else that would end, too, with all that is in it.
  private mutating func clearWay(to place: Place, for id: NodeID, below top: NodeID, _ now: MonotonicTime) {
    guard case .blocked(let obstacle) = way(to: place, for: id), displaced[obstacle] != nil, obstacle != top,
      graph.storage.isEntry(obstacle, inside: top), !graph.storage.isEntry(id, inside: obstacle)
    else { return }
    endReplaced(obstacle, now)
  }

  /// Where an entry is known to be, if that is not in a directory.
  private func placeOutside(_ top: NodeID, of id: NodeID) -> Place? {
    guard case .at(let elsewhere) = displaced[id]?.whereabouts, graph.isLive(elsewhere.parent),
      !graph.storage.isEntry(elsewhere.parent, inside: top)
    else { return nil }
    return elsewhere
  }

  private mutating func deleteOne(
    _ id: NodeID, reason: DeletionReason, leaving key: FileKey?, below top: NodeID, _ now: MonotonicTime
  ) {
    if id != top, let elsewhere = placeOutside(top, of: id) {
      commitMove(id, to: elsewhere, now)
      // Something that cannot be told to leave yet may be in its way: what is inside cannot wait for that.
      guard graph.isLive(id), graph.storage.isEntry(id, inside: top), !graph.storage.hasChildren(id) else {
        // What was in it has ended, and may be in it all the same.
        return requests.append(.scanAnew(id))
      }
    }
    if graph[id].kind == .directory { forgetDirectory(id, now) }
    if graph.hasOtherNames(id) {
      unlink(id)
    } else {
      let isCovered = covered.contains(id) && (reason == .removed || reason == .replaced)
      log.append(.deleted, id, in: graph, reason: isCovered ? .unmounted : reason)
      if let key, !isCovered {
        log.noteMayBeTrashed(id, TrashQuestion(key: key, name: graph.name(top), since: displaced[top]?.since ?? now))
      }
      departed.insert(graph[id].uuid, graph.key(id))
      contests.remove(graph[id].uuid)
      copies.forgetCopies(of: graph[id].uuid)
      removeEntry(id)
    }
  }

  /// At a directory something was mounted or unmounted: what is not seen there any more, and below it, is gone for that
  /// reason.
  mutating func noteCovered(_ id: NodeID) {
    var ids = [id]
    graph.storage.forEachDescendant(of: id) { ids.append($0) }
    covered.formUnion(ids)
  }

  mutating func forgetDirectory(_ id: NodeID, _ now: MonotonicTime) {
    requests.append(.forget(id))
    removals[id] = nil
    for place in arrivals.places(in: id) { dropArrival(at: place, now) }
    for place in held.places(in: id) {
      if let holder = held[place] { setWhereabouts(of: holder, .gone) }
    }
    recentDepartures.forget(in: id)
    hiddenWrites[id] = nil
    hintCounts[id] = nil
    doubtful.removeAll(in: id)
    deferred.removeAll(in: id)
    unexplained.removeAll(in: id)
    unprobed.removeAll(in: id)
    secondLooks.removeAll(in: id)
  }

  /// One of several names goes.
  mutating func unlink(_ id: NodeID) {
    let progress = writing[id]
    if let next = removeName(id) { goOnWriting(next, progress) }
  }

  /// Takes one of several names out of the graph.
  ///
  /// If it was the one that gave the file its URL, the oldest of the others does from now on.
  ///
  /// - Returns: The name that gives the file its URL.
  @discardableResult
  mutating func removeName(_ id: NodeID) -> NodeID? {
    let wasOldest = graph.node(with: graph[id].uuid) == id
    let uuid = graph[id].uuid
    log.append(.unlinked, id, in: graph)
    let isCopying = graph[id].flags.contains(.copying)
    removeEntry(id)
    guard let next = graph.node(with: uuid) else { return nil }
    if isCopying { graph.setFlags(next, .copying, true) }
    if wasOldest { log.appendSuccession(of: next, after: id, in: graph) }
    return next
  }

  /// What was written through one name is told of the others, though nothing was heard of them.
  private mutating func goOnWriting(_ id: NodeID, _ progress: Progress?) {
    if let progress, writing[id] == nil {
      beginWriting(id, progress)
    }
    if displaced[id] == nil { requests.append(.look(graph.place(id), .check)) }
  }

  /// Takes an entry out of the graph and out of every book.
  mutating func removeEntry(_ id: NodeID) {
    endDisplacement(id)
    covered.remove(id)
    stopWriting(id)
    announced[id] = nil
    copies.forget(id)
    forgetUntold(id)
    listed[id] = nil
    blindness.saved.remove(id)
    if graph[id].flags.contains(.unreadable) { blindness.unreadableCount -= 1 }
    releaseTag(of: id)
    recentDepartures.forget(id)
    graph.remove(id)
  }
}

// MARK: - Entries whose name is missing

extension Classifier {
  /// Whether an entry that is gone was removed within the window after it was renamed away from a place: the mark of a
  /// save by renaming to any name, writing anew, and removing.
  func isLeftForASave(by id: NodeID, _ place: Place) -> Bool {
    guard let departure = recentDepartures[from: place], graph.isLive(id) else { return false }
    return departure.node == id && departure.key == graph.key(id) && displaced[id] != nil
  }
}

extension Classifier {
  /// Decides about a displaced entry, with what was just found at its place and where its inode was put.
  mutating func resolve(_ id: NodeID, here: Entry?, elsewhere: Entry?, at now: MonotonicTime) {
    guard graph.isLive(id), let displacement = displaced[id] else { return }
    let place = graph.place(id)
    lookAgain(at: place, after: now)
    if graph.key(id) == .unseen, displacement.whereabouts == .unknown, let here, here.kind == graph[id].kind,
      graph.node(with: here.key) == nil
    {
      // It was missing when it was looked at for the first time.
      takeArrival(at: place)
      endDisplacement(id)
      return observe(Sighting(place: place, entry: here, cause: .check), at: now)
    }
    if let here, here.key == graph.key(id) { return confirm(id, here, .check, now) }
    if case .at = displacement.whereabouts, elsewhere?.key != graph.key(id) { setWhereabouts(of: id, .gone) }
    if let here {
      // A newcomer stands in its place: when that is complete, it tells what it is.
      return replace(id, here, now)
    }
    dropArrival(at: place, now)
    if case .at(let place) = displaced[id]?.whereabouts {
      if isLongMissing(id, now), untangle(id, now) { return noteFound(id, elsewhere, now) }
      // What stood there may be where something else stood that is being looked for.
      if !canMakeRoom(at: place, for: id), !isLongMissing(id, now) { return examineLater(id, now) }
      commitMove(id, to: place, now)
      return noteFound(id, elsewhere, now)
    }
    if mayTurnUp(id, now) { return }
    // Written anew under the name it had before, perhaps; but what was renamed to where nobody looks still is
    // somewhere.
    let isOutside = displacement.whereabouts == .outside || hasLeft(id)
    setWhereabouts(of: id, isOutside ? .outside : .gone)
    adoptNewcomer(as: id, now)
    guard graph.isLive(id), displaced[id] != nil else { return }
    let isRemovedByApp = own?.leaving.contains(graph[id].uuid) == true
    if !displacement.hasLeft, !isRemovedByApp, graph[id].kind == .directory, endByCopying(id, now) { return }
    delete(id, reason: displacement.hasLeft ? .movedOut : .removed, leaving: missingInode(of: id, displacement), now)
  }

  /// Something else stands in the entry's place, and the window is over.
  private mutating func replace(_ id: NodeID, _ here: Entry, _ now: MonotonicTime) {
    let place = graph.place(id)
    if arrivals[place] == nil { observe(Sighting(place: place, entry: here, cause: .check), at: now) }
    // What was found in its place waits for it to turn up, and others for that one.
    if held[place] != nil, isLongMissing(id, now) { noteNameTaken(from: id) }
    if case .at(let elsewhere) = displaced[id]?.whereabouts, arrivals[place] == nil {
      if isLongMissing(id, now), untangle(id, now) { return }
      if canMakeRoom(at: elsewhere, for: id) { return commitMove(id, to: elsewhere, now) }
    }
    guard graph.isLive(id), displaced[id] != nil, let arrival = arrivals[place] else { return }
    if !canAdopt(arrival, as: id) || isPlainRename(id) { return vacate(id, now) }
    adopt(arrival, as: id, now)
  }

  /// Something else has an entry's place for good.
  ///
  /// The entry was replaced only if it had not left before: by a rename of its own, or by that of the inode that it had
  /// before something took its place that turns out not to be its next version.
  ///
  /// - Parameter reason: Why it ended, if it had not left.
  mutating func endReplaced(_ id: NodeID, otherwise reason: DeletionReason = .replaced, _ now: MonotonicTime) {
    let displacement = displaced[id]
    var (hasLeft, key) = (displacement?.hasLeft ?? false, displacement.flatMap { missingInode(of: id, $0) })
    if let progress = writing[id], progress.formerLeft != nil, displacement == nil || graph.key(id) == .unseen {
      (hasLeft, key) = (true, progress.former)
    }
    delete(id, reason: hasLeft ? .movedOut : reason, leaving: key, now)
  }

  /// The inode of an entry, if that may be in a trash folder.
  private func missingInode(of id: NodeID, _ displacement: Displacement) -> FileKey? {
    displacement.leftByRename || displacement.whereabouts == .unknown ? graph.key(id) : nil
  }

  /// Whether an entry that is gone may live on under a further name, or in a file that is not complete and bears its
  /// tag.
  private mutating func mayTurnUp(_ id: NodeID, _ now: MonotonicTime) -> Bool {
    let hasOldName = oldNameCounts[graph.key(id)] != nil
    guard hasOldName || tagsInDoubt.hasMembers(graph[id].uuid), let since = displaced[id]?.since else { return false }
    // Where nobody can tell whether a file is still written, it counts as finished when it has rested for as long as
    // patience lasts.
    guard now - since < (hasOldName ? 1 : 2) * timing.patience else { return false }
    postpone(id, now)
    return true
  }
}
