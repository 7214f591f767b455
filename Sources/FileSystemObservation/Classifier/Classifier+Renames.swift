import FileEvents
import FileIdentity
import LinuxFileSystem

// Renames as the kernel tells them: two halves joined by a cookie.

extension Classifier {
  /// The first half of a rename: the name is gone.
  ///
  /// Told at once if the second half comes; otherwise decided at the end of the window.
  mutating func depart(from place: Place, cookie: UInt32, at now: MonotonicTime) {
    let departure: Departure
    if let arrival = takeArrival(at: place) {
      departure = .arrival(arrival, from: place)
      wakeFileHeldUp(by: place, now)
    } else if let id = graph.node(at: place), isStillThere(id) {
      if displaced[id] == nil { displace(id, .unknown, leftByRename: true, now) }
      displaced[id]?.leftByRename = true
      departure = .entry(id, graph.key(id))
    } else if let holder = held[place], graph.isLive(holder) {
      departure = .entry(holder, graph.key(holder))
    } else {
      departure = successor(at: place).map(Departure.successor) ?? .unseen
    }
    departures[cookie] = departure
    expiring.append(.departure(cookie, now + timing.settle))
  }

  /// Whether an entry has its name as far as the hints have told.
  ///
  /// That it was not found there may be this very rename.
  private func isStillThere(_ id: NodeID) -> Bool {
    guard let displacement = displaced[id] else { return true }
    return displacement.whereabouts == .unknown && !displacement.leftByRename
  }

  /// The entry whose place was taken by something that has gone on before it could be looked at.
  ///
  /// A name that leaves a place after its entry was removed or overwritten is a newcomer's.
  private func successor(at place: Place) -> NodeID? {
    if let id = successors[place], graph.isLive(id), displaced[id] != nil { return id }
    guard let id = graph.node(at: place), isSucceeded(id) else { return nil }
    return id
  }

  /// Whether whatever has the name of an entry now is another inode.
  private func isSucceeded(_ id: NodeID) -> Bool {
    guard let whereabouts = displaced[id]?.whereabouts else { return false }
    return whereabouts == .gone || whereabouts == .outside || hasLeft(id)
  }

  /// Where the first half of a rename came from, if it is known and still holds: the second half must be looked at together with it.
  func origin(of cookie: UInt32) -> Place? {
    switch departures[cookie] {
    case .entry(let id, let key) where graph.isLive(id) && graph.key(id) == key: return graph.place(id)
    case .arrival(_, let place) where graph.isLive(place.parent): return place
    default: return nil
    }
  }

  /// The second half of a rename.
  ///
  /// - Parameters:
  ///   - entry: What is at the new place now.
  ///   - old: What is at the place `origin(of:)` gave.
  ///   - isExchange: Whether the next rename the kernel tells of goes the other way.
  /// - Returns: Whether both renames were taken as one exchange.
  mutating func arrive(
    at place: Place, cookie: UInt32, _ entry: Entry?, atOldPlace old: Entry?, isExchange: Bool, at now: MonotonicTime
  ) -> Bool {
    guard graph.isLive(place.parent) else { return false }
    let departure = departures.removeValue(forKey: cookie)
    if isExchange, exchange(departure, with: place, entry, atOldPlace: old, now) { return true }
    switch departure {
    case .entry(let id, let key) where graph.isLive(id) && graph.key(id) == key:
      arrive(id, key, at: place, entry, atOldPlace: old, now)
    case .arrival(let arrival, let origin):
      arrive(arrival, from: origin, at: place, entry, atOldPlace: old, now)
    case .successor(let id) where graph.isLive(id) && displaced[id] != nil:
      succeed(id, at: place, entry, now)
    default:
      noteOverwritten(at: place, entry?.key, now)
      let fromOutside = departure == nil
      observe(Sighting(place: place, entry: entry, cause: .arrivedByRename(fromOutside: fromOutside)), at: now)
    }
    return false
  }

  /// Something was renamed to a place: whatever stood there is gone, even if what came has gone on since.
  private mutating func noteOverwritten(at place: Place, _ key: FileKey?, _ now: MonotonicTime) {
    noteLeft(place)
    guard let occupant = graph.node(at: place), displaced[occupant] == nil, graph.key(occupant) != key else { return }
    displace(occupant, .gone, leftByRename: false, now)
  }

