import FileEvents
import FileIdentity
import LinuxFileSystem

// Inodes that the graph has elsewhere are seen: they were moved, or have a further name.

extension Classifier {
  /// An inode that the graph has elsewhere is seen here: it was moved, or has a further name.
  mutating func observeKnownInode(_ known: NodeID, _ entry: Entry, over occupant: NodeID?, _ look: Look) {
    let missing = graph.names(of: known, with: .unresolved)
    if missing.contains(where: { hasLeft($0) && (look.isHinted || mayHaveFurther($0, entry)) }) {
      // The other half of its rename will tell where it is.
      return awaitRecord(look.place, entry.key)
    }
    if isRecycled(entry, known, missing) {
      for name in missing { loseInode(name) }
      return observeUnknownInode(entry, over: occupant, look)
    }
    if let moved = missing.first(where: { isMissing($0, unlessSeenAgain: entry) }) {
      return settleFoundMove(moved, to: look.place, entry)
    }
    let arrival = arrivals[look.place].flatMap { arrival in
      missing.contains { unresolved[$0]?.believedLocation == .gone } ? arrival : nil
    }
    let isAwaited = arrival.map { $0.activity.isKnownInode && $0.key == entry.key } ?? false
    // What two inodes have at each other's names would be verified by each other for ever.
    if isAwaited, arrival?.entry != nil { return }
    if !look.isVerified, mustVerifyNames(of: known, entry, look) {
      return requests.append(.verify(graph.names(of: known), then: look.place, look.cause))
    }
    if let arrival {
      // Its further name, and the old one was removed: perhaps it is about to be saved under that.
      return isAwaited
        ? waitOn(arrival, entry, at: look.place) : awaitSave(entry, at: look.place, timing.settle)
    }
    observeAtFurtherPlace(known, entry, over: occupant, missing, look)
  }

  /// An inode whose known names have been looked at is seen here, too.
  private mutating func observeAtFurtherPlace(
    _ known: NodeID, _ entry: Entry, over occupant: NodeID?, _ missing: [NodeID], _ look: Look
  ) {
    let hasOneName = entry.linkCount < 2 || entry.kind == .directory
    if let moved = missing.first ?? (hasOneName ? graph.names(of: known, atMost: 1, where: isAstray).first : nil) {
      guard case .at(let elsewhere) = unresolved[moved]?.believedLocation, entry.linkCount > 1 else {
        return settleFoundMove(moved, to: look.place, entry)
      }
      // It was renamed, and has a further name.
      commitMove(moved, to: elsewhere)
      return awaitRecord(look.place, entry.key)
    }
    if entry.kind == .directory, look.cause != .check || isOutOfReach(known) {
      // It may have moved since one of them was looked at.
      awaitRecord(look.place, entry.key)
    } else if entry.kind == .directory {
      requests.append(.reportLoop(look.place))
    } else if entry.linkCount < 2 {
      // It cannot be at both: it has moved since one of them was looked at.
      awaitRecord(look.place, entry.key)
    } else {
      noteLink(known, entry, over: occupant, look)
    }
  }

  /// Whether this is another inode with the number of one whose names are all missing: where the file system keeps no
  /// birth times (FUSE), only the tag tells, which whatever was renamed has kept.
  func isRecycled(_ entry: Entry, _ known: NodeID, _ missing: [NodeID]) -> Bool {
    // The links of a directory are those of what is in it.
    let hasOneName = entry.linkCount < 2 || entry.kind == .directory
    guard !entry.key.hasBirthTime, hasOneName, entry.tag != .unreadable else { return false }
    return missing.count == graph.nameCount(of: known)
      && missing.allSatisfy { name in
        let isGone = unresolved[name].map { $0.believedLocation == .unknown || $0.believedLocation == .gone } ?? false
        let mustHaveTag = entry.tag.uuid != nil || graph[name].flags.contains(.tagged)
        return isGone && mustHaveTag && entry.tag.uuid != graph[name].uuid
      }
  }

