import FileIdentity
import LinuxFileSystem

// Moves that happen together.

extension Classifier {
  /// The moves that happen together if an entry moves; `nil` if it cannot move yet.
  func plan(_ id: NodeID, to place: Place) -> MovePlan? {
    try? MovePlan(id, to: place, in: graph) { unresolved[$0]?.believedLocation }
  }

  /// - Parameter occupant: The entry that the graph has at the place: if it is not known to be elsewhere, it ends; also
  ///   if it is, and has been in the way for long.
  func plan(_ id: NodeID, to place: Place, over occupant: NodeID?) throws(MovePlan.Obstacle) -> MovePlan {
    let believedLocation: MovePlan.BelievedLocation = { unresolved[$0]?.believedLocation }
    let ending = occupant.flatMap { isElsewhere($0) ? nil : $0 }
    do throws(MovePlan.Obstacle) {
      return try MovePlan(id, to: place, ending: ending, in: graph, believedLocation)
    } catch {
      guard ending == nil, error != .unrooted(id), let since = unresolved[id]?.since, now - since >= 4 * timing.settle
      else { throw error }
      return try MovePlan(id, to: place, ending: occupant, in: graph, believedLocation)
    }
  }

  /// Makes moves that happen together; what is in their way and is gone ends.
  mutating func apply(_ plan: MovePlan, isFound: Bool = false) {
    let since = plan.moves.map { unresolved[$0.id]?.since ?? now }
    for move in plan.moves { takeOut(move) }
    for id in plan.endings where graph.isLive(id) { endInTheWay(id) }
    for move in plan.parentsFirst {
      if let holder = unresolved.entry(at: move.place), holder != move.id { setBelievedLocation(of: holder, .gone) }
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

  /// Tells that an entry has moved, once the graph has it at its new place.
  private mutating func noteMoved(_ id: NodeID, from old: Place, _ since: MonotonicTime, isFound: Bool) {
    notePlace(of: id)
    noteRenamed(id)
    log.appendMove(of: id, in: graph, isFound: isFound)
    if let activity = writing[id] {
      // Under its old name it may have been pending.
      let rested = activity.isClosed ? max(now, activity.lastActivity + timing.quiet) : now + timing.quiet
      let next = activity.check(at: rested)
      writing[id]?.nextCheck = next
      timers.schedule(.writing(id), at: next)
    }
    if graph[id].kind == .directory {
      requests.append(.moved(id, from: old.parent))
    } else if own?.moved == id || !isFree(old) {
      // The app renames its document, and does not save it thereby; or the place is another's now, or has ended.
      recentDepartures.forget(from: old)
    } else {
      recentDepartures.note(RecentDeparture(node: id, key: graph.key(id), since: since, isFound: isFound), from: old)
      forgetLater(.recentDeparture(old, now + timing.settle))
    }
  }

  /// Whatever is known to have left a directory moves, and takes along what is in it.
  mutating func moveOut(of directory: NodeID) {
    guard unresolved.hasBelievedPlaces, graph.storage.hasChildren(directory) else { return }
    apply(MovePlan(leaving: directory, in: graph) { unresolved[$0]?.believedLocation })
  }

  /// Two entries exchange their places.
  ///
  /// If they are names of one document, or one would be inside itself, they are looked at, and stay until then.
  mutating func exchangePlaces(_ first: NodeID, _ second: NodeID) {
    let plan = try? MovePlan(exchanging: first, with: second, in: graph) { unresolved[$0]?.believedLocation }
    guard let plan, graph[first].uuid != graph[second].uuid else {
      for id in [first, second] { placesToInspect.insert(graph.place(id), []) }
      return
    }
    by(.exchangedByHint) { $0.apply(plan) }
  }
}

// MARK: - What moves before it ends

extension Classifier {
  /// Announces that an entry is gone, with everything below it.
  ///
  /// Whatever is known to have left it moves first.
  ///
  /// - Parameter key: The inode that left by a rename, as far as is known, and that may be in a trash folder.
  mutating func delete(_ id: NodeID, reason: DeletionReason, leaving key: FileKey? = nil) {
    moveOut(of: id)
    deleteTree(id, reason: reason, leaving: key)
  }

  /// Something else has an entry's place for good.
  ///
  /// The entry was replaced only if it had not left before: by a rename of its own, or by that of the inode that it had
  /// before something took its place that turns out not to be its next version.
  ///
  /// - Parameter reason: Why it ended, if it had not left.
  mutating func endReplaced(_ id: NodeID, otherwise reason: DeletionReason = .replaced) {
    let (reason, key) = replacement(of: id, otherwise: reason)
    by(reason.rule) { $0.delete(id, reason: reason, leaving: key) }
  }

  /// The identity of a file that was announced ends, and it is a newcomer again.
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
