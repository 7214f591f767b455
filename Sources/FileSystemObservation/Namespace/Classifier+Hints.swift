import FileEvents
import LinuxFileSystem

// Replay of the kernel's events, in their order and without looks.
//
// The kernel reports each change of a marked directory's names under the lock of that directory (vfs_rename,
// vfs_create, vfs_unlink). An event is therefore exact however late it is read, while a look may show the future. Only
// the inodes of arrivals must be found out: their places go to `placesToInspect`.

extension Classifier {
  /// Replays a hint.
  mutating func follow(_ hint: Hint, at place: Place) {
    let kinds = hint.kinds
    aheadOfLog.noteHint(in: place.parent)
    let isDirectory = kinds.contains(.directory)
    if kinds.contains(.created) { noteCreated(at: place, isDirectory: isDirectory) }
    if kinds.contains(.removed) { noteRemoved(at: place) }
    if kinds.contains(.movedFrom) { depart(from: place, hint) }
    if kinds.contains(.movedTo) { arrive(at: place, hint) }
    let content = kinds.intersection(.contentChanges)
    if !content.isEmpty, !noteWriting(at: place, kinds) { placesToInspect.insert(place, kinds) }
    if kinds.contains(.attributes) { placesToInspect.insert(place, .attributes) }
  }

  /// Replays a hint from before the listing of its directory: it only says where to look.
  mutating func replayStale(_ kinds: HintKinds, at place: Place) {
    let content = kinds.intersection(.contentChanges)
    if !content.isEmpty, noteWriting(at: place, content) { return placesToInspect.insert(place, []) }
    placesToInspect.insert(place, kinds.subtracting([.created, .removed]))
  }

  /// Replays the creation of a name: a new inode or a hard link.
  private mutating func noteCreated(at place: Place, isDirectory: Bool) {
    placesToInspect.insert(place, .created)
    guard arrivals[place] == nil, unresolved.entry(at: place) == nil else { return }
    if let id = graph.node(at: place) {
      // A present name cannot be created: a look was ahead of this hint.
      guard unresolved[id] != nil else { return }
      noteNameTaken(from: id)
    }
    if isDirectory { return }
    put(Arrival(at: now, nextCheck: now + timing.quiet), at: place)
    continueIdentity(at: place)
  }

  /// Replays the removal of a name.
  mutating func noteRemoved(at place: Place) {
    believeFind(at: place)
    continueInFoundVersion(at: place)
    if arrivals[place] != nil { return dropArrival(at: place) }
    announceRename(ofEntryAt: place)
    if let id = believedEntry(at: place) { noteGone(id) }
  }

  /// Notes that an entry's name was removed or replaced.
  mutating func noteGone(_ id: NodeID, mayContinue: Bool = true) {
    if unresolved[id] == nil {
      markUnresolved(id, .gone, leftByRename: false)
    } else {
      setBelievedLocation(of: id, .gone)
    }
    if mayContinue { continueIdentity(of: id) }
    // While the file had this name, the arrival at another of its names could be a hard link of it.
    guard graph.isLive(id), graph.hasOtherNames(id) else { return }
    let waiting = waitingNames.members(of: graph[id].uuid).sorted()
    for name in waiting where name != id {
      waitingNames.remove(name, for: graph[id].uuid)
      guard graph.isLive(name), unresolved[name]?.believedLocation == .gone else { continue }
      if arrivals[graph.place(name)]?.activity.cannotBeHardLink == true { continueIdentity(of: name) }
    }
  }

  /// Replays the first half of a rename; without the second, the entry is decided at the end of the settle window.
  mutating func depart(from place: Place, _ hint: Hint) {
    let occupant = take(from: place)
    if case .entry(let id) = occupant {
      if let file = hint.file { identify(id, as: file) }
      // A listing has found it before.
      for place in aheadOfLog.places(of: graph.key(id)) { placesToInspect.insert(place, []) }
    }
    awaitSecondHalf(of: PendingRename(occupant, of: hint.file, from: place, in: graph), hint.cookie)
  }

  /// Replays the second half of a rename.
  mutating func arrive(at place: Place, _ hint: Hint) {
    placesToInspect.insert(place, hint.kinds.intersection([.movedTo, .directory]))
    put(arriving(hint), at: place)
  }

  /// Replays a write or a close; returns whether the place is known, and need not be looked at.
  private mutating func noteWriting(at place: Place, _ kinds: HintKinds) -> Bool {
    if let arrival = noteWriting(ofArrivalAt: place, kinds) {
      if kinds.contains(.closed) { timers.schedule(.arrival(place), at: arrival.activity.nextCheck) }
      // The write may go through a further name, not announced yet, of a document.
      if let known = graph.node(with: arrival.key) { noteActivity(of: known, kinds: kinds) }
      if kinds.contains(.closed) { continueIdentity(at: place) }
      return true
    }
    guard let id = graph.node(at: place), unresolved[id] == nil else { return false }
    if graph[id].kind == .file { noteActivity(of: id, kinds: kinds) }
    return true
  }

