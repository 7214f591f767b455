import FileIdentity
import LinuxFileSystem

// Moves of entries: told at once, held back, or taken for a save.

extension Classifier {
  /// The inode of an entry is at another place.
  ///
  /// Tells it at once, or holds it back where it may be a save.
  ///
  /// - Parameter isTrusted: Whether the kernel said so, so that what stood at the place before has been overwritten;
  ///   otherwise the inode was found there.
  mutating func settleMove(_ id: NodeID, to place: Place, isTrusted: Bool, _ now: MonotonicTime) {
    if displaced[id] == nil {
      // It was found where the graph has it after it had left another place: that may be a further name.
      if isTrusted { touched.insert(graph.place(id), []) }
      displace(id, .unknown, leftByRename: true, now)
    }
    if isTrusted, graph[id].flags.contains(.copying), let progress = writing[id] {
      noteSuccessor(firstSeen: progress.firstSeen, at: place, now)
    }
    let occupant = graph.node(at: place)
    if isTrusted, let occupant, occupant != id {
      if displaced[occupant] == nil { displace(occupant, .gone, leftByRename: false, now) }
      noteNameTaken(from: occupant)
    }
    if let occupant, isTrusted, isNextVersion(id, of: occupant), !isPlainRename(occupant), !isBackup(id, place) {
      return absorb(id, into: occupant, at: place, now)
    }
    if mustHold(id, place, isTrusted, now) {
      setWhereabouts(of: id, .at(place))
      displaced[id]?.isFound = !isTrusted
      if !isTrusted { found.insert(id) }
      log.record(.held, id, in: graph, by: isTrusted ? .putAsideForSave : .waitsForPlace)
      return adoptNewcomer(as: id, now)
    }
    commitMove(id, to: place, isFound: !isTrusted, now)
  }

  /// Announces the moves of entries that were found at places of each other.
  mutating func settleFoundMoves(_ now: MonotonicTime) {
    guard !found.isEmpty else { return }
    defer { found.removeAll(keepingCapacity: true) }
    for id in found.sorted(by: { $0.rawValue < $1.rawValue }) where graph.isLive(id) {
      guard case .at(let place) = displaced[id]?.whereabouts, !isBackup(id, place), let plan = plan(id, to: place),
        !mayBeAboutToBeSaved(id, now) || isExchange(of: id, in: plan)
      else { continue }
      by(.exchangeFound) { $0.commitMove(id, to: place, isFound: true, now) }
    }
  }

  /// Whether another document goes to the place of one: nobody saves a document by putting it where another was.
  private func isExchange(of id: NodeID, in plan: MovePlan) -> Bool {
    let place = graph.place(id)
    return plan.moves.contains { $0.place == place }
  }

  /// The moves that happen together if an entry moves; `nil` if it cannot move yet.
  func plan(_ id: NodeID, to place: Place) -> MovePlan? {
    try? MovePlan(id, to: place, in: graph) { displaced[$0]?.whereabouts }
  }

  /// Something came to have the name of an entry that is missing.
  ///
  /// If the entry left by a rename whose other half has not come, it left the tree: the kernel tells both halves while
  /// it holds the lock of the directory (vfs_rename), so that nothing else can have happened to the name in between.
  mutating func noteNameTaken(from id: NodeID) {
    guard let displacement = displaced[id], displacement.whereabouts == .unknown else { return }
    setWhereabouts(of: id, displacement.leftByRename ? .outside : .gone)
  }

  /// A document may be put aside before it is written anew; and nothing may take a place whose entry may turn up
  /// elsewhere.
  private func mustHold(_ id: NodeID, _ place: Place, _ isTrusted: Bool, _ now: MonotonicTime) -> Bool {
    if !isTrusted, plan(id, to: place) == nil { return true }
    return isBackup(id, place) || mayBeAboutToBeSaved(id, now)
  }

  func isBackup(_ id: NodeID, _ place: Place) -> Bool {
    graph[id].kind == .file && !graph[id].flags.contains(.copying)
      && patterns.isBackup(place.name, of: graph.name(id))
  }

