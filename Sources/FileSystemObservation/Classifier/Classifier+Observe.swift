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
      if isSeenAtLast, arrivals[place]?.key == entry.key { arrivals[place]?.progress.listing = listingCount }
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
  private mutating func lookWhereItWas(_ id: NodeID) {
    if let former = formerPlaces[id] { touched.insert(former, []) }
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
  private mutating func isInode(_ entry: Entry, of holder: NodeID) -> Bool {
    if graph.key(holder) == .unseen, graph[holder].kind == entry.kind, graph.node(with: entry.key) == nil {
      graph.setIdentity(holder, uuid: graph[holder].uuid, key: entry.key)
    }
    return graph.key(holder) == entry.key
  }

  /// Whether what is found at a place is what a later hint will tell of.
  ///
  /// An inode that is known elsewhere came here by a rename, unless it has several names; and an entry that is there as far as the hints
  /// have told does not lose its name without one.
  private func isAheadOfItsHint(_ entry: Entry, over occupant: NodeID?, _ sighting: Sighting) -> Bool {
    if isRecovering, sighting.cause == .scan, let known = graph.node(with: entry.key) {
      return displaced[known] == nil || graph.node(at: sighting.place) != nil
    }
    guard case .hint(let kinds) = sighting.cause else { return false }
    if let holder = held[sighting.place], graph.key(holder) == entry.key { return false }
    if arrivals[sighting.place]?.key == entry.key { return false }
    if graph.node(with: entry.key) != nil {
      return !kinds.contains(.created) || entry.linkCount < 2 || entry.kind == .directory
    }
    guard let occupant, arrivals[sighting.place] == nil else { return false }
    return isPresent(occupant) && graph.key(occupant) != .unseen
  }

  /// Whether an entry is found at its own place that is elsewhere as far as the hints have told, and not by a further name.
  private func isBackAheadOfItsHint(_ id: NodeID, _ entry: Entry, _ sighting: Sighting) -> Bool {
    guard sighting.isHinted, let displacement = displaced[id], case .at = displacement.whereabouts,
      !displacement.isFound
    else { return false }
    return entry.linkCount < 2 || held[sighting.place].map { $0 != id } ?? false
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
    let due = now + timing.settle
    displaced[id] = Displacement(whereabouts: .unknown, since: now, due: due, leftByRename: leftByRename)
    setWhereabouts(of: id, whereabouts)
    timers.schedule(.displaced(id), at: due)
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
      held[place] = id
      lookAgain(at: place, after: displacement.due)
      lookAgain(at: graph.place(id), after: displacement.due)
    }
    displaced[id]?.whereabouts = whereabouts
  }

  /// The entry stands at its place again.
  mutating func endDisplacement(_ id: NodeID) {
    var wasHeld = isRecovering
    if case .at = displaced[id]?.whereabouts { wasHeld = true }
    setWhereabouts(of: id, .unknown)
    let displacement = displaced.removeValue(forKey: id)
    // What was found with it was not taken in while it was in doubt.
    if wasHeld || displacement?.isFound == true { requests.append(.lookAt(id)) }
    if let progress = writing[id] { timers.schedule(.writing(id), at: progress.nextCheck) }
    let place = graph.place(id)
    if deferred.remove(place) != nil { requests.append(.look(place, .check)) }
  }

  /// An entry is where the graph has it, with the same inode.
  mutating func confirm(_ id: NodeID, _ entry: Entry, _ cause: Cause, _ now: MonotonicTime) {
    if let displacement = displaced[id] {
      endDisplacement(id)
      if case .at(let elsewhere) = displacement.whereabouts, entry.linkCount > 1, entry.kind != .directory {
        // It has both names.
        leaveBehind(entry.key, entry.kind, at: elsewhere, now)
      }
      if entry.kind == .directory { requests.append(.moved(id)) }
    }
    let place = graph.place(id)
    dropArrival(at: place, now)
    // Whatever was taken to be here is not.
    if let holder = held[place], holder != id { setWhereabouts(of: holder, .gone) }
    if graph.key(id) == .unseen { graph.setIdentity(id, uuid: graph[id].uuid, key: entry.key) }
    noteTag(of: id, entry, now)
    noteContent(of: id, entry, cause, now)
    if entry.kind == .directory, graph[id].flags.contains(.unreadable) { requests.append(.scan(id)) }
  }

  /// The tag and the content may have been changed while the file was on its way.
  mutating func noteFound(_ id: NodeID, _ entry: Entry?, _ now: MonotonicTime) {
    guard let entry, graph.isLive(id), displaced[id] == nil, graph.key(id) == entry.key else { return }
    noteTag(of: id, entry, now)
    noteContent(of: id, entry, .check, now)
  }

  mutating func noteContent(of id: NodeID, _ entry: Entry, _ cause: Cause, _ now: MonotonicTime) {
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
    let node = graph[id]
    guard entry.modified != node.modified || entry.size != node.size else { return }
    switch cause {
    case .hint(let kinds) where kinds.isSubset(of: [.attributes]) && entry.size == node.size:
      // Times set by hand are no change of content.
      graph.setContent(id, modified: entry.modified, size: entry.size)
    default:
      noteActivity(of: id, kinds: [], now)
    }
  }
}

