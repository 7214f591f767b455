import FileEvents
import FileIdentity
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

  /// Whether anything is at a place as far as the hints have told.
  func isOccupied(_ place: Place) -> Bool {
    if arrivals[place] != nil || held[place] != nil { return true }
    return graph.node(at: place).map { isPresent($0) } ?? false
  }

  /// Whether a file was found at a place, and no hint tells of anything else there.
  func isFile(at place: Place) -> Bool {
    if let arrival = arrivals[place] { return arrival.kind == .file && arrival.key != .unseen }
    guard held[place] == nil, let id = graph.node(at: place) else { return false }
    return displaced[id] == nil && graph[id].kind == .file
  }

  /// Whether what is at a place, as far as the hints have told, is known to be another inode than this.
  func isOccupied(_ place: Place, byOtherThan inode: UInt64) -> Bool {
    var key = FileKey.unseen
    if let arrival = arrivals[place] {
      key = arrival.key
    } else if let id = held[place] ?? graph.node(at: place), held[place] != nil || isPresent(id) {
      key = graph.key(id)
    }
    return key != .unseen && key.inode != inode
  }

  /// Whether an entry left by a rename whose other half has not come.
  func hasLeft(_ id: NodeID) -> Bool {
    guard let displacement = displaced[id] else { return false }
    return displacement.leftByRename && displacement.whereabouts == .unknown
  }

  /// A name came to be: by creation or by a further link.
  mutating func noteCreated(at place: Place, isDirectory: Bool, _ now: MonotonicTime) {
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

  /// Whether an entry has its name as far as the hints have told.
  ///
  /// That it was not found there may be what the next hint tells.
  func isPresent(_ id: NodeID) -> Bool {
    guard let displacement = displaced[id] else { return true }
    return displacement.whereabouts == .unknown && !displacement.leftByRename
  }

  /// The first half of a rename: the name is gone.
  ///
  /// Told at once if the second half comes; otherwise decided at the end of the window.
  mutating func depart(from place: Place, cookie: UInt32, at now: MonotonicTime) {
    expect(Departure(take(from: place, now), from: place, in: graph), cookie, now)
  }

  private mutating func expect(_ departure: Departure, _ cookie: UInt32, _ now: MonotonicTime) {
    departures[cookie] = departure
    forgetLater(.departure(cookie, now + timing.settle))
  }

  /// The second half of a rename.
  mutating func arrive(at place: Place, cookie: UInt32, isDirectory: Bool, at now: MonotonicTime) {
    touched.insert(place, isDirectory ? [.movedTo, .directory] : .movedTo)
    put(arriving(cookie, isDirectory, now), at: place, now)
  }

  /// The first half of a rename went to a name that is not observed.
  mutating func arriveUnobserved(cookie: UInt32, at now: MonotonicTime) {
    guard let departure = departures.removeValue(forKey: cookie), case .entry(let id) = departure.occupant,
      !departure.isGuess, graph.isLive(id), hasLeft(id)
    else { return }
    setWhereabouts(of: id, .outside)
  }

  private mutating func arriving(_ cookie: UInt32, _ isDirectory: Bool, _ now: MonotonicTime) -> Occupant {
    let departure = departures.removeValue(forKey: cookie)
    switch departure?.occupant {
    case .entry(let id) where departure?.isStill(id, in: graph) == true:
      if departure?.isGuess == false || isMissing(id) { return .entry(id) }
    case .arrival(let arrival): return .arrival(arrival)
    default: break
    }
    if isDirectory { return .unknown }
    var arrival = newcomer(fromOutside: departure == nil, now)
    arrival.mayBeMissed = departure?.isGuess == true
    return .arrival(arrival)
  }

  /// Whether an entry is not where it was, and nothing else is known of it.
  func isMissing(_ id: NodeID) -> Bool { displaced[id]?.whereabouts == .unknown }

  /// What a rename brought from a place that is not observed, in the tree (hidden, excluded) or outside.
  func newcomer(fromOutside: Bool, _ now: MonotonicTime) -> Arrival {
    var arrival = Arrival(at: now, nextCheck: now + (fromOutside ? 0 : timing.quiet))
    guard fromOutside else { return arrival }
    arrival.progress.cameFromOutside = true
    arrival.progress.lastActivity = now + -timing.partialPatience
    return arrival
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

  /// The entry that stands at a place as far as the hints have told: what was found elsewhere has not left before a
  /// hint tells of it.
  private mutating func standing(at place: Place) -> NodeID? {
    guard let id = graph.node(at: place) else { return foundElsewhere(since: place) }
    guard let displacement = displaced[id], displacement.isFound, case .at(let elsewhere) = displacement.whereabouts
    else { return isPresent(id) ? id : nil }
    setWhereabouts(of: id, .unknown)
    touched.insert(elsewhere, [])
    return id
  }

  /// The entry that stood at a place until it was found elsewhere, in what the hints have not told of yet.
  ///
  /// Where it was found, it may have a further name.
  mutating func foundElsewhere(since place: Place) -> NodeID? {
    guard let departure = recentDepartures[from: place], departure.isFound, graph.key(departure.node) == departure.key
    else { return nil }
    // What was told since of the place where it was found was about another.
    setWhereabouts(of: departure.node, .unknown)
    touched.insert(graph.place(departure.node), [])
    return departure.node
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

  /// A document whose rename was not told yet, for it might have been put aside, was renamed indeed if something
  /// happens to it where it is now before anything has come to the name it had.
  mutating func tellRename(ofHeldAt place: Place, _ now: MonotonicTime) {
    guard let id = held[place], graph.isLive(id), graph.node(at: place) == nil, displaced[id]?.isFound != true,
      !isBackup(id, place)
    else { return }
    let origin = graph.place(id)
    if arrivals[origin] == nil, held[origin] == nil {
      by(.renamedWithoutSave) { $0.commitMove(id, to: place, now) }
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

// MARK: - Hints that are older than what is known

extension Classifier {
  /// Something happened to an entry before its directory was listed.
  mutating func followEarlier(_ kinds: HintKinds, at place: Place, _ now: MonotonicTime) {
    let content = kinds.intersection([.written, .closed])
    if !content.isEmpty, noteWriting(at: place, content, now) { return touched.insert(place, []) }
    touched.insert(place, kinds.subtracting([.created, .removed]))
  }

  /// Something happened to a file that had a name before the one that has it as far as is known.
  mutating func followAnother(_ hint: Hint, at place: Place, _ now: MonotonicTime) {
    touched.insert(place, [])
    if hint.kinds.contains(.movedFrom) { expect(Departure(.unknown, from: place, in: graph), hint.cookie, now) }
    // It is named as it was when it was opened, and may have another name.
    let changes = hint.kinds.intersection([.attributes, .written, .closed])
    guard !changes.isEmpty, let inode = hint.file?.inode,
      let id = graph.node(withInode: inode, on: graph.key(place.parent).device)
    else { return }
    for name in someNames(of: id) { touched.insert(graph.place(name), changes) }
  }

  /// The first half of a rename in a directory that was listed after it: what is known is the future already.
  mutating func departEarlier(from place: Place, cookie: UInt32, at now: MonotonicTime) {
    touched.insert(place, [])
    guard let holder = held[place], graph.isLive(holder) else {
      let occupant = graph.node(at: place).map { Occupant.entry($0) } ?? .unknown
      return expect(Departure(occupant, isGuess: true, from: place, in: graph), cookie, now)
    }
    setWhereabouts(of: holder, .unknown)
    expect(Departure(.entry(holder), from: place, in: graph), cookie, now)
  }

  /// The second half, likewise: what came may have gone on before the listing.
  mutating func arriveEarlier(at place: Place, cookie: UInt32, at now: MonotonicTime) {
    touched.insert(place, [])
    let departure = departures.removeValue(forKey: cookie)
    guard let departure, case .entry(let id) = departure.occupant, departure.isStill(id, in: graph),
      !departure.isGuess, hasLeft(id), held[place] == nil
    else { return }
    setWhereabouts(of: id, .at(place))
  }
}
