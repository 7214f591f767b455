import FileEvents
import FileIdentity
import LinuxFileSystem

// Facts about one place.

extension Classifier {
  /// Takes in what is at a place now.
  mutating func observe(_ sighting: Sighting, at now: MonotonicTime) {
    let place = sighting.place
    guard graph.isLive(place.parent), graph[place.parent].kind == .directory else { return }
    unexplained[place] = nil
    var sighting = sighting
    // Seen at last: as if a listing had found it.
    let isSeenAtLast = noteProbed(place, now)
    if isSeenAtLast, sighting.cause == .check { sighting.cause = .scan }
    guard let entry = sighting.entry else { return observeAbsence(sighting, now) }
    let occupant = graph.node(at: place).flatMap { letGo($0, entry, now) ? nil : $0 }
    if let occupant,
      graph.key(occupant) == entry.key && !isAnotherName(entry, thanThatOf: occupant)
        || isFirstSight(of: occupant, entry)
    {
      if isBackAheadOfItsHint(occupant, entry, sighting) { return explainLater(place, entry.key, now) }
      confirm(occupant, entry, sighting.cause, now)
    } else if isAheadOfItsHint(entry, over: occupant, sighting) {
      explainLater(place, entry.key, now)
    } else {
      observeNewcomer(entry, over: occupant, sighting, now)
      if isSeenAtLast, arrivals[place]?.key == entry.key { arrivals[place]?.progress.recovery = coverage.recovery }
    }
  }

  private mutating func observeAbsence(_ sighting: Sighting, _ now: MonotonicTime) {
    let place = sighting.place
    let occupant = graph.node(at: place)
    if let occupant, displaced[occupant] == nil, arrivals[place] == nil {
      displace(occupant, .unknown, leftByRename: false, now)
      lookWhereItWas(occupant)
    }
    // A hint that has not been read may tell where a newcomer went.
    if sighting.isHinted { return finishLater(place, now) }
    dropArrival(at: place, now)
    guard let holder = held[place] else { return }
    setWhereabouts(of: holder, .gone)
    adoptNewcomer(as: holder, now)
  }

  /// An entry that was renamed has a new name where it was: it is told to be where it went.
  private mutating func letGo(_ id: NodeID, _ entry: Entry, _ now: MonotonicTime) -> Bool {
    let place = graph.place(id)
    guard let displacement = displaced[id], case .at(let elsewhere) = displacement.whereabouts, !displacement.isFound,
      entry.linkCount > 1, entry.key == graph.key(id), arrivals[place] != nil, !isBackup(id, elsewhere)
    else { return false }
    commitMove(id, to: elsewhere, now)
    return graph.node(at: place) == nil
  }

  /// An entry is not where it was said to have been renamed to: of an exchange, half may have been lost.
  mutating func lookWhereItWas(_ id: NodeID) {
    if let former = recentDepartures.latestPlace(of: id) { touched.insert(former, []) }
  }

  /// Whether a name was removed, or replaced, and another name of the same inode came to its place.
  private func isAnotherName(_ entry: Entry, thanThatOf id: NodeID) -> Bool {
    guard displaced[id] != nil, let holder = held[graph.place(id)] else { return false }
    return holder != id && graph.key(holder) == entry.key
  }

  /// Whether this is the inode of an entry that took a document's place unseen.
  private func isFirstSight(of id: NodeID, _ entry: Entry) -> Bool {
    graph.key(id) == .unseen && displaced[id] == nil && graph[id].kind == entry.kind
      && graph.node(with: entry.key) == nil
  }

  /// Whether this is the inode of an entry that is held somewhere, which may be looked at for the first time.
  mutating func isInode(_ entry: Entry, of holder: NodeID) -> Bool {
    if graph.key(holder) == .unseen, graph[holder].kind == entry.kind, graph.node(with: entry.key) == nil {
      graph.setIdentity(holder, uuid: graph[holder].uuid, key: entry.key)
    }
    return graph.key(holder) == entry.key
  }

