import FileIdentity
import LinuxFileSystem

// Entries that end, and what must be forgotten with them.

extension Classifier {
  /// Announces that an entry is gone, with everything below it.
  ///
  /// Whatever is known to have left it moves first.
  ///
  /// - Parameter key: The inode that left by a rename, as far as is known, and that may be in a trash folder.
  mutating func delete(_ id: NodeID, reason: DeletionReason, leaving key: FileKey? = nil, _ now: MonotonicTime) {
    moveOut(of: id, now)
    deleteTree(id, reason: reason, leaving: key, now)
  }

  /// Whatever is known to have left a directory moves, and takes along what is in it.
  mutating func moveOut(of directory: NodeID, _ now: MonotonicTime) {
    guard !held.isEmpty, graph.storage.hasChildren(directory) else { return }
    apply(MovePlan(leaving: directory, in: graph) { displaced[$0]?.whereabouts }, now)
  }

  /// Deletes an entry and everything below it, the deepest first.
  private mutating func deleteTree(_ top: NodeID, reason: DeletionReason, leaving key: FileKey?, _ now: MonotonicTime) {
    var entries = [top]
    graph.storage.forEachDescendant(of: top) { entries.append($0) }
    for id in entries.reversed() { deleteOne(id, reason: reason, leaving: key, below: top, now) }
  }

  private mutating func deleteOne(
    _ id: NodeID, reason: DeletionReason, leaving key: FileKey?, below top: NodeID, _ now: MonotonicTime
  ) {
    if graph[id].kind == .directory { forgetDirectory(id, now) }
    if graph.hasOtherNames(id) {
      unlink(id)
    } else {
      let isCovered = coverage.has(.covered, id) && (reason == .removed || reason == .replaced)
      let rule = isCovered ? .unmounted : id == top ? log.rule ?? reason.rule : DecisionReason.removedWithFolder
      log.append(.deleted, id, in: graph, reason: isCovered ? .unmounted : reason, by: rule)
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
    for id in ids { coverage.set(.covered, of: id) }
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
    coverage.forgetPlaces(in: id)
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
    log.append(.unlinked, id, in: graph, by: .nameRemoved)
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
    coverage.forget(id)
    stopWriting(id)
    announced[id] = nil
    copies.forget(id)
    forgetUntold(id)
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
      // What is in its way may be where something else was that is being looked for.
      if plan(id, to: place) == nil, !isLongMissing(id, now) { return examineLater(id, now) }
      by(displacement.isFound ? .foundElsewhere : .renamedWithoutSave) { $0.commitMove(id, to: place, now) }
      return noteFound(id, elsewhere, now)
    }
    if !mayTurnUp(id, now) { end(id, displacement, now) }
  }

  /// Nothing is where an entry was, and nothing shows that it is elsewhere.
  private mutating func end(_ id: NodeID, _ displacement: Displacement, _ now: MonotonicTime) {
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

  /// Whether an entry has been missing for so long that whatever it waits for will not turn up.
  private func isLongMissing(_ id: NodeID, _ now: MonotonicTime) -> Bool {
    displaced[id].map { now - $0.since >= 3 * timing.settle } ?? false
  }

  /// Something else stands in the entry's place, and the window is over.
  private mutating func replace(_ id: NodeID, _ here: Entry, _ now: MonotonicTime) {
    let place = graph.place(id)
    if arrivals[place] == nil { observe(Sighting(place: place, entry: here, cause: .check), at: now) }
    // What was found in its place waits for it to turn up, and others for that one.
    if held[place] != nil, isLongMissing(id, now) { noteNameTaken(from: id) }
    if case .at(let elsewhere) = displaced[id]?.whereabouts, arrivals[place] == nil {
      if plan(id, to: elsewhere) != nil { return commitMove(id, to: elsewhere, now) }
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
    let (reason, key) = replacement(of: id, otherwise: reason)
    by(reason.rule) { $0.delete(id, reason: reason, leaving: key, now) }
  }

  /// The same for an entry that is in the way of a planned move: what leaves it is in the plan.
  mutating func endInTheWay(_ id: NodeID, _ now: MonotonicTime) {
    let (reason, key) = replacement(of: id, otherwise: .replaced)
    by(reason.rule) { $0.deleteTree(id, reason: reason, leaving: key, now) }
  }

  private func replacement(of id: NodeID, otherwise reason: DeletionReason) -> (DeletionReason, leaving: FileKey?) {
    let displacement = displaced[id]
    if let progress = writing[id], progress.formerLeft != nil, displacement == nil || graph.key(id) == .unseen {
      return (.movedOut, progress.former)
    }
    let hasLeft = displacement?.hasLeft ?? false
    return (hasLeft ? .movedOut : reason, displacement.flatMap { missingInode(of: id, $0) })
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