  /// A document that is being saved was taken to be what is at its name now.
  ///
  /// But something else that nobody has seen was renamed from there: that was the save, and what is at the name came
  /// later.
  private mutating func succeedAfterAll(_ id: NodeID, at place: Place, _ entry: Entry, _ now: MonotonicTime) -> Bool {
    guard writing[id]?.isSave == true, graph.node(with: entry.key) == nil, graph.node(at: place) == nil,
      entry.kind == graph[id].kind
    else { return false }
    let former = graph.place(id)
    displace(id, .gone, leftByRename: true, now)
    succeed(id, at: place, entry, now)
    requests.append(.look(former, .hint(.created)))
    return true
  }

  /// What took an entry's place, and was not seen there, is at another place now: it is the entry.
  private mutating func succeed(_ id: NodeID, at place: Place, _ entry: Entry?, _ now: MonotonicTime) {
    noteOverwritten(at: place, entry?.key, now)
    guard let entry else {
      successors[place] = id
      return
    }
    let arrival = Arrival(entry: entry, progress: Progress(entry, at: now, nextCheck: now + timing.quiet))
    guard canAdopt(arrival, as: id), !isBackup(id, place) else {
      return observe(Sighting(place: place, entry: entry, cause: .arrivedByRename(fromOutside: false)), at: now)
    }
    commitMove(id, to: place, now)
    guard graph.isLive(id), graph.place(id) == place else { return }
    adopt(arrival, as: id, now)
  }

  private mutating func arrive(
    _ id: NodeID, _ key: FileKey, at place: Place, _ entry: Entry?, atOldPlace old: Entry?, _ now: MonotonicTime
  ) {
    let here = Sighting(place: place, entry: entry, cause: .arrivedByRename(fromOutside: false))
    if old?.key == key && entry?.key != key {
      endDisplacement(id)
      if let entry, succeedAfterAll(id, at: place, entry, now) { return }
      // It is back already: the rename is history.
      return observe(here, at: now)
    }
    if graph.node(at: place) == id { return observe(here, at: now) }
    if entry?.key != key, let old, graph.node(with: old.key) == nil {
      // It has gone on since, and a newcomer has its name: perhaps a save whose end has been reached already.
      if displaced[id] == nil { displace(id, .unknown, leftByRename: true, now) }
      setWhereabouts(of: id, .at(place))
      return observe(here, at: now)
    }
    settleMove(id, to: place, entry, atOldPlace: old, isTrusted: true, now)
    // It has gone on since: the kernel's word stands for the step, and the next one is decided by what is there now.
    if entry?.key != key { observe(here, at: now) }
  }

  /// A newcomer that has not been announced was renamed: nothing to say, it is just elsewhere.
  private mutating func arrive(
    _ arrival: Arrival, from origin: Place, at place: Place, _ entry: Entry?, atOldPlace old: Entry?,
    _ now: MonotonicTime
  ) {
    let here = Sighting(place: place, entry: entry, cause: .arrivedByRename(fromOutside: false))
    guard let entry, entry.key == arrival.entry.key else {
      if old?.key == arrival.entry.key {
        // It is back already, or what left was not the newcomer but what it changed places with.
        put(arrival, at: origin)
        return observe(here, at: now)
      }
      // It has gone on since: the kernel's word stands for the step.
      noteOverwritten(at: place, arrival.entry.key, now)
      put(arrival, at: place)
      if let occupant = graph.node(at: place) { adoptNewcomer(as: occupant, now) }
      if entry != nil { observe(here, at: now) }
      return
    }
    if let occupant = graph.node(at: place), displaced[occupant] == nil {
      if graph.key(occupant) == entry.key { return }
      displace(occupant, .gone, leftByRename: false, now)
      if let old, old.key == graph.key(occupant) {
        setWhereabouts(of: occupant, .at(origin))
        displaced[occupant]?.isExchange = true
      }
    }
    var arrival = arrival
    arrival.entry = entry
    noteProgress(&arrival.progress, entry, now)
    arrival.progress.nextCheck = now + timing.quiet
    if arrival.progress.isClosed {
      arrival.progress.nextCheck = max(now, arrival.progress.lastActivity + timing.quiet)
    }
    put(arrival, at: place)
    if let occupant = graph.node(at: place) { adoptNewcomer(as: occupant, now) }
  }
}

// MARK: - Exchanges

