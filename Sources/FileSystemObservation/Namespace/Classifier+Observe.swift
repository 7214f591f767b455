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
  mutating func letGo(_ id: NodeID, _ entry: Entry, _ now: MonotonicTime) -> Bool {
    let place = graph.place(id)
    guard let displacement = displaced[id], case .at(let elsewhere) = displacement.whereabouts, !displacement.isFound,
      entry.linkCount > 1, entry.key == graph.key(id), arrivals[place] != nil, !isBackup(id, elsewhere)
    else { return false }
    commitMove(id, to: elsewhere, now)
    return graph.node(at: place) == nil
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
}
