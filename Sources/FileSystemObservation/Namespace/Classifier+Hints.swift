import FileEvents
import LinuxFileSystem

// What the kernel tells, in its order. Nothing is looked at here: the kernel tells everything that happens to the names
// of a marked directory while it holds the directory's lock (vfs_rename, vfs_create, vfs_unlink), so that its word is
// exact however late it is read. What is found on disk by then may be the future. Only what the newcomers are must be
// found out: their places are `touched`.

extension Classifier {
  /// Takes a hint at its word.
  mutating func follow(_ hint: Hint, at place: Place, _ now: MonotonicTime) {
    let kinds = hint.kinds
    if let count = hintCounts[place.parent] { hintCounts[place.parent] = count + 1 }
    let isDirectory = kinds.contains(.directory)
    if kinds.contains(.created) { noteCreated(at: place, isDirectory: isDirectory, now) }
    if kinds.contains(.removed) { noteRemoved(at: place, now) }
    if kinds.contains(.movedFrom) { depart(from: place, cookie: hint.cookie, at: now) }
    if kinds.contains(.movedTo) { arrive(at: place, cookie: hint.cookie, isDirectory: isDirectory, at: now) }
    let content = kinds.intersection([.written, .closed])
    if !content.isEmpty, !noteWriting(at: place, kinds, now) { touched.insert(place, kinds) }
    if kinds.contains(.attributes) { touched.insert(place, .attributes) }
  }

  /// Something happened to an entry before its directory was listed.
  mutating func followEarlier(_ kinds: HintKinds, at place: Place, _ now: MonotonicTime) {
    let content = kinds.intersection([.written, .closed])
    if !content.isEmpty, noteWriting(at: place, content, now) { return touched.insert(place, []) }
    touched.insert(place, kinds.subtracting([.created, .removed]))
  }

  /// A name came to be: by creation or by a further link.
  private mutating func noteCreated(at place: Place, isDirectory: Bool, _ now: MonotonicTime) {
    touched.insert(place, .created)
    guard arrivals[place] == nil, held[place] == nil else { return }
    if let id = graph.node(at: place) {
      // It cannot be created while it is there: then more is known already than the hint tells.
      guard displaced[id] != nil else { return }
      noteNameTaken(from: id)
    }
    if isDirectory { return }
    put(Arrival(at: now, nextCheck: now + timing.quiet), at: place)
    adoptNewcomer(at: place, now)
  }

  /// A name was removed.
  mutating func noteRemoved(at place: Place, _ now: MonotonicTime) {
    if arrivals[place] != nil { return dropArrival(at: place, now) }
    tellRename(ofHeldAt: place, now)
    guard let id = held[place] ?? graph.node(at: place), held[place] != nil || isPresent(id) else { return }
    noteGone(id, now)
  }

  /// An entry's name was removed, or something was moved over it.
  mutating func noteGone(_ id: NodeID, isAdopted: Bool = true, _ now: MonotonicTime) {
    if displaced[id] == nil { displace(id, .gone, leftByRename: false, now) } else { setWhereabouts(of: id, .gone) }
    if isAdopted { adoptNewcomer(as: id, now) }
    // As long as it had this name, what came to another of its names might have been a link of it.
    guard graph.isLive(id), graph.hasOtherNames(id) else { return }
    let waiting = waitingNames.members(of: graph[id].uuid).sorted { $0.rawValue < $1.rawValue }
    for name in waiting where name != id {
      waitingNames.remove(name, for: graph[id].uuid)
      guard graph.isLive(name), displaced[name]?.whereabouts == .gone else { continue }
      if arrivals[graph.place(name)]?.progress.isNoLink == true { adoptNewcomer(as: name, now) }
    }
  }

  /// The first half of a rename: the name is gone.
  ///
  /// Told at once if the second half comes; otherwise decided at the end of the window.
  mutating func depart(from place: Place, cookie: UInt32, at now: MonotonicTime) {
    awaitSecondHalf(of: Departure(take(from: place, now), from: place, in: graph), cookie, now)
  }

  /// The second half of a rename.
  mutating func arrive(at place: Place, cookie: UInt32, isDirectory: Bool, at now: MonotonicTime) {
    touched.insert(place, isDirectory ? [.movedTo, .directory] : .movedTo)
    put(arriving(cookie, isDirectory, now), at: place, now)
  }

