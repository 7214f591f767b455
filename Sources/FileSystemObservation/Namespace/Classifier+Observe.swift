import FileEvents
import FileIdentity
import LinuxFileSystem

// Looks at one place.

extension Classifier {
  /// Takes in what a look found.
  mutating func observe(_ look: Look) {
    let place = look.place
    guard isDirectory(place.parent) else { return }
    let kinds = aheadOfLog.remove(place)
    var look = look
    if look.cause == .check, !kinds.isEmpty { look.cause = .hint(kinds) }
    // A place that becomes visible again is taken in as by a listing.
    let isSeenAtLast = noteProbed(place)
    if isSeenAtLast, look.cause == .check { look.cause = .scan }
    look.entry = look.entry.map { presumingTag($0) }
    guard let entry = look.entry else { return observeAbsence(look) }
    identifyReported(entry)
    takeBackRestored(entry, look)
    let occupant = graph.node(at: place).flatMap { releaseName($0, entry) ? nil : $0 }
    if let occupant,
      graph.key(occupant) == entry.key && !isAnotherName(entry, thanThatOf: occupant)
        || isFirstSight(of: occupant, entry)
    {
      confirm(occupant, entry, look.cause)
    } else if isListedEarly(entry, look) {
      awaitRecord(place, entry.key)
    } else {
      observeUnknownInode(entry, over: occupant, look)
      if isSeenAtLast, arrivals[place]?.key == entry.key {
        arrivals.update(at: place) { $0.recovery = coverage.recovery }
      }
    }
  }

  /// Whether a file that is found at a place is known by another name in the same directory.
  func isRenamedFile(_ entry: Entry, to place: Place) -> Bool {
    guard entry.kind == .file, let known = graph.node(with: entry.key), graph[known].parent == place.parent else {
      return false
    }
    return graph.node(at: place).map { graph.key($0) != entry.key } ?? true
  }

  /// Takes in that a listing of a directory has only some of its known entries.
  ///
  /// - Returns: The other ones.
  @discardableResult
  mutating func missChildren(of directory: NodeID, besides listed: Set<NodeID>) -> [NodeID] {
    let missing = graph.storage.children(of: directory).filter { !listed.contains($0) }
    for child in missing where unresolved[child] == nil {
      observe(Look(place: graph.place(child), entry: nil, cause: .scan))
    }
    return missing
  }

  private mutating func observeAbsence(_ look: Look) {
    let place = look.place
    continueInFoundVersion(at: place)
    let occupant = graph.node(at: place)
    if let occupant, unresolved[occupant] == nil, arrivals[place] == nil {
      markUnresolved(occupant, .unknown, leftByRename: false)
      lookWhereItWas(occupant)
      for other in arrivals.places(of: graph.key(occupant)) { requestLook(at: other) }
    }
    dropArrival(at: place)
    waitingDirectories.removeValue(forKey: place)
    guard let holder = unresolved.entry(at: place) else { return }
    setBelievedLocation(of: holder, .gone)
    continueIdentity(of: holder)
  }

  /// Announces a held rename because its inode has a new link at the former place; returns whether that is free.
  mutating func releaseName(_ id: NodeID, _ entry: Entry) -> Bool {
    let place = graph.place(id)
    guard let unresolvedEntry = unresolved[id], let elsewhere = unresolvedEntry.believedPlace, !unresolvedEntry.isFound,
      entry.linkCount > 1, entry.key == graph.key(id), arrivals[place] != nil, !isBackup(id, elsewhere)
    else { return false }
    commitMove(id, to: elsewhere)
    return graph.node(at: place) == nil
  }

  /// Whether a lost name now belongs to another name of the same inode, which was renamed over it.
  private func isAnotherName(_ entry: Entry, thanThatOf id: NodeID) -> Bool {
    guard unresolved[id] != nil, let holder = unresolved.entry(at: graph.place(id)) else { return false }
    return holder != id && graph.key(holder) == entry.key
  }

  /// Whether this is the first look at an inode that took a document's place unseen.
  private func isFirstSight(of id: NodeID, _ entry: Entry) -> Bool {
    mayHaveInode(id, of: entry) && unresolved[id] == nil && !(entry.kind == .directory && bringsIdentity(entry))
      && !isReported(entry, asAnotherThan: id)
  }

  /// Whether a rescan has listed an inode at another place than its own, and has not listed all others yet.
  private func isListedEarly(_ entry: Entry, _ look: Look) -> Bool {
    guard coverage.isRescanning, look.cause == .scan, let known = graph.node(with: entry.key) else { return false }
    return unresolved[known] == nil || graph.node(at: look.place) != nil
  }
}
