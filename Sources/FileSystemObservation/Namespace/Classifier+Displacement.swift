import FileEvents
import FileIdentity
import LinuxFileSystem

// Entries whose name is missing or stands for another inode, and arrivals: what the books have for a place.

extension Classifier {
  mutating func put(_ arrival: Arrival, at place: Place) {
    takeArrival(at: place)
    arrivals[place] = arrival
    if arrival.key != .unseen { arrivalPlaces.insert(place, for: arrival.key) }
    for name in partialNames(at: place) { partialArrivals.insert(place, for: name) }
    if arrival.progress.isOld {
      oldNameCounts[arrival.key, default: 0] += 1
    } else {
      newcomerCounts[place.parent, default: 0] += 1
    }
    if let tag = arrival.entry?.tag.uuid { tagsInDoubt.insert(.arrival(place), for: tag) }
    if let holder = held[place] { setWhereabouts(of: holder, .gone) }
    timers.schedule(.arrival(place), at: arrival.progress.nextCheck)
  }

  /// Takes an arrival out of the books.
  @discardableResult
  mutating func takeArrival(at place: Place) -> Arrival? {
    guard let arrival = arrivals.removeValue(forKey: place) else { return nil }
    arrivalPlaces.remove(place, for: arrival.key)
    for name in partialNames(at: place) { partialArrivals.remove(place, for: name) }
    if let tag = arrival.entry?.tag.uuid { tagsInDoubt.remove(.arrival(place), for: tag) }
    if arrival.progress.isOld {
      oldNameCounts.countDown(arrival.key)
    } else {
      newcomerCounts.countDown(place.parent)
    }
    return arrival
  }

  /// Gone again before it was announced: nothing is said.
  mutating func dropArrival(at place: Place, _ now: MonotonicTime) {
    guard let arrival = takeArrival(at: place) else { return }
    // Through its further name, which is gone, a document may have been written.
    if let known = graph.node(with: arrival.key) { noteActivity(of: known, kinds: [], now) }
    wakeFileHeldUp(by: place, now)
  }
}

// MARK: - Entries

extension Classifier {
  mutating func displace(
    _ id: NodeID, _ whereabouts: Displacement.Whereabouts, leftByRename: Bool, _ now: MonotonicTime
  ) {
    if case .at = whereabouts {} else { log.record(.missed, id, in: graph, by: .missing) }
    let due = now + timing.settle
    displaced[id] = Displacement(whereabouts: .unknown, since: now, due: due, leftByRename: leftByRename)
    graph.setFlags(id, .displaced, true)
    noteBeginning(of: id)
    setWhereabouts(of: id, whereabouts)
    timers.schedule(.displaced(id), at: due)
    noteRemoval(of: id, now)
    wakeFileHeldUp(by: graph.place(id), now)
  }

  mutating func setWhereabouts(of id: NodeID, _ whereabouts: Displacement.Whereabouts) {
    guard let displacement = displaced[id] else { return }
    if case .at(let place) = displacement.whereabouts, held[place] == id { held[place] = nil }
    if case .at(let place) = whereabouts {
      // Whatever was taken to be there is not.
      takeArrival(at: place)
      if let holder = held[place], holder != id { setWhereabouts(of: holder, .gone) }
      held[place] = id
      lookAgain(at: place, after: displacement.due)
      lookAgain(at: graph.place(id), after: displacement.due)
    }
    displaced[id]?.whereabouts = whereabouts
  }

  /// The entry stands at its place again.
  mutating func endDisplacement(_ id: NodeID) {
    var wasHeld = coverage.isRecovering
    if case .at = displaced[id]?.whereabouts { wasHeld = true }
    setWhereabouts(of: id, .unknown)
    let displacement = displaced.removeValue(forKey: id)
    graph.setFlags(id, .displaced, false)
    waitingNames.remove(id, for: graph[id].uuid)
    // What was found with it was not taken in while it was in doubt.
    if wasHeld || displacement?.isFound == true { requests.append(.lookAt(id)) }
    if let progress = writing[id] { timers.schedule(.writing(id), at: progress.nextCheck) }
    let place = graph.place(id)
    if deferred.remove(place) != nil { requests.append(.look(place, .check)) }
  }

  /// Something came to have the name of an entry that is missing.
  ///
  /// If the entry left by a rename whose other half has not come, it left the tree: the kernel tells both halves while
  /// it holds the lock of the directory (vfs_rename), so that nothing else can have happened to the name in between.
  mutating func noteNameTaken(from id: NodeID) {
    guard let displacement = displaced[id], displacement.whereabouts == .unknown else { return }
    setWhereabouts(of: id, displacement.leftByRename ? .outside : .gone)
  }

  /// An entry is not where it was said to have been renamed to: of an exchange, half may have been lost.
  mutating func lookWhereItWas(_ id: NodeID) {
    if let former = recentDepartures.latestPlace(of: id) { touched.insert(former, []) }
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

  /// The entry that stands at a place as far as the hints have told: what was found elsewhere has not left before a
  /// hint tells of it.
  mutating func standing(at place: Place) -> NodeID? {
    guard let id = graph.node(at: place) else { return foundElsewhere(since: place) }
    guard let displacement = displaced[id], displacement.isFound, case .at(let elsewhere) = displacement.whereabouts
    else { return isPresent(id) ? id : nil }
    setWhereabouts(of: id, .unknown)
    touched.insert(elsewhere, [])
    return id
  }

  /// The entry is missing until it is seen again: it cannot be where it was seen.
  mutating func lose(_ id: NodeID, _ now: MonotonicTime) {
    if displaced[id] == nil { displace(id, .unknown, leftByRename: true, now) }
    setWhereabouts(of: id, .unknown)
  }

  /// The entry is known to be at a place, and what has that place according to the graph cannot go yet.
  mutating func hold(_ id: NodeID, at place: Place, _ now: MonotonicTime) {
    log.record(.held, id, in: graph, by: .waitsForPlace)
    let since = displaced[id]?.since ?? now
    endDisplacement(id)
    displace(id, .at(place), leftByRename: false, now)
    displaced[id]?.since = since
  }

  /// Notes that something is being removed from a folder that has a copy.
  private mutating func noteRemoval(of id: NodeID, _ now: MonotonicTime) {
    guard !copies.isEmpty, isRemoved(id), copies.hasCopies(graph[id].uuid) else { return }
    var folder = graph[id].parent
    repeat {
      removals.set(now, for: folder) { [timing] in now - $0 < timing.patience }
      folder = graph[folder].parent
    } while folder != .root && copies.hasCopies(graph[folder].uuid)
  }
}