  /// Takes in that something was written or closed.
  ///
  /// Says whether the place is known; if not, it must be looked at.
  private mutating func noteWriting(at place: Place, _ kinds: HintKinds, _ now: MonotonicTime) -> Bool {
    if arrivals[place] != nil {
      // In place: taking the arrival out and in again for every write would be waste.
      arrivals[place]?.progress.noteActivity(kinds, now, quiet: timing.quiet)
      if kinds.contains(.closed) { timers.schedule(.arrival(place), at: now + timing.quiet) }
      // By its further name, which is not told yet, a document may be written.
      if let known = arrivals[place].flatMap({ graph.node(with: $0.key) }) {
        noteActivity(of: known, kinds: kinds, now)
      }
      if kinds.contains(.closed) { adoptNewcomer(at: place, now) }
      return true
    }
    guard let id = graph.node(at: place), displaced[id] == nil else { return false }
    if graph[id].kind == .file { noteActivity(of: id, kinds: kinds, now) }
    return true
  }
}

// MARK: - Places

extension Classifier {
  /// Takes away what stands at a place.
  mutating func take(from place: Place, _ now: MonotonicTime) -> Occupant {
    if var arrival = takeArrival(at: place) {
      wakeFileHeldUp(by: place, now)
      // Of an exchange with something that is not known here, half may have been taken for a rename there and back.
      if arrival.progress.cameByRename { lookAgain(at: place, after: now) }
      arrival.previous = place
      arrival.progress.nextCheck = now + timing.quiet
      // What was found here may have come when this had left already.
      if graph.node(with: arrival.key) == nil {
        arrival.mayBeBack = arrival.entry.map { isReturn($0, arrival.progress) } ?? arrival.mayBeBack
        arrival.forgetLook()
      }
      return .arrival(arrival)
    }
    tellRename(ofHeldAt: place, now)
    if let holder = held[place], graph.isLive(holder) {
      setWhereabouts(of: holder, .unknown)
      displaced[holder]?.leftByRename = true
      return .entry(holder)
    }
    guard let id = standing(at: place) else { return .unknown }
    if writing[id]?.cameByRename == true { lookAgain(at: place, after: now) }
    // It may have been here for half of an exchange only, and something else be here now.
    if graph[id].kind == .directory { touched.insert(place, []) }
    if displaced[id] == nil { displace(id, .unknown, leftByRename: true, now) }
    displaced[id]?.leftByRename = true
    return .entry(id)
  }

  /// Puts what was taken to another place: whatever stood there has been overwritten.
  mutating func put(_ occupant: Occupant, at place: Place, _ now: MonotonicTime) {
    dropArrival(at: place, now)
    tellRename(ofHeldAt: place, now)
    if let holder = held[place] { noteGone(holder, now) }
    switch occupant {
    case .entry(let id):
      if graph.node(at: place) == id { return endDisplacement(id) }
      // It was found by a further name meanwhile.
      if displaced[id] == nil { touched.insert(graph.place(id), []) }
      settleMove(id, to: place, isTrusted: true, now)
    case .arrival(var arrival):
      // What comes over a document is looked at first for its next version, and not what came to the name that it had
      // before.
      overwrite(at: place, isAdopted: false, now)
      arrival.progress.cameByRename = true
      if arrival.progress.isClosed {
        arrival.progress.nextCheck = max(now, arrival.progress.lastActivity + timing.quiet)
      }
      if !arrival.progress.cameFromOutside, arrival.previous != nil || isWrittenHidden(in: place.parent, now) {
        noteSuccessor(firstSeen: arrival.progress.firstSeen, at: place, now)
      }
      put(arrival, at: place)
      adoptNewcomer(at: place, now)
    case .unknown:
      overwrite(at: place, now)
    }
  }

  /// Something was renamed to a place: whatever entry stood there is gone.
  ///
  /// - Parameter isAdopted: Whether something that is known already may be its next version.
  mutating func overwrite(at place: Place, isAdopted: Bool = true, _ now: MonotonicTime) {
    guard let id = graph.node(at: place) else { return }
    if isPresent(id) { noteGone(id, isAdopted: isAdopted, now) } else { noteNameTaken(from: id) }
  }
}
