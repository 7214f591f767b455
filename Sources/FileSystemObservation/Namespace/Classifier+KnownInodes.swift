import FileEvents
import FileIdentity
import LinuxFileSystem

// Looks that find an inode which the graph has elsewhere: it was moved, or is a further hard link.

extension Classifier {
  /// Takes in an inode that the graph has elsewhere.
  mutating func observeKnownInode(_ known: NodeID, _ entry: Entry, over occupant: NodeID?, _ look: Look) {
    let missing = graph.names(of: known, with: .unresolved)
    if missing.contains(where: { hasLeft($0) && mayHaveFurther($0, entry) }) {
      // The second half of its rename will say where it is.
      return awaitRecord(look.place, entry.key)
    }
    if isRecycled(entry, known, missing) {
      for name in missing where graph.isLive(name) { loseInode(name) }
      return observeUnknownInode(entry, over: occupant, look)
    }
    if let moved = missing.first(where: { isMissing($0, unlessSeenAgain: entry) }) {
      return settleFoundMove(moved, to: look.place, entry)
    }
    let arrival = arrivals[look.place].flatMap { arrival in
      missing.contains { unresolved[$0]?.believedLocation == .gone } ? arrival : nil
    }
    let isAwaited = arrival.map { $0.activity.isKnownInode && $0.key == entry.key } ?? false
    // Two inodes that are each at the other's name would request verification of each other endlessly.
    if isAwaited, arrival?.entry != nil { return }
    if !look.isVerified, mustVerifyNames(of: known, entry, look) {
      return requests.append(.verify(graph.names(of: known), then: .place(look.place, look.cause)))
    }
    if let arrival {
      // This is a further name, and the old one was removed: a save under the old name may follow.
      return isAwaited
        ? waitOn(arrival, entry, at: look.place) : awaitSave(entry, at: look.place, timing.settle)
    }
    observeAtFurtherPlace(known, entry, over: occupant, missing, look)
  }

  /// Takes in a further place of an inode whose known names have been verified.
  private mutating func observeAtFurtherPlace(
    _ known: NodeID, _ entry: Entry, over occupant: NodeID?, _ missing: [NodeID], _ look: Look
  ) {
    let hasOneName = entry.linkCount < 2 || entry.kind == .directory
    if let moved = missing.first ?? (hasOneName ? graph.names(of: known, atMost: 1) { isBelowGap($0) }.first : nil) {
      guard let elsewhere = believedPlace(of: moved), entry.linkCount > 1 else {
        return settleFoundMove(moved, to: look.place, entry)
      }
      // The inode was renamed, and has a further name.
      commitMove(moved, to: elsewhere)
      return awaitRecord(look.place, entry.key)
    }
    if entry.kind == .directory, look.cause != .check || isOutOfReach(known) {
      // It may have moved since one of the places was looked at.
      awaitRecord(look.place, entry.key)
    } else if entry.kind == .directory {
      requests.append(.reportLoop(look.place))
    } else if entry.linkCount < 2 {
      // A file with one link cannot be at both places: it has moved between the looks.
      awaitRecord(look.place, entry.key)
    } else {
      noteLink(known, entry, over: occupant, look)
    }
  }

  /// Whether this is another inode with the number of one whose names are all missing.
  ///
  /// Without birth times (FUSE) only the tag tells them apart: a renamed file keeps its tag.
  func isRecycled(_ entry: Entry, _ known: NodeID, _ missing: [NodeID]) -> Bool {
    let hasOneName = entry.linkCount < 2 || entry.kind == .directory
    guard !entry.key.hasBirthTime, hasOneName, entry.tag != .unreadable else { return false }
    return missing.count == graph.nameCount(of: known)
      && missing.allSatisfy { name in
        let isGone = unresolved[name].map { $0.believedLocation == .unknown || $0.believedLocation == .gone } ?? false
        let mustHaveTag = entry.tag.uuid != nil || graph[name].flags.contains(.tagged)
        return isGone && mustHaveTag && entry.tag.uuid != graph[name].uuid
      }
  }