// MARK: - Newcomers

extension Classifier {
  /// An inode is at a place where the graph has none, or another.
  private mutating func observeNewcomer(
    _ entry: Entry, over occupant: NodeID?, _ sighting: Sighting, _ now: MonotonicTime
  ) {
    if let occupant, displaced[occupant] == nil {
      // Where its inode has not been seen, what took the document's place was no save of it.
      displace(occupant, graph.key(occupant) == .unseen ? .gone : .unknown, leftByRename: false, now)
      lookWhereItWas(occupant)
    }
    if let holder = held[sighting.place], isInode(entry, of: holder) { return dropArrival(at: sighting.place, now) }
    if let known = graph.node(with: entry.key) {
      return observeKnown(known, entry, over: occupant, sighting, now)
    }
    if entry.kind == .directory {
      observeNewDirectory(entry, over: occupant, sighting, now)
    } else {
      noteArrival(entry, sighting, now)
    }
  }

  /// An inode that the graph has elsewhere is seen here: it was moved, or has a further name.
  private mutating func observeKnown(
    _ known: NodeID, _ entry: Entry, over occupant: NodeID?, _ sighting: Sighting, _ now: MonotonicTime
  ) {
    let names = graph.names(of: known)
    if names.contains(where: { hasLeft($0) && (sighting.isHinted || mayHaveFurther($0, entry, now)) }) {
      // The other half of its rename will tell where it is.
      return explainLater(sighting.place, entry.key, now)
    }
    if let moved = names.first(where: { isMissing($0, unlessSeenAgain: entry) }) {
      return settleFoundMove(moved, to: sighting.place, entry, now)
    }
    guard sighting.isVerified else {
      return requests.append(.verify(names, then: sighting.place, sighting.cause))
    }
    if let arrival = arrivals[sighting.place], names.contains(where: { displaced[$0]?.whereabouts == .gone }) {
      // Its further name, and the old one was removed: perhaps it is about to be saved under that.
      let isAwaited = arrival.progress.isOld && arrival.key == entry.key
      return isAwaited
        ? waitOn(arrival, entry, at: sighting.place) : awaitSave(entry, at: sighting.place, timing.settle, now)
    }
    let hasOneName = entry.linkCount < 2 || entry.kind == .directory
    if let moved = names.first(where: { displaced[$0] != nil || hasOneName && isAstray($0) }) {
      guard case .at(let elsewhere) = displaced[moved]?.whereabouts, entry.linkCount > 1 else {
        return settleFoundMove(moved, to: sighting.place, entry, now)
      }
      // It was renamed, and has a further name.
      commitMove(moved, to: elsewhere, now)
      return explainLater(sighting.place, entry.key, now)
    }
    if entry.kind == .directory, names.contains(where: isOutOfReach) {
      explainLater(sighting.place, entry.key, now)
    } else if entry.kind == .directory {
      requests.append(.reportLoop(sighting.place))
    } else if entry.linkCount < 2 {
      // It cannot be at both: it has moved since one of them was looked at.
      explainLater(sighting.place, entry.key, now)
    } else {
      noteLink(known, entry, over: occupant, sighting, now)
    }
  }