  /// An entry's inode is no more, and its number another's.
  private mutating func loseInode(_ id: NodeID) {
    graph.setInode(id, .unseen)
    setBelievedLocation(of: id, .gone)
    continueIdentity(as: id)
  }

  /// Whether what is found may be a further name of an entry that is on its way: the other half of its rename comes
  /// within one system call.
  private func mayHaveFurther(_ id: NodeID, _ entry: Entry) -> Bool {
    guard entry.linkCount > 1, let since = unresolved[id]?.since else { return false }
    return now - since < timing.exchangeDelay
  }

  /// Whether this may be the inode of an entry that is missing, and not a further name of one that is known to be
  /// elsewhere.
  func isMissing(_ id: NodeID, unlessSeenAgain entry: Entry) -> Bool {
    switch unresolved[id]?.believedLocation {
    case nil, .gone: false
    case .at: entry.linkCount < 2
    case .unknown, .outside: true
    }
  }

  /// Whether a name of a known inode, which is seen at a further place, may be missing, so that all must be looked at.
  ///
  /// Where there are many, they are not if this one was told to be made, and else only if the file has not as many
  /// names as are known with this one: each of them would be looked at for each that comes. One that is missing all the
  /// same is found to be by itself.
  private func mustVerifyNames(of known: NodeID, _ entry: Entry, _ look: Look) -> Bool {
    let count = graph.nameCount(of: known)
    if count <= Self.fewNames { return true }
    if case .hint(let kinds) = look.cause, kinds.contains(.created) { return false }
    return Int(entry.linkCount) <= count - graph.nameCount(of: known, with: .unresolved)
  }

  private mutating func settleFoundMove(_ id: NodeID, to place: Place, _ entry: Entry) {
    takeArrival(at: place)
    // It has left the place to which it was renamed: that was no half of a save. This may be.
    if case .at(let former) = unresolved[id]?.believedLocation, former != place {
      announceRename(ofEntryAt: former)
    }
    settleMove(id, to: place, isTrusted: false)
    // It may be a new directory with the number of that one, which nobody has marked or listed.
    if entry.kind == .directory, !entry.key.hasBirthTime, graph.isLive(id) { requests.append(.scanAnew(id)) }
    // What it was found in is inside it as far as is known: that has left, and was not seen yet.
    if graph.isLive(id), graph.isLive(place.parent), graph.storage.isEntry(place.parent, inside: id) {
      awaitRecord(place, entry.key)
    }
    noteFound(id, entry)
  }
}

// MARK: - Further names

extension Classifier {
  /// A further name of a known inode.
  ///
  /// One that looks like a backup waits, or any where a newcomer does: its document may be about to be saved.
  private mutating func noteLink(_ known: NodeID, _ entry: Entry, over occupant: NodeID?, _ look: Look) {
    takeArrival(at: look.place)
    let isBackup = someNames(of: known).contains {
      patterns.isBackup(look.place.name, of: graph.name($0)) || mayBeAboutToBeSaved($0)
    }
    if occupant == nil && !isBackup {
      let id = link(known, at: look.place)
      if !look.isHinted { noteContent(of: id, entry, look.cause) }
      return
    }
    if let occupant, unresolved[occupant] == nil { markUnresolved(occupant, .gone, leftByRename: false) }
    awaitSave(entry, at: look.place, isBackup ? timing.settle : 0)
  }

  /// Waits until it is known what becomes of a document that has a further name.
  private mutating func awaitSave(_ entry: Entry, at place: Place, _ time: Int64) {
    var activity = WriteActivity(entry, at: now, nextCheck: now + time)
    activity.isClosed = true
    activity.isKnownInode = true
    activity.lastActivity = now + (time - timing.quiet)
    put(Arrival(entry, activity), at: place)
  }

  /// What was left behind by a save is seen for the first time.
  private mutating func waitOn(_ arrival: Arrival, _ entry: Entry, at place: Place) {
    guard arrival.entry == nil else { return }
    var arrival = arrival
    arrival.entry = entry
    arrival.key = entry.key
    put(arrival, at: place)
  }
}