  /// Marks an entry as gone because its inode belongs to another file.
  mutating func loseInode(_ id: NodeID) {
    graph.setInode(id, .unseen)
    setBelievedLocation(of: id, .gone)
    continueIdentity(of: id)
  }

  /// Whether this may be a further name of an entry whose rename is half replayed: the other half comes soon.
  private func mayHaveFurther(_ id: NodeID, _ entry: Entry) -> Bool {
    guard entry.linkCount > 1, let since = unresolved[id]?.since else { return false }
    return now - since < timing.exchangeDelay
  }

  /// Whether this may be the missing inode of an entry, rather than a further name of an inode that is elsewhere.
  func isMissing(_ id: NodeID, unlessSeenAgain entry: Entry) -> Bool {
    switch unresolved[id]?.believedLocation {
    case nil, .gone: false
    case .at: entry.linkCount < 2
    case .unknown, .outside: true
    }
  }

  /// Whether all names of a known inode must be looked at, because one may be missing.
  ///
  /// Few names are always looked at. Many are looked at only if no hint reports a new link and the link count allows no
  /// further name; otherwise each new link would cost a look at all others. A missing name is noticed without this.
  private func mustVerifyNames(of known: NodeID, _ entry: Entry, _ look: Look) -> Bool {
    let count = graph.nameCount(of: known)
    if count <= Self.fewNames { return true }
    if look.cause.kinds.contains(.created) { return false }
    return Int(entry.linkCount) <= count - graph.nameCount(of: known, with: .unresolved)
  }

  private mutating func settleFoundMove(_ id: NodeID, to place: Place, _ entry: Entry) {
    takeArrival(at: place)
    // The entry has left the target of its rename, so that rename was no part of a save. This move may be.
    if let former = believedPlace(of: id), former != place { announceRename(ofEntryAt: former) }
    if mayBeSetAside(id, at: place), wasSetAside(id, entry, at: place) {
      holdForSave(id, foundAt: place)
    } else {
      settleMove(id, to: place, isTrusted: false)
    }
    // It may be a new directory with a reused number, neither marked nor listed.
    if entry.kind == .directory, !entry.key.hasBirthTime, graph.isLive(id) { requests.append(.scanAnew(id)) }
    // The entry was found inside its own descendant: that directory has left it, and has not been looked at yet.
    if graph.isLive(id), graph.isLive(place.parent), graph.storage.isEntry(place.parent, inside: id) {
      awaitRecord(place, entry.key)
    }
    noteFound(id, entry)
  }
}

// MARK: - Further names

extension Classifier {
  /// Takes in a further hard link of a known inode.
  ///
  /// It waits if it looks like a backup or replaces an entry: its document may be about to be saved.
  private mutating func noteLink(_ known: NodeID, _ entry: Entry, over occupant: NodeID?, _ look: Look) {
    takeArrival(at: look.place)
    let isBackup = someNames(of: known).contains {
      patterns.isBackup(look.place.name, of: graph.name($0)) || mayBeAboutToBeSaved($0)
    }
    if occupant == nil && !isBackup {
      return noteContent(of: link(known, at: look.place), entry, look.cause)
    }
    if let occupant, unresolved[occupant] == nil { markUnresolved(occupant, .gone, leftByRename: false) }
    awaitSave(entry, at: look.place, isBackup ? timing.settle : 0)
  }

  /// Keeps a hard link waiting until its document is decided.
  private mutating func awaitSave(_ entry: Entry, at place: Place, _ time: Int64) {
    var activity = WriteActivity(entry, at: now, nextCheck: now + time)
    activity.isClosed = true
    activity.isKnownInode = true
    activity.lastActivity = now + (time - timing.quiet)
    put(Arrival(entry, activity), at: place)
  }

  /// Takes in the first look at the old inode that a save left behind.
  private mutating func waitOn(_ arrival: Arrival, _ entry: Entry, at place: Place) {
    guard arrival.entry == nil else { return }
    var arrival = arrival
    arrival.take(entry)
    put(arrival, at: place)
  }
}