extension Classifier {
  /// Two names have changed places, so says the kernel.
  ///
  /// Says whether what is known of them fits.
  private mutating func exchange(
    _ departure: Departure?, with place: Place, _ entry: Entry?, atOldPlace old: Entry?, _ now: MonotonicTime
  ) -> Bool {
    let other = graph.node(at: place)
    switch departure {
    case .entry(let id, let key) where graph.isLive(id) && graph.key(id) == key && other != id:
      // What stood in for the other one, if that was gone already, is found at its new place.
      if let other, displaced[other] == nil || isSucceeded(other) {
        let origin = graph.place(id)
        exchange(id, other, now)
        requests.append(.look(place, .arrivedByRename(fromOutside: false)))
        requests.append(.look(origin, .arrivedByRename(fromOutside: false)))
        return true
      }
      return exchange(id, withArrivalAt: place, now)
    case .arrival(let arrival, let origin):
      guard let other, displaced[other] == nil, graph.key(other) != arrival.entry.key else { return false }
      displace(other, .at(origin), leftByRename: true, now)
      displaced[other]?.isExchange = true
      put(arrival, at: place)
      adoptNewcomer(as: other, now)
      requests.append(.look(place, .arrivedByRename(fromOutside: false)))
      return true
    default:
      return false
    }
  }

  /// A document and a newcomer that has not been announced: a save.
  private mutating func exchange(_ id: NodeID, withArrivalAt place: Place, _ now: MonotonicTime) -> Bool {
    let arrival = takeArrival(at: place)
    if displaced[id] == nil { displace(id, .unknown, leftByRename: true, now) }
    setWhereabouts(of: id, .at(place))
    displaced[id]?.isExchange = true
    guard let arrival else {
      // It came and went on unseen; what is at the document's name now tells.
      requests.append(.look(graph.place(id), .arrivedByRename(fromOutside: false)))
      return true
    }
    put(arrival, at: graph.place(id))
    adoptNewcomer(as: id, now)
    return true
  }
}

// MARK: - Moves of entries

extension Classifier {
  /// The inode of an entry is at another place.
  ///
  /// Tells it at once, or holds it back where it may be a save.
  ///
  /// - Parameter isTrusted: Whether the order of events is known, so that what stood at the place before has been overwritten.
  mutating func settleMove(
    _ id: NodeID, to place: Place, _ entry: Entry?, atOldPlace old: Entry?, isTrusted: Bool, _ now: MonotonicTime
  ) {
    if displaced[id] == nil { displace(id, .unknown, leftByRename: true, now) }
    let occupant = graph.node(at: place)
    if let occupant, occupant != id, graph[id].kind != .directory, isProvisional(id, now), let entry {
      return absorb(id, into: occupant, at: place, entry, now)
    }
    if exchangesWithNewcomer(id, place, old, now) { return }
    if let occupant, occupant != id, let old, graph.key(occupant) == old.key {
      return exchange(id, occupant, now)
    }
    if mustHold(id, place, over: occupant, isTrusted, now) {
      takeArrival(at: place)
      setWhereabouts(of: id, .at(place))
      return adoptNewcomer(as: id, now)
    }
    commitMove(id, to: place, now)
    noteTagAfterMove(of: id, entry, now)
  }

  /// The tag may have been changed, or not been written, while the file was on its way.
  mutating func noteTagAfterMove(of id: NodeID, _ entry: Entry?, _ now: MonotonicTime) {
    guard let entry, graph.isLive(id), displaced[id] == nil, graph.key(id) == entry.key else { return }
    noteTag(of: id, entry, now)
  }

  /// A backup is put aside before the document is written anew; and nothing may take a place whose entry may turn up elsewhere.
  private func mustHold(
    _ id: NodeID, _ place: Place, over occupant: NodeID?, _ isTrusted: Bool, _ now: MonotonicTime
  ) -> Bool {
    if let occupant, occupant != id {
      guard let displacement = displaced[occupant] else { return !isTrusted || isBackup(id, place) }
      if displacement.whereabouts == .unknown { return true }
    }
    return isBackup(id, place)
  }

  func isBackup(_ id: NodeID, _ place: Place) -> Bool {
    graph[id].kind == .file && !graph[id].flags.contains(.copying)
      && patterns.isBackup(place.name, of: graph.name(id))
  }

