import FileEvents
import LinuxFileSystem

// What the kernel tells, in its order. Nothing is looked at here: the kernel tells everything that happens to the names
// of a marked directory while it holds the directory's lock (vfs_rename, vfs_create, vfs_unlink), so that its word is
// exact however late it is read. What is found on disk by then may be the future. Only what the newcomers are must be
// found out: their places are `touched`.

extension Classifier {
  /// Takes a hint at its word.
  mutating func follow(_ hint: Hint, at place: Place) {
    let kinds = hint.kinds
    aheadOfLog.noteHint(in: place.parent)
    let isDirectory = kinds.contains(.directory)
    if kinds.contains(.created) { noteCreated(at: place, isDirectory: isDirectory) }
    if kinds.contains(.removed) { noteRemoved(at: place) }
    if kinds.contains(.movedFrom) { depart(from: place, cookie: hint.cookie) }
    if kinds.contains(.movedTo) { arrive(at: place, cookie: hint.cookie, isDirectory: isDirectory) }
    let content = kinds.intersection([.written, .closed])
    if !content.isEmpty, !noteWriting(at: place, kinds) { placesToInspect.insert(place, kinds) }
    if kinds.contains(.attributes) { placesToInspect.insert(place, .attributes) }
  }

  /// Something happened to an entry before its directory was listed.
  mutating func replayStale(_ kinds: HintKinds, at place: Place) {
    let content = kinds.intersection([.written, .closed])
    if !content.isEmpty, noteWriting(at: place, content) { return placesToInspect.insert(place, []) }
    placesToInspect.insert(place, kinds.subtracting([.created, .removed]))
  }

  /// A name came to be: by creation or by a further link.
  private mutating func noteCreated(at place: Place, isDirectory: Bool) {
    placesToInspect.insert(place, .created)
    guard arrivals[place] == nil, unresolved.entry(at: place) == nil else { return }
    if let id = graph.node(at: place) {
      // It cannot be created while it is there: then more is known already than the hint tells.
      guard unresolved[id] != nil else { return }
      noteNameTaken(from: id)
    }
    if isDirectory { return }
    put(Arrival(at: now, nextCheck: now + timing.quiet), at: place)
    continueIdentity(at: place)
  }

  /// A name was removed.
  mutating func noteRemoved(at place: Place) {
    if arrivals[place] != nil { return dropArrival(at: place) }
    announceRename(ofEntryAt: place)
    guard let id = unresolved.entry(at: place) ?? graph.node(at: place),
      unresolved.entry(at: place) != nil || isPresent(id)
    else { return }
    noteGone(id)
  }

  /// An entry's name was removed, or something was moved over it.
  mutating func noteGone(_ id: NodeID, isAdopted: Bool = true) {
    if unresolved[id] == nil {
      markUnresolved(id, .gone, leftByRename: false)
    } else {
      setBelievedLocation(of: id, .gone)
    }
    if isAdopted { continueIdentity(as: id) }
    // As long as it had this name, what came to another of its names might have been a link of it.
    guard graph.isLive(id), graph.hasOtherNames(id) else { return }
    let waiting = waitingNames.members(of: graph[id].uuid).sorted { $0.rawValue < $1.rawValue }
    for name in waiting where name != id {
      waitingNames.remove(name, for: graph[id].uuid)
      guard graph.isLive(name), unresolved[name]?.believedLocation == .gone else { continue }
      if arrivals[graph.place(name)]?.activity.cannotBeHardLink == true { continueIdentity(as: name) }
    }
  }

  /// The first half of a rename: the name is gone.
  ///
  /// Told at once if the second half comes; otherwise decided at the end of the window.
  mutating func depart(from place: Place, cookie: UInt32) {
    awaitSecondHalf(of: PendingRename(take(from: place), from: place, in: graph), cookie)
  }

  /// The second half of a rename.
  mutating func arrive(at place: Place, cookie: UInt32, isDirectory: Bool) {
    placesToInspect.insert(place, isDirectory ? [.movedTo, .directory] : .movedTo)
    put(arriving(cookie, isDirectory), at: place)
  }

  /// Takes in that something was written or closed.
  ///
  /// Says whether the place is known; if not, it must be looked at.
  private mutating func noteWriting(at place: Place, _ kinds: HintKinds) -> Bool {
    if arrivals[place] != nil {
      // In place: taking the arrival out and in again for every write would be waste.
      arrivals.update(at: place) { [timing] in $0.noteActivity(kinds, now, quiet: timing.quiet) }
      if kinds.contains(.closed) { timers.schedule(.arrival(place), at: now + timing.quiet) }
      // By its further name, which is not told yet, a document may be written.
      if let known = arrivals[place].flatMap({ graph.node(with: $0.key) }) {
        noteActivity(of: known, kinds: kinds)
      }
      if kinds.contains(.closed) { continueIdentity(at: place) }
      return true
    }
    guard let id = graph.node(at: place), unresolved[id] == nil else { return false }
    if graph[id].kind == .file { noteActivity(of: id, kinds: kinds) }
    return true
  }
}

// MARK: - Places

extension Classifier {
  /// Takes away what stands at a place.
  mutating func take(from place: Place) -> Occupant {
    if var arrival = takeArrival(at: place) {
      wakeBlockedFile(by: place)
      // Of an exchange with something that is not known here, half may have been taken for a rename there and back.
      if arrival.activity.cameByRename { scheduleRecheck(at: place, after: now) }
      arrival.previous = place
      arrival.activity.nextCheck = now + timing.quiet
      // What was found here may have come when this had left already.
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
    // It may have been here for half of an exchange only, and something else be here now.
    if graph[id].kind == .directory { placesToInspect.insert(place, []) }
    if unresolved[id] == nil { markUnresolved(id, .unknown, leftByRename: true) }
    unresolved[id]?.leftByRename = true
    return .entry(id)
  }

  /// Puts what was taken to another place: whatever stood there has been overwritten.
  mutating func put(_ occupant: Occupant, at place: Place) {
    dropArrival(at: place)
    announceRename(ofEntryAt: place)
    if let holder = unresolved.entry(at: place) { noteGone(holder) }
    switch occupant {
    case .entry(let id):
      if graph.node(at: place) == id { return markResolved(id) }
      // It was found by a further name meanwhile.
      if unresolved[id] == nil { placesToInspect.insert(graph.place(id), []) }
      settleMove(id, to: place, isTrusted: true)
    case .arrival(var arrival):
      // What comes over a document is looked at first for its next version, and not what came to the name that it had
      // before.
      overwrite(at: place, isAdopted: false)
      arrival.activity.cameByRename = true
      if arrival.activity.isClosed {
        arrival.activity.nextCheck = max(now, arrival.activity.lastActivity + timing.quiet)
      }
      if !arrival.activity.cameFromOutside, arrival.previous != nil || isWrittenUnobserved(in: place.parent) {
        recognizeSave(firstSeen: arrival.activity.firstSeen, at: place)
      }
      put(arrival, at: place)
      continueIdentity(at: place)
    case .unknown:
      overwrite(at: place)
    }
  }

  /// Something was renamed to a place: whatever entry stood there is gone.
  ///
  /// - Parameter isAdopted: Whether something that is known already may be its next version.
  mutating func overwrite(at place: Place, isAdopted: Bool = true) {
    guard let id = graph.node(at: place) else { return }
    if isPresent(id) { noteGone(id, isAdopted: isAdopted) } else { noteNameTaken(from: id) }
  }
}
