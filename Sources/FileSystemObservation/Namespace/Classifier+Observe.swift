import FileEvents
import FileIdentity
import LinuxFileSystem

// Facts about one place.

extension Classifier {
  /// Takes in what is at a place now.
  mutating func observe(_ look: Look) {
    let place = look.place
    guard graph.isLive(place.parent), graph[place.parent].kind == .directory else { return }
    aheadOfLog.remove(place)
    var look = look
    // Seen at last: as if a listing had found it.
    let isSeenAtLast = noteProbed(place)
    if isSeenAtLast, look.cause == .check { look.cause = .scan }
    guard let entry = look.entry else { return observeAbsence(look) }
    let occupant = graph.node(at: place).flatMap { releaseName($0, entry) ? nil : $0 }
    if let occupant,
      graph.key(occupant) == entry.key && !isAnotherName(entry, thanThatOf: occupant)
        || isFirstSight(of: occupant, entry)
    {
      if isBackAheadOfItsHint(occupant, entry, look) { return awaitRecord(place, entry.key) }
      confirm(occupant, entry, look.cause)
    } else if isAheadOfItsHint(entry, over: occupant, look) {
      awaitRecord(place, entry.key)
    } else {
      observeUnknownInode(entry, over: occupant, look)
      if isSeenAtLast, arrivals[place]?.key == entry.key {
        arrivals.update(at: place) { $0.recovery = coverage.recovery }
      }
    }
  }

  private mutating func observeAbsence(_ look: Look) {
    let place = look.place
    let occupant = graph.node(at: place)
    if let occupant, unresolved[occupant] == nil, arrivals[place] == nil {
      markUnresolved(occupant, .unknown, leftByRename: false)
      lookWhereItWas(occupant)
    }
    // A hint that has not been read may tell where a newcomer went.
    if look.isHinted { return finishLater(place) }
    dropArrival(at: place)
    guard let holder = unresolved.entry(at: place) else { return }
    setBelievedLocation(of: holder, .gone)
    continueIdentity(as: holder)
  }

  /// An entry that was renamed has a new name where it was: it is told to be where it went.
  mutating func releaseName(_ id: NodeID, _ entry: Entry) -> Bool {
    let place = graph.place(id)
    guard let unresolvedEntry = unresolved[id], case .at(let elsewhere) = unresolvedEntry.believedLocation,
      !unresolvedEntry.isFound,
      entry.linkCount > 1, entry.key == graph.key(id), arrivals[place] != nil, !isBackup(id, elsewhere)
    else { return false }
    commitMove(id, to: elsewhere)
    return graph.node(at: place) == nil
  }

  /// Whether a name was removed, or replaced, and another name of the same inode came to its place.
  private func isAnotherName(_ entry: Entry, thanThatOf id: NodeID) -> Bool {
    guard unresolved[id] != nil, let holder = unresolved.entry(at: graph.place(id)) else { return false }
    return holder != id && graph.key(holder) == entry.key
  }

  /// Whether this is the inode of an entry that took a document's place unseen.
  private func isFirstSight(of id: NodeID, _ entry: Entry) -> Bool {
    graph.key(id) == .unseen && unresolved[id] == nil && graph[id].kind == entry.kind
      && graph.node(with: entry.key) == nil
  }

  /// Whether what is found at a place is what a later hint will tell of.
  ///
  /// An inode that is known elsewhere came here by a rename, unless it has several names; and an entry that is there as
  /// far as the hints have told does not lose its name without one.
  private func isAheadOfItsHint(_ entry: Entry, over occupant: NodeID?, _ look: Look) -> Bool {
    if coverage.isRescanning, look.cause == .scan, let known = graph.node(with: entry.key) {
      return unresolved[known] == nil || graph.node(at: look.place) != nil
    }
    guard case .hint(let kinds) = look.cause else { return false }
    if let holder = unresolved.entry(at: look.place), graph.key(holder) == entry.key { return false }
    if arrivals[look.place]?.key == entry.key { return false }
    if let known = graph.node(with: entry.key) {
      let mayBeMissed = arrivals[look.place]?.mayBeMissed == true
      if mayBeMissed, graph.names(of: known, with: .unresolved).contains(where: isMissing) { return false }
      return !kinds.contains(.created) || entry.linkCount < 2 || entry.kind == .directory
    }
    guard arrivals[look.place] == nil else { return false }
    // What was renamed here is here as long as no hint says that something came over it.
    if let holder = unresolved.entry(at: look.place), graph.key(holder) != .unseen { return true }
    guard let occupant else { return false }
    return isPresent(occupant) && graph.key(occupant) != .unseen
  }

  /// Whether an entry is found at its own place that is elsewhere as far as the hints have told, or removed and another
  /// in its place.
  private func isBackAheadOfItsHint(_ id: NodeID, _ entry: Entry, _ look: Look) -> Bool {
    guard look.isHinted, let unresolvedEntry = unresolved[id], !unresolvedEntry.isFound else { return false }
    let isTaken = unresolved.entry(at: look.place).map { $0 != id } ?? false
    switch unresolvedEntry.believedLocation {
    case .at: return entry.linkCount < 2 || isTaken
    case .gone: return isTaken
    case .unknown, .outside: return false
    }
  }
}
