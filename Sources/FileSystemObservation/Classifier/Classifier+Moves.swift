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
    if mustHold(id, place, over: occupant, isTrusted, now) {
      takeArrival(at: place)
      setWhereabouts(of: id, .at(place))
      displaced[id]?.isFound = !isTrusted
      if !isTrusted { found.insert(id) }
      return adoptNewcomer(as: id, now)
    }
    commitMove(id, to: place, isFound: !isTrusted, now)
  }

  /// Tells the moves of entries that were found at places of each other.
  mutating func settleFoundMoves(_ now: MonotonicTime) {
    guard !found.isEmpty else { return }
    defer { found.removeAll(keepingCapacity: true) }
    for id in found.sorted(by: { $0.rawValue < $1.rawValue }) where graph.isLive(id) {
      guard case .at(let place) = displaced[id]?.whereabouts, !isBackup(id, place), canMakeRoom(at: place, for: id),
        !graph.storage.isEntry(place.parent, inside: id),
        !mayBeAboutToBeSaved(id, now) || isExchange(of: id, with: graph.node(at: place))
      else { continue }
      commitMove(id, to: place, isFound: true, now)
    }
  }

  /// Whether documents were found to have changed places: nobody saves one by putting it where another was.
  private func isExchange(of id: NodeID, with occupant: NodeID?) -> Bool {
    guard let occupant, occupant != id else { return false }
    return isInCycle(occupant, with: id)
  }

  /// Whether whatever entry the graph has at a place is known to be elsewhere, and so on, up to a free place or that of
  /// the entry itself, or to be gone.
  func canMakeRoom(at place: Place, for id: NodeID) -> Bool {
    if case .free = way(to: place, for: id) { true } else { false }
  }

  /// What has to happen before an entry can go to a place.
  enum Way {
    /// Whatever stands in it is known to be elsewhere, or to be gone.
    case free
    /// In it, or in that of what is in it, stands an entry of which nothing like that is known.
    case blocked(by: NodeID)
    /// All that stands in it waits for each other.
    case circular
  }

  func way(to place: Place, for id: NodeID) -> Way {
    var place = place
    for _ in 0...displaced.count {
      guard let occupant = graph.node(at: place), occupant != id else { return .free }
      switch displaced[occupant]?.whereabouts {
      case .at(let elsewhere): place = elsewhere
      case .gone, .outside: return .free
      case .unknown, nil: return .blocked(by: occupant)
      }
    }
    return .circular
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
  private func mustHold(
    _ id: NodeID, _ place: Place, over occupant: NodeID?, _ isTrusted: Bool, _ now: MonotonicTime
  ) -> Bool {
    // It is inside itself until what is between has been found elsewhere.
    if !isTrusted, graph.storage.isEntry(place.parent, inside: id) { return true }
    if let occupant, occupant != id, !isTrusted {
      switch displaced[occupant]?.whereabouts {
      case nil, .unknown: return true
      case .at: if !canMakeRoom(at: place, for: id) { return true }
      case .gone, .outside: break
      }
    }
    return isBackup(id, place) || mayBeAboutToBeSaved(id, now)
  }

  func isBackup(_ id: NodeID, _ place: Place) -> Bool {
    graph[id].kind == .file && !graph[id].flags.contains(.copying)
      && patterns.isBackup(place.name, of: graph.name(id))
  }

  /// Tells a rename or move.
  ///
  /// Whatever entry the graph has at the place must make room first.
  ///
  /// - Parameter isFound: Whether the inode was found there, and no hint has told of it yet.
  mutating func commitMove(_ id: NodeID, to place: Place, isFound: Bool = false, _ now: MonotonicTime) {
    guard canTake(place, id, now) else { return }
    let old = graph.place(id)
    let since = displaced[id]?.since ?? now
    endDisplacement(id)
    guard old != place else { return }
    if let occupant = graph.node(at: place), makeRoom(occupant, for: id, since, now) { return }
    // Making room may have moved or removed a directory on the way, and the entry with it.
    guard graph.isLive(id), canTake(place, id, now) else { return touched.insert(place, []) }
    if let occupant = graph.node(at: place), occupant != id {
      hold(id, at: place, since, now)
      // They may be inside each other, and all be known to be elsewhere.
      _ = untangle(id, now)
      return
    }
    takeArrival(at: place)
    // Whatever was taken to be here is not.
    if let holder = held[place], holder != id { setWhereabouts(of: holder, .gone) }
    graph.move(id, to: place)
    noteMoved(id, from: old, since, isFound: isFound, now)
  }

  /// Tells that an entry has moved, once the graph has it at its new place.
  mutating func noteMoved(_ id: NodeID, from old: Place, _ since: MonotonicTime, isFound: Bool, _ now: MonotonicTime) {
    notePlace(of: id)
    noteRenamed(id)
    log.appendMove(of: id, in: graph)
    if let progress = writing[id] {
      // Under its old name it may have been pending.
      let rested = progress.isClosed ? max(now, progress.lastActivity + timing.quiet) : now + timing.quiet
      let next = progress.check(at: rested)
      writing[id]?.nextCheck = next
      timers.schedule(.writing(id), at: next)
    }
    if graph[id].kind == .directory {
      requests.append(.moved(id, from: old.parent))
    } else if own?.moved == id {
      // The app renames its document, and does not save it thereby.
      recentDepartures.forget(from: old)
    } else {
      recentDepartures.note(RecentDeparture(node: id, key: graph.key(id), since: since, isFound: isFound), from: old)
      forgetLater(.departed(old, now + timing.settle))
    }
  }

  /// Whether an entry can go to a place.
  ///
  /// Where it cannot, because its new directory is not where the graph has it any more, the two are told together, if
  /// that one has been found; otherwise the entry is missing until it is seen again.
  private mutating func canTake(_ place: Place, _ id: NodeID, _ now: MonotonicTime) -> Bool {
    if graph.isLive(place.parent), !graph.storage.isEntry(place.parent, inside: id) { return true }
    if displaced[id] == nil { displace(id, .unknown, leftByRename: true, now) }
    if graph.isLive(place.parent), held[place] == nil || held[place] == id {
      setWhereabouts(of: id, .at(place))
      if untangle(id, now) { return false }
    }
    setWhereabouts(of: id, .unknown)
    return false
  }

  /// What stands at the place of an entry cannot be told to have gone yet: it went below itself, as far as is known.
  private mutating func hold(_ id: NodeID, at place: Place, _ since: MonotonicTime, _ now: MonotonicTime) {
    displace(id, .at(place), leftByRename: false, now)
    displaced[id]?.since = since
  }

  /// The place of an entry is taken by another: it is where its inode was last seen, or it has been replaced.
  ///
  /// - Returns: Whether the other is where it should be: the two have changed places, or it was the next version of
  ///   this one.
  private mutating func makeRoom(
    _ id: NodeID, for other: NodeID, _ since: MonotonicTime, _ now: MonotonicTime
  ) -> Bool {
    guard case .at(let elsewhere) = displaced[id]?.whereabouts, elsewhere != graph.place(id),
      graph.isLive(elsewhere.parent)
    else {
      if isNextVersion(other, of: id), !isBackup(other, graph.place(id)) {
        absorb(other, into: id, at: graph.place(id), now)
        return true
      }
      endReplaced(id, now)
      return false
    }
    if isInCycle(id, with: other) {
      exchangePlaces(other, id)
      if graph.place(id) == elsewhere { endDisplacement(id) }
      return true
    }
    guard canMakeRoom(at: elsewhere, for: other), !graph.storage.isEntry(elsewhere.parent, inside: id) else {
      // It is known to be elsewhere, and goes there when what is in its way has been found.
      if now - since >= 4 * timing.settle { endReplaced(id, now) }
      return false
    }
    // The last of all that make room for each other goes first: each finds its place free then, however many they are.
    for entry in thoseThatMakeRoom(from: id, for: other).reversed() {
      guard graph.isLive(entry), case .at(let place) = displaced[entry]?.whereabouts else { continue }
      commitMove(entry, to: place, now)
    }
    return false
  }

  /// An entry, what stands in the place where it is, and so on.
  private func thoseThatMakeRoom(from id: NodeID, for other: NodeID) -> [NodeID] {
    var entries = [id]
    while let last = entries.last, case .at(let place) = displaced[last]?.whereabouts,
      let next = graph.node(at: place), next != id, next != other, entries.count <= displaced.count,
      case .at = displaced[next]?.whereabouts
    { entries.append(next) }
    return entries
  }

  /// Whether an entry can make room only if another gives up its place.
  private func isInCycle(_ id: NodeID, with other: NodeID) -> Bool {
    var next = id
    for _ in 0...displaced.count {
      guard case .at(let place) = displaced[next]?.whereabouts, let occupant = graph.node(at: place) else {
        return false
      }
      if occupant == other { return !areNested(id, other) }
      next = occupant
    }
    return false
  }

  private func areNested(_ first: NodeID, _ second: NodeID) -> Bool {
    graph.storage.isEntry(first, inside: second) || graph.storage.isEntry(second, inside: first)
  }

  /// Two entries change places.
  ///
  /// What are names of one document as far as is known, or one inside the other, is looked at, and stays until then.
  mutating func exchangePlaces(_ first: NodeID, _ second: NodeID) {
    guard graph[first].uuid != graph[second].uuid, !areNested(first, second) else {
      for id in [first, second] { touched.insert(graph.place(id), []) }
      return
    }
    graph.exchange(first, second)
    notePlace(of: first)
    notePlace(of: second)
    noteRenamed(first)
    noteRenamed(second)
    log.appendMove(of: first, in: graph)
    log.appendMove(of: second, in: graph)
    for (id, other) in [(first, second), (second, first)] where graph[id].kind == .directory {
      requests.append(.moved(id, from: graph[other].parent))
    }
  }
}
