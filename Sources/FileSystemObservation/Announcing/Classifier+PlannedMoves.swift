import FileIdentity
import LinuxFileSystem

// Moves that happen together.

extension Classifier {
  /// The moves that happen together if an entry moves; `nil` if it cannot move yet.
  func plan(_ id: NodeID, to place: Place) -> MovePlan? {
    try? MovePlan(id, to: place, in: graph) { unresolved[$0]?.believedLocation }
  }

  /// - Parameter occupant: The entry at the place. It ends if it is not known to be elsewhere. What has blocked the
  ///   move for long ends, too: the occupant, or in a chain of moves the entry at its end.
  func plan(_ id: NodeID, to place: Place, over occupant: NodeID?) throws(MovePlan.Obstacle) -> MovePlan {
    let ending = occupant.flatMap { isElsewhere($0) ? nil : $0 }
    do throws(MovePlan.Obstacle) {
      return try MovePlan(id, to: place, ending: ending, in: graph) { unresolved[$0]?.believedLocation }
    } catch {
      guard ending == nil, error != .unrooted(id), let since = unresolved[id]?.since, now - since >= 4 * timing.settle
      else { throw error }
      let blocker = if case .occupied(let blocker) = error { blocker } else { occupant }
      return try MovePlan(id, to: place, ending: blocker, in: graph) { unresolved[$0]?.believedLocation }
    }
  }

  /// Whether an entry is known to be at a place that cannot be cleared for it yet.
  func isHeldUp(_ id: NodeID) -> Bool {
    guard let place = believedPlace(of: id) else { return false }
    do throws(MovePlan.Obstacle) {
      _ = try plan(id, to: place, over: graph.node(at: place))
      return false
    } catch {
      return error != .unrooted(id)
    }
  }

  /// Makes moves that happen together, and ends the entries that are in their way.
  mutating func apply(_ plan: MovePlan, isFound: Bool = false) {
    let since = plan.moves.map { unresolved[$0.id]?.since ?? now }
    for move in plan.moves { carryNeedsListing(to: move.id) }
    for move in plan.moves { takeOut(move) }
    for id in plan.endings where graph.isLive(id) { endInTheWay(id) }
    for move in plan.moves {
      displace(from: move.place, by: move.id)
      graph.putIn(move.id, at: move.place)
    }
    for (move, since) in zip(plan.moves, since) {
      noteMoved(move.id, from: move.former, since, isFound: isFound)
    }
  }

  mutating func takeOut(_ move: MovePlan.Move) {
    takeArrival(at: move.place)
    markResolved(move.id)
    graph.takeOut(move.id)
  }

  /// Announces that an entry has moved, once the graph has it at its new place.
  private mutating func noteMoved(_ id: NodeID, from old: Place, _ since: MonotonicTime, isFound: Bool) {
    notePlace(of: id)
    noteVersion(id, from: old, at: graph.place(id))
    noteRenamed(id)
    log.appendMove(of: id, in: graph, isFound: isFound)
    if let activity = writing[id] {
      // Its former name may have been a pending one.
      let rested = activity.isClosed ? max(now, activity.lastActivity + timing.quiet) : now + timing.quiet
      settleWritingLater(id, after: activity.check(at: rested) - now)
    }
    if graph[id].kind == .directory { requests.append(.moved(id)) }
    if own?.moved == id || !isFree(old) {
      // A rename by the app is no save; and a place that another has, or that has ended, is not returned to.
      recentDepartures.forget(from: old)
    } else {
      noteDeparture(of: id, from: old, since, isFound: isFound)
    }
  }

  private mutating func noteDeparture(of id: NodeID, from old: Place, _ since: MonotonicTime, isFound: Bool) {
    // A directory that a look has found is not followed from its former place.
    let isFound = isFound && graph[id].kind != .directory
    recentDepartures.note(RecentDeparture(node: id, key: graph.key(id), since: since, isFound: isFound), from: old)
    forgetLater(.recentDeparture(old, now + timing.settle))
  }

  /// Moves the entries that are known to have left a directory, with their contents.
  mutating func moveOut(of directory: NodeID) {
    guard unresolved.hasBelievedPlaces, graph.storage.hasChildren(directory) else { return }
    apply(MovePlan(leaving: directory, in: graph) { unresolved[$0]?.believedLocation })
  }

  /// Exchanges the places of two entries.
  ///
  /// Names of one document, or entries of which one would be inside itself, stay until they have been looked at.
  mutating func exchangePlaces(_ first: NodeID, _ second: NodeID) {
    let plan = try? MovePlan(exchanging: first, with: second, in: graph) { unresolved[$0]?.believedLocation }
    guard let plan, graph[first].uuid != graph[second].uuid else {
      for id in [first, second] { placesToInspect.insert(graph.place(id), []) }
      return
    }
    let versions = [(first, second), (second, first)].filter { isVersion($0, ofFolder: $1) }
    by(.exchangedByHint) { $0.apply(plan) }
    for (version, folder) in versions where graph.isLive(version) && graph.isLive(folder) {
      noteDeparture(of: folder, from: graph.place(version), now, isFound: false)
      recentDepartures.noteVersion(version, at: graph.place(version))
    }
  }
}

// MARK: - What moves before it ends

extension Classifier {
  /// Announces the end of an entry and of everything below it, after the moves of entries known to have left it.
  ///
  /// - Parameter key: The inode that left by a rename, and may be in a trash folder.
  mutating func delete(_ id: NodeID, reason: DeletionReason, leaving key: FileKey? = nil) {
    moveOut(of: id)
    // What has left may have taken the place of a folder around the entry, and ended it.
    guard graph.isLive(id) else { return }
    deleteTree(id, reason: reason, leaving: key)
  }

  /// Ends an entry whose place another has for good.
  ///
  /// It was replaced only if it had not left: by a rename of its own, or by one of its former inode before a save that
  /// proves to be none.
  ///
  /// - Parameter reason: Why it ended, if it had not left.
  mutating func endReplaced(_ id: NodeID, otherwise reason: DeletionReason = .replaced) {
    let (reason, key) = replacement(of: id, otherwise: reason)
    by(reason.rule) { $0.delete(id, reason: reason, leaving: key) }
  }

  /// Ends the identity of an announced file, and makes an arrival of its inode.
  mutating func retract(_ id: NodeID) -> Arrival {
    var arrival = Arrival(unseen: graph.key(id), graph[id].kind, at: now, nextCheck: now + timing.quiet)
    if let activity = writing[id] { arrival.activity = activity } else { arrival.activity.isClosed = true }
    arrival.activity.nextCheck = now + timing.quiet
    arrival.activity.wasMerged = true
    arrival.activity.announceBy = nil
    by(.mergedIntoDocument) { $0.delete(id, reason: .removed) }
    return arrival
  }
}