  /// Announces a rename or move, and all moves that happen together with it.
  ///
  /// If something is in the way that cannot go yet, the entry is held at its new place.
  ///
  /// - Parameter isFound: Whether the inode was found there, and no hint has told of it yet.
  mutating func commitMove(_ id: NodeID, to place: Place, isFound: Bool = false, _ now: MonotonicTime) {
    if graph.place(id) == place { return endDisplacement(id) }
    // Whatever was taken to be here is not.
    if let holder = held[place], holder != id { setWhereabouts(of: holder, .gone) }
    let occupant = graph.node(at: place)
    if let occupant, !isElsewhere(occupant), isNextVersion(id, of: occupant), !isBackup(id, place) {
      endDisplacement(id)
      return absorb(id, into: occupant, at: place, now)
    }
    do throws(MovePlan.Obstacle) {
      apply(try plan(id, to: place, over: occupant, now), isFound: isFound, now)
    } catch {
      if error == .unrooted(id) { lose(id, now) } else { hold(id, at: place, now) }
    }
  }

  /// - Parameter occupant: The entry that the graph has at the place: if it is not known to be elsewhere, it ends; also
  ///   if it is, and has been in the way for long.
  private func plan(
    _ id: NodeID, to place: Place, over occupant: NodeID?, _ now: MonotonicTime
  ) throws(MovePlan.Obstacle) -> MovePlan {
    let whereabouts: MovePlan.Whereabouts = { displaced[$0]?.whereabouts }
    let ending = occupant.flatMap { isElsewhere($0) ? nil : $0 }
    do throws(MovePlan.Obstacle) {
      return try MovePlan(id, to: place, ending: ending, in: graph, whereabouts)
    } catch {
      guard ending == nil, error != .unrooted(id), let since = displaced[id]?.since, now - since >= 4 * timing.settle
      else { throw error }
      return try MovePlan(id, to: place, ending: occupant, in: graph, whereabouts)
    }
  }

  private func isElsewhere(_ id: NodeID) -> Bool {
    if case .at(let place) = displaced[id]?.whereabouts { return place != graph.place(id) }
    return false
  }

  /// Makes moves that happen together; what is in their way and is gone ends.
  mutating func apply(_ plan: MovePlan, isFound: Bool = false, _ now: MonotonicTime) {
    let since = plan.moves.map { displaced[$0.id]?.since ?? now }
    for move in plan.moves { takeOut(move) }
    for id in plan.endings where graph.isLive(id) { endInTheWay(id, now) }
    for move in plan.parentsFirst {
      if let holder = held[move.place], holder != move.id { setWhereabouts(of: holder, .gone) }
      graph.putIn(move.id, at: move.place)
    }
    for (move, since) in zip(plan.moves, since) {
      noteMoved(move.id, from: move.former, since, isFound: isFound, now)
    }
  }

  private mutating func takeOut(_ move: MovePlan.Move) {
    takeArrival(at: move.place)
    endDisplacement(move.id)
    graph.takeOut(move.id)
  }

  /// Two entries exchange their places.
  ///
  /// If they are names of one document, or one would be inside itself, they are looked at, and stay until then.
  mutating func exchangePlaces(_ first: NodeID, _ second: NodeID, _ now: MonotonicTime) {
    let plan = try? MovePlan(exchanging: first, with: second, in: graph) { displaced[$0]?.whereabouts }
    guard let plan, graph[first].uuid != graph[second].uuid else {
      for id in [first, second] { touched.insert(graph.place(id), []) }
      return
    }
    by(.exchangedByHint) { $0.apply(plan, now) }
  }

  /// The entry is missing until it is seen again: it cannot be where it was seen.
  private mutating func lose(_ id: NodeID, _ now: MonotonicTime) {
    if displaced[id] == nil { displace(id, .unknown, leftByRename: true, now) }
    setWhereabouts(of: id, .unknown)
  }

  /// The entry is known to be at a place, and what has that place according to the graph cannot go yet.
  private mutating func hold(_ id: NodeID, at place: Place, _ now: MonotonicTime) {
    log.record(.held, id, in: graph, by: .waitsForPlace)
    let since = displaced[id]?.since ?? now
    endDisplacement(id)
    displace(id, .at(place), leftByRename: false, now)
    displaced[id]?.since = since
  }

  /// Tells that an entry has moved, once the graph has it at its new place.
  mutating func noteMoved(_ id: NodeID, from old: Place, _ since: MonotonicTime, isFound: Bool, _ now: MonotonicTime) {
    notePlace(of: id)
    noteRenamed(id)
    log.appendMove(of: id, in: graph, isFound: isFound)
    if let progress = writing[id] {
      // Under its old name it may have been pending.
      let rested = progress.isClosed ? max(now, progress.lastActivity + timing.quiet) : now + timing.quiet
      let next = progress.check(at: rested)
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
      forgetLater(.departed(old, now + timing.settle))
    }
  }
}