  /// Whether what is found at a place is what a later hint will tell of.
  ///
  /// An inode that is known elsewhere came here by a rename, unless it has several names; and an entry that is there as
  /// far as the hints have told does not lose its name without one.
  private func isAheadOfItsHint(_ entry: Entry, over occupant: NodeID?, _ sighting: Sighting) -> Bool {
    if coverage.isRecovering, sighting.cause == .scan, let known = graph.node(with: entry.key) {
      return displaced[known] == nil || graph.node(at: sighting.place) != nil
    }
    guard case .hint(let kinds) = sighting.cause else { return false }
    if let holder = held[sighting.place], graph.key(holder) == entry.key { return false }
    if arrivals[sighting.place]?.key == entry.key { return false }
    if let known = graph.node(with: entry.key) {
      let mayBeMissed = arrivals[sighting.place]?.mayBeMissed == true
      if mayBeMissed, graph.names(of: known, with: .displaced).contains(where: isMissing) { return false }
      return !kinds.contains(.created) || entry.linkCount < 2 || entry.kind == .directory
    }
    guard arrivals[sighting.place] == nil else { return false }
    // What was renamed here is here as long as no hint says that something came over it.
    if let holder = held[sighting.place], graph.key(holder) != .unseen { return true }
    guard let occupant else { return false }
    return isPresent(occupant) && graph.key(occupant) != .unseen
  }

  /// Whether an entry is found at its own place that is elsewhere as far as the hints have told, or removed and another
  /// in its place.
  private func isBackAheadOfItsHint(_ id: NodeID, _ entry: Entry, _ sighting: Sighting) -> Bool {
    guard sighting.isHinted, let displacement = displaced[id], !displacement.isFound else { return false }
    let isTaken = held[sighting.place].map { $0 != id } ?? false
    switch displacement.whereabouts {
    case .at: return entry.linkCount < 2 || isTaken
    case .gone: return isTaken
    case .unknown, .outside: return false
    }
  }

  /// A later hint should tell; if none does, what is found then counts.
  mutating func explainLater(_ place: Place, _ key: FileKey?, _ now: MonotonicTime) {
    if unexplained.isEmpty { hintCounts.removeAll() }
    let due = now + timing.hintDelay
    unexplained[place] = Unexplained(key: key, hintCount: hintCounts[place.parent, default: 0], due: due)
    hintCounts[place.parent, default: 0] += 0
    timers.schedule(.unexplained(place), at: due)
  }

  /// Whether this was found before, and nothing has been told of the directory since that could explain it.
  func isConfirmed(_ key: FileKey?, at place: Place) -> Bool {
    guard let found = unexplained[place] else { return false }
    return found.key == key && found.hintCount == hintCounts[place.parent]
  }

  /// Whether this is what should be at a place as far as the hints have told.
  func expects(_ entry: Entry?, at place: Place) -> Bool {
    if let arrival = arrivals[place] { return arrival.key == entry?.key }
    if let holder = held[place] { return graph.key(holder) == entry?.key }
    guard let occupant = graph.node(at: place), isPresent(occupant) else { return entry == nil }
    if entry == nil, displaced[occupant] != nil { return true }
    return graph.key(occupant) == entry?.key
  }

  mutating func displace(
    _ id: NodeID, _ whereabouts: Displacement.Whereabouts, leftByRename: Bool, _ now: MonotonicTime
  ) {
    if case .at = whereabouts {} else { log.record(.missed, id, in: graph, by: .missing) }
    let due = now + timing.settle
    displaced[id] = Displacement(whereabouts: .unknown, since: now, due: due, leftByRename: leftByRename)
    graph.setFlags(id, .displaced, true)
    noteBeginning(of: id)
    setWhereabouts(of: id, whereabouts)
    timers.schedule(.displaced(id), at: due)
    noteRemoval(of: id, now)
    wakeFileHeldUp(by: graph.place(id), now)
  }

  /// Where the graph has an entry, and where its inode was put meanwhile.
  func places(of id: NodeID) -> (Place?, elsewhere: Place?) {
    guard graph.isLive(id) else { return (nil, nil) }
    if case .at(let elsewhere) = displaced[id]?.whereabouts { return (graph.place(id), elsewhere) }
    return (graph.place(id), nil)
  }