  /// Notes a write or a close in place: to remove and insert the arrival with each write would be slow.
  private mutating func noteWriting(ofArrivalAt place: Place, _ kinds: HintKinds) -> Arrival? {
    let longest = kinds.contains(.closed) ? flashGuard(at: place) + timing.quiet : nil
    return arrivals.update(at: place) { [timing, now] activity in
      activity.noteActivity(kinds, now, quiet: timing.quiet)
      // A file that is closed again and again is announced as unfinished all the same.
      if let longest { activity.nextCheck = min(activity.nextCheck, max(now, activity.firstSeen + longest)) }
    }
  }
}

// MARK: - Places

extension Classifier {
  /// Takes the occupant away from a place.
  mutating func take(from place: Place) -> Occupant {
    believeFind(at: place)
    continueInFoundVersion(at: place)
    if var arrival = takeArrival(at: place) {
      wakeBlockedFile(by: place)
      // This may be half of an exchange with an unknown file, replayed as a rename there and back.
      if arrival.activity.cameByRename || arrival.activity.wasFound { scheduleRecheck(at: place, after: now) }
      arrival.previous = place
      arrival.activity.nextCheck = now + timing.quiet
      // The look may have found a later inode.
      if graph.node(with: arrival.key) == nil {
        arrival.mayBeBack = arrival.entry.map { isReturn($0, arrival.activity) } ?? arrival.mayBeBack
        arrival.forgetLook()
      }
      return .arrival(arrival)
    }
    announceRename(ofEntryAt: place)
    if let holder = unresolved.entry(at: place), graph.isLive(holder) {
      setBelievedLocation(of: holder, .unknown)
      unresolved[holder]?.leftByRename = true
      return .entry(holder)
    }
    guard let id = standing(at: place) else { return .unknown }
    if writing[id]?.cameByRename == true { scheduleRecheck(at: place, after: now) }
    // If its move here was half of an exchange, another inode is here now.
    if graph[id].kind == .directory { placesToInspect.insert(place, []) }
    markLeft(id)
    unresolved[id]?.leftByRename = true
    return .entry(id)
  }

  /// Passes a missing document's identity to the file that a look found in its place, before that leaves it; returns
  /// whether there is one.
  ///
  /// The document was not renamed: the hint of that would have come before. It was replaced while nobody observed.
  @discardableResult
  mutating func continueInFoundVersion(at place: Place) -> Bool {
    guard !coverage.isRescanning, let id = graph.node(at: place), let arrival = arrivals[place],
      let missing = unresolved[id], !missing.isDecided, !missing.leftByRename, canContinue(id, with: arrival)
    else { return false }
    if arrival.activity.wasFound { scheduleRecheck(at: place, after: now) }
    continueIdentity(of: id, with: arrival)
    return true
  }

  /// Puts an occupant at a place, and overwrites what is there.
  mutating func put(_ occupant: Occupant, at place: Place) {
    believeFind(at: place)
    dropArrival(at: place)
    announceRename(ofEntryAt: place)
    if let holder = unresolved.entry(at: place) { noteGone(holder) }
    switch occupant {
    case .entry(let id):
      if graph.node(at: place) == id { return markResolved(id) }
      settleMove(id, to: place, isTrusted: true)
    case .arrival(var arrival):
      // The next version of an overwritten document is looked for here first, and not at its former name.
      overwrite(at: place, mayContinue: false)
      arrival.activity.cameByRename = true
      if arrival.activity.isClosed {
        arrival.activity.nextCheck = max(now, arrival.activity.lastActivity + timing.quiet)
      }
      if !arrival.activity.cameFromOutside, arrival.previous != nil || isWrittenUnobserved(in: place.parent) {
        recognizeSave(firstSeen: arrival.activity.firstSeen, at: place, from: arrival.previous)
      }
      put(arrival, at: place)
      continueIdentity(at: place)
    case .unknown:
      overwrite(at: place)
    }
  }

  /// Notes that a rename overwrote an entry.
  ///
  /// - Parameter mayContinue: Whether an arrival that is known already may be its next version.
  mutating func overwrite(at place: Place, mayContinue: Bool = true) {
    guard let id = graph.node(at: place) else { return }
    if isPresent(id) { noteGone(id, mayContinue: mayContinue) } else { noteNameTaken(from: id) }
  }
}
