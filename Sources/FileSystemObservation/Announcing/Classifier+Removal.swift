import FileIdentity
import LinuxFileSystem

// Entries that end, and what is forgotten with them.

extension Classifier {
  /// Deletes an entry and everything below it, the deepest first.
  ///
  /// Only an empty folder can be replaced: what was in it was removed before.
  mutating func deleteTree(_ top: NodeID, reason: DeletionReason, leaving key: FileKey?) {
    let reasonBelow = reason == .replaced ? DeletionReason.removed : reason
    for id in graph.storage.descendants(of: top).reversed() {
      deleteOne(id, reason: reasonBelow, leaving: key, below: top)
    }
    deleteOne(top, reason: reason, leaving: key, below: top)
  }

  mutating func deleteOne(_ id: NodeID, reason: DeletionReason, leaving key: FileKey?, below top: NodeID) {
    if graph[id].kind == .directory { forgetDirectory(id) }
    if graph.hasOtherNames(id) {
      unlink(id)
    } else {
      let isCovered = coverage.has(.covered, id) && (reason == .removed || reason == .replaced)
      let rule = isCovered ? .unmounted : id == top ? log.rule ?? reason.rule : DecisionReason.removedWithFolder
      log.append(.deleted, id, in: graph, reason: isCovered ? .unmounted : reason, by: rule)
      if let key, !isCovered {
        log.noteMayBeTrashed(id, TrashQuestion(key: key, name: graph.name(top), since: unresolved[top]?.since ?? now))
      }
      let former = isCovered ? nil : restorable(id, reason)
      let isAway = isCovered || id != top && reason == .movedOut
      log.removedContents[graph[id].uuid] = former?.digest
      endedIdentities.insert(
        EndedItem(
          uuid: graph[id].uuid, key: graph.key(id), absence: isAway ? absence(of: id) : nil, former: former))
      disputes.remove(graph[id].uuid)
      copies.forgetCopies(of: graph[id].uuid)
      removeEntry(id)
    }
  }

  mutating func forgetDirectory(_ id: NodeID) {
    requests.append(.forget(id))
    removals[id] = nil
    for place in arrivals.places(in: id) { dropArrival(at: place) }
    for place in unresolved.places(in: id) { displace(from: place) }
    unresolved.forgetUnobservedPlaces(in: id)
    recentDepartures.forget(in: id)
    unobservedWrites[id] = nil
    forgetUnorderedPlaces(in: id)
    waitingDirectories.removeAll(in: id)
    aheadOfLog.removeAll(in: id)
    coverage.forgetPlaces(in: id)
    rechecks.removeAll(in: id)
  }

  /// With the last of them, what was reported of decided entries counts no longer.
  private mutating func forgetUnorderedPlaces(in directory: NodeID) {
    guard hasUnorderedPlaces else { return }
    unorderedPlaces.removeAll(in: directory)
    if !hasUnorderedPlaces { reportedPlaces.forget { unresolved[$0] == nil } }
  }

  /// Removes an entry from the graph and from every table.
  mutating func removeEntry(_ id: NodeID) {
    markResolved(id)
    coverage.forget(id)
    stopWriting(id)
    recentlyAnnounced[id] = nil
    news.forget(id)
    copies.forget(id)
    forgetUnannounced(id)
    recentDepartures.forget(id)
    reportedPlaces.forget(id)
    graph.remove(id)
  }
}

// MARK: - Further names

extension Classifier {
  /// Removes one of several names, and continues the file's writing under another.
  mutating func unlink(_ id: NodeID) {
    let activity = writing[id]
    if let next = removeName(id) { goOnWriting(next, activity) }
  }

  /// Removes one of several names from the graph.
  ///
  /// If it gave the file its URL, the oldest of the others does from now on.
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

  /// Removes the other names of a file before it gets another identity; returns their places, to be linked again.
  @discardableResult
  mutating func unlinkOthers(of id: NodeID) -> [Place] {
    var places: [Place] = []
    for name in graph.names(of: id) where name != id {
      if unresolved[name] == nil { places.append(graph.place(name)) }
      unlink(name)
    }
    return places
  }
}

// MARK: - Entries in the way of a move

extension Classifier {
  /// Ends an entry in the way of a planned move; the plan contains what leaves it.
  mutating func endInTheWay(_ id: NodeID) {
    let (reason, key) = replacement(of: id, otherwise: .replaced)
    by(reason.rule) { $0.deleteTree(id, reason: reason, leaving: key) }
  }

  func replacement(of id: NodeID, otherwise reason: DeletionReason) -> (DeletionReason, leaving: FileKey?) {
    let unresolvedEntry = unresolved[id]
    if let activity = writing[id], activity.formerLeft != nil, unresolvedEntry == nil || graph.key(id) == .unseen {
      return (.movedOut, activity.former)
    }
    // A poll does not see whether it left before another came to its place.
    return (unresolvedEntry?.hasLeft == true ? .movedOut : reason, graph.key(id))
  }
}