  /// Whether an entry is so new, or so unfinished, that it is a temporary file rather than a document.
  private func isProvisional(_ id: NodeID, _ now: MonotonicTime) -> Bool {
    if graph[id].flags.contains(.copying) { return true }
    guard let until = announced[id] else { return false }
    return now < until
  }

  /// A temporary file that was announced already is renamed over a document: the document is saved, and the provisional identity ends.
  private mutating func absorb(
    _ id: NodeID, into document: NodeID, at place: Place, _ entry: Entry, _ now: MonotonicTime
  ) {
    var progress = writing[id] ?? Progress(entry, at: now, nextCheck: now + timing.quiet)
    if writing[id] == nil { progress.isClosed = true }
    delete(id, reason: .removed, now)
    if displaced[document] == nil { displace(document, .gone, leftByRename: false, now) }
    progress.nextCheck = now + timing.quiet
    put(Arrival(entry: entry, progress: progress), at: place)
    adoptNewcomer(as: document, now)
  }

  /// `RENAME_EXCHANGE` of a document with a newcomer: a save, told when the newcomer is complete.
  private mutating func exchangesWithNewcomer(
    _ id: NodeID, _ place: Place, _ old: Entry?, _ now: MonotonicTime
  ) -> Bool {
    guard let old, let arrival = arrivals[place], arrival.entry.key == old.key else { return false }
    return exchange(id, withArrivalAt: place, now)
  }

  private mutating func exchange(_ first: NodeID, _ second: NodeID, _ now: MonotonicTime) {
    endDisplacement(first)
    endDisplacement(second)
    let sameParent = graph[first].parent == graph[second].parent
    let firstPath = log.storePath(of: first, in: graph)
    let secondPath = log.storePath(of: second, in: graph)
    graph.exchange(first, second)
    let kind: Change.Kind = sameParent ? .renamed : .moved
    log.append(kind, first, in: graph, previousPath: firstPath)
    log.append(kind, second, in: graph, previousPath: secondPath)
    for id in [first, second] where graph[id].kind == .directory { requests.append(.moved(id)) }
  }

  /// Tells a rename or move.
  ///
  /// Whatever entry the graph has at the place must make room first.
  mutating func commitMove(_ id: NodeID, to place: Place, _ now: MonotonicTime) {
    guard canTake(place, id, now) else { return }
    let old = graph.place(id)
    endDisplacement(id)
    guard old != place else { return }
    if let occupant = graph.node(at: place) { makeRoom(occupant, now) }
    // Making room may have moved or removed a directory on the way, and the entry with it.
    guard graph.isLive(id), canTake(place, id, now) else { return }
    takeArrival(at: place)
    let previous = log.storePath(of: id, in: graph)
    graph.move(id, to: place)
    log.append(old.parent == place.parent ? .renamed : .moved, id, in: graph, previousPath: previous)
    if let progress = writing[id] {
      // Under its old name it may have been pending.
      let next = progress.isClosed ? max(now, progress.lastActivity + timing.quiet) : now + timing.quiet
      writing[id]?.nextCheck = next
      timers.schedule(.writing(id), at: next)
    }
    if graph[id].kind == .directory {
      requests.append(.moved(id))
    } else {
      forgetVacancy(at: old)
      vacancies[old] = Vacancy(node: id, key: graph.key(id), since: now)
      formerPlaces[id] = old
      expiring.append(.vacancy(old, now + timing.settle))
    }
  }

  /// Whether an entry can go to a place.
  ///
  /// Where it cannot, because its new directory is not where the graph has it any more, the entry is missing until it
  /// is seen again.
  private mutating func canTake(_ place: Place, _ id: NodeID, _ now: MonotonicTime) -> Bool {
    if graph.isLive(place.parent), !graph.storage.isEntry(place.parent, inside: id) { return true }
    if displaced[id] == nil { displace(id, .unknown, leftByRename: true, now) }
    setWhereabouts(of: id, .unknown)
    return false
  }

  /// The place of an entry is taken by another: it is where its inode was last seen, or it has been replaced.
  private mutating func makeRoom(_ id: NodeID, _ now: MonotonicTime) {
    if case .at(let elsewhere) = displaced[id]?.whereabouts, elsewhere != graph.place(id),
      graph.node(at: elsewhere) == nil, graph.isLive(elsewhere.parent)
    {
      return commitMove(id, to: elsewhere, now)
    }
    delete(id, reason: .replaced, now)
  }
}