  /// Whether a directory is missing, or not to be reached, that an entry was in.
  private func isAstray(_ id: NodeID) -> Bool {
    var current = graph[id].parent
    while current != .root {
      if displaced[current] != nil || graph[current].flags.contains(.unreadable) { return true }
      current = graph[current].parent
    }
    return false
  }

  /// Whether nobody can look where an entry was, for the moment.
  private func isOutOfReach(_ id: NodeID) -> Bool {
    graph[graph[id].parent].flags.contains(.unreadable)
  }

  /// Whether what is found may be a further name of an entry that is on its way: the other half of its rename comes within one system call.
  private func mayHaveFurther(_ id: NodeID, _ entry: Entry, _ now: MonotonicTime) -> Bool {
    guard entry.linkCount > 1, let since = displaced[id]?.since else { return false }
    return now - since < timing.exchangeDelay
  }

  /// Whether this may be the inode of an entry that is missing, and not a further name of one that is known to be elsewhere.
  private func isMissing(_ id: NodeID, unlessSeenAgain entry: Entry) -> Bool {
    switch displaced[id]?.whereabouts {
    case nil, .gone: false
    case .at: entry.linkCount < 2
    case .unknown, .outside: true
    }
  }

  private mutating func settleFoundMove(_ id: NodeID, to place: Place, _ entry: Entry, _ now: MonotonicTime) {
    takeArrival(at: place)
    settleMove(id, to: place, isTrusted: false, now)
    // What it was found in is inside it as far as is known: that has left, and was not seen yet.
    if graph.isLive(id), graph.isLive(place.parent), graph.storage.isEntry(place.parent, inside: id) {
      explainLater(place, entry.key, now)
    }
    noteFound(id, entry, now)
  }

  /// A further name of a known inode.
  ///
  /// One that looks like a backup waits, or any where a newcomer does: its document may be about to be saved.
  private mutating func noteLink(
    _ known: NodeID, _ entry: Entry, over occupant: NodeID?, _ sighting: Sighting, _ now: MonotonicTime
  ) {
    takeArrival(at: sighting.place)
    let isBackup = graph.names(of: known).contains {
      patterns.isBackup(sighting.place.name, of: graph.name($0)) || mayBeAboutToBeSaved($0, now)
    }
    if occupant == nil && !isBackup {
      let id = link(known, at: sighting.place)
      if !sighting.isHinted { noteContent(of: id, entry, sighting.cause, now) }
      return
    }
    if let occupant, displaced[occupant] == nil { displace(occupant, .gone, leftByRename: false, now) }
    awaitSave(entry, at: sighting.place, isBackup ? timing.settle : 0, now)
  }

  /// Waits until it is known what becomes of a document that has a further name.
  private mutating func awaitSave(_ entry: Entry, at place: Place, _ time: Int64, _ now: MonotonicTime) {
    var progress = Progress(entry, at: now, nextCheck: now + time)
    progress.isClosed = true
    progress.isOld = true
    progress.lastActivity = now + (time - timing.quiet)
    put(Arrival(entry, progress), at: place)
  }

  /// What was left behind by a save is seen for the first time.
  private mutating func waitOn(_ arrival: Arrival, _ entry: Entry, at place: Place) {
    guard arrival.entry == nil else { return }
    var arrival = arrival
    arrival.entry = entry
    arrival.key = entry.key
    put(arrival, at: place)
  }

  /// Tells of a further name of a known inode.
  ///
  /// What is known of its content is the same for all names: a change since then is told by hints, or found.
  @discardableResult
  mutating func link(_ known: NodeID, at place: Place) -> NodeID {
    // Whatever was taken to be here is not.
    if let holder = held[place] { setWhereabouts(of: holder, .gone) }
    let node = graph[known]
    let content = FileGraph.Content(
      uuid: node.uuid, key: graph.key(known), kind: node.kind, modified: node.modified, size: node.size,
      flags: node.flags.intersection([.tagged, .arrived]))
    let id = graph.insert(content, named: place.name.span, in: place.parent)
    log.append(.linked, id, in: graph)
    return id
  }
}