  mutating func setWhereabouts(of id: NodeID, _ whereabouts: Displacement.Whereabouts) {
    guard let displacement = displaced[id] else { return }
    if case .at(let place) = displacement.whereabouts, held[place] == id { held[place] = nil }
    if case .at(let place) = whereabouts {
      // Whatever was taken to be there is not.
      takeArrival(at: place)
      if let holder = held[place], holder != id { setWhereabouts(of: holder, .gone) }
      held[place] = id
      lookAgain(at: place, after: displacement.due)
      lookAgain(at: graph.place(id), after: displacement.due)
    }
    displaced[id]?.whereabouts = whereabouts
  }

  /// The entry stands at its place again.
  mutating func endDisplacement(_ id: NodeID) {
    var wasHeld = coverage.isRecovering
    if case .at = displaced[id]?.whereabouts { wasHeld = true }
    setWhereabouts(of: id, .unknown)
    let displacement = displaced.removeValue(forKey: id)
    graph.setFlags(id, .displaced, false)
    waitingNames.remove(id, for: graph[id].uuid)
    // What was found with it was not taken in while it was in doubt.
    if wasHeld || displacement?.isFound == true { requests.append(.lookAt(id)) }
    if let progress = writing[id] { timers.schedule(.writing(id), at: progress.nextCheck) }
    let place = graph.place(id)
    if deferred.remove(place) != nil { requests.append(.look(place, .check)) }
  }

  /// An entry is where the graph has it, with the same inode.
  mutating func confirm(_ id: NodeID, _ entry: Entry, _ cause: Cause, _ now: MonotonicTime) {
    coverage.set(.covered, of: id, false)
    if let displacement = displaced[id] {
      endDisplacement(id)
      if case .at(let elsewhere) = displacement.whereabouts, entry.linkCount > 1, entry.kind != .directory {
        // It has both names.
        leaveBehind(entry.key, entry.kind, isClosed: writing[id]?.isClosed ?? true, at: elsewhere, now)
      }
      if entry.kind == .directory { requests.append(.moved(id, from: graph[id].parent)) }
    }
    let place = graph.place(id)
    dropArrival(at: place, now)
    // Whatever was taken to be here is not.
    if let holder = held[place], holder != id { setWhereabouts(of: holder, .gone) }
    if graph.key(id) == .unseen { graph.setIdentity(id, uuid: graph[id].uuid, key: entry.key) }
    noteTag(of: id, entry, now)
    noteContent(of: id, entry, cause, now)
    if entry.kind == .directory, coverage.has(.unlistable, id) { requests.append(.scan(id)) }
  }

  /// The tag and the content may have been changed while the file was on its way.
  mutating func noteFound(_ id: NodeID, _ entry: Entry?, _ now: MonotonicTime) {
    guard let entry, graph.isLive(id), displaced[id] == nil, graph.key(id) == entry.key else { return }
    noteTag(of: id, entry, now)
    noteContent(of: id, entry, .check, now)
  }

  mutating func noteContent(of id: NodeID, _ entry: Entry, _ cause: Cause, _ now: MonotonicTime) {
    // By its tag it may have turned out to be another, which another entry stands for.
    guard graph.isLive(id) else { return }
    if entry.kind == .directory { return setModified(id, entry.modified) }
    guard entry.kind == .file else { return }
    // One hint may say several things: a close that came together with an attribute is still a close.
    if case .hint(let kinds) = cause, !kinds.isDisjoint(with: [.written, .closed]) {
      return noteActivity(of: id, kinds: kinds, now)
    }
    let unfinished = unfinishedName(of: id)
    if var progress = writing[unfinished] {
      // To look at a file is no activity; what changed since the last look is.
      noteProgress(&progress, entry, now)
      writing[unfinished] = progress
      return
    }
    // Times that were set by hand are a change like any other: what was written through a mapping is found the same
    // way.
    if isChanged(id, entry) { noteActivity(of: id, kinds: [], now) }
  }

  /// Whether a file has another size or time of modification than was told.
  func isChanged(_ id: NodeID, _ entry: Entry) -> Bool {
    let known = graph.content(of: id)
    return entry.modified != known.modified || entry.size != known.size
  }
}
