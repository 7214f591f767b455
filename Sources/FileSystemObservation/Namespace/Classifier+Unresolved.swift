import FileEvents
import FileIdentity
import LinuxFileSystem

// Changes of the tables of unresolved entries and of arrivals.

extension Classifier {
  mutating func put(_ arrival: Arrival, at place: Place) {
    takeArrival(at: place)
    arrivals.insert(arrival, at: place)
    if let tag = arrival.entry?.tag.uuid {
      unconfirmedTags.insert(tag, ofArrivalAt: place)
    } else if contents != nil, let entry = arrival.entry, entry.kind == .file {
      newContents.insert(place, size: entry.size)
    }
    displace(from: place)
    timers.schedule(.arrival(place), at: arrival.activity.nextCheck)
  }

  /// Removes an arrival, and its tag from the unconfirmed ones.
  @discardableResult
  mutating func takeArrival(at place: Place) -> Arrival? {
    guard let arrival = arrivals.remove(at: place) else { return nil }
    if let tag = arrival.entry?.tag.uuid {
      unconfirmedTags.remove(tag, ofArrivalAt: place)
    } else if contents != nil, let entry = arrival.entry, entry.kind == .file {
      newContents.remove(place, size: entry.size)
    }
    return arrival
  }

  /// Forgets an arrival that is gone before it was announced.
  mutating func dropArrival(at place: Place) {
    guard let arrival = takeArrival(at: place) else { return }
    // A document may have been written through this further name.
    if let known = graph.node(with: arrival.key) { noteActivity(of: known, kinds: []) }
    wakeBlockedFile(by: place)
  }
}

// MARK: - Entries

extension Classifier {
  mutating func markUnresolved(_ id: NodeID, _ believedLocation: UnresolvedEntry.BelievedLocation, leftByRename: Bool) {
    if case .at = believedLocation {} else { log.record(.missed, id, in: graph, by: .missing) }
    let due = now + timing.settle
    let unseenName = graph.key(id) == .unseen ? graph.name(id) : nil
    unresolved.begin(id, since: now, due: due, leftByRename: leftByRename, unseenName: unseenName)
    graph.setFlags(id, .unresolved, true)
    noteBeginning(of: id)
    setBelievedLocation(of: id, believedLocation)
    timers.schedule(.unresolved(id), at: due)
    noteRemoval(of: id)
    wakeBlockedFile(by: graph.place(id))
  }

  /// Marks an entry that left by a rename, unless it is unresolved already.
  mutating func markLeft(_ id: NodeID) {
    if unresolved[id] == nil { markUnresolved(id, .unknown, leftByRename: true) }
  }

  mutating func setBelievedLocation(of id: NodeID, _ believedLocation: UnresolvedEntry.BelievedLocation) {
    guard let unresolvedEntry = unresolved[id] else { return }
    if case .at(let place) = believedLocation {
      // No other entry or arrival can be there.
      takeArrival(at: place)
      displace(from: place, by: id)
      scheduleRecheck(at: place, after: unresolvedEntry.due)
      scheduleRecheck(at: graph.place(id), after: unresolvedEntry.due)
    }
    unresolved.setLocation(of: id, believedLocation)
  }

  /// Something else is at a place: an entry that was believed there is gone.
  mutating func displace(from place: Place, by id: NodeID? = nil) {
    if let holder = unresolved.entry(at: place), holder != id { setBelievedLocation(of: holder, .gone) }
  }

  /// Ends the unresolved state of an entry.
  mutating func markResolved(_ id: NodeID) {
    let wasHeld = coverage.isRescanning || believedPlace(of: id) != nil
    let unresolvedEntry = unresolved.remove(id)
    graph.setFlags(id, .unresolved, false)
    if unorderedPlaces.isEmpty { reportedPlaces.forget(id) }
    waitingNames.remove(id, for: graph[id].uuid)
    // What looks found of it meanwhile was not taken in.
    if wasHeld || unresolvedEntry?.isFound == true { requests.append(.lookAt(id)) }
    if let activity = writing[id] { timers.schedule(.writing(id), at: activity.nextCheck) }
    let place = graph.place(id)
    if waitingDirectories.removeValue(forKey: place) != nil { requestLook(at: place) }
  }

  /// Requests a look at an entry's former place: half of an exchange may have been lost.
  mutating func lookWhereItWas(_ id: NodeID) {
    if let former = recentDepartures.latestPlace(of: id) { placesToInspect.insert(former, []) }
  }

  /// The entry that a look, ahead of the hints, found to have left a place; it may have a further name elsewhere.
  mutating func foundElsewhere(since place: Place) -> NodeID? {
    guard let departure = recentDepartures[from: place], departure.isFound,
      graph.key(departure.node) == departure.key
    else { return nil }
    // Hints about the place where it was found concerned another inode.
    setBelievedLocation(of: departure.node, .unknown)
    placesToInspect.insert(graph.place(departure.node), [])
    return departure.node
  }

  /// The entry at a place after the hints replayed so far.
  ///
  /// An entry that a look found elsewhere leaves its place only when a hint says so.
  mutating func standing(at place: Place) -> NodeID? {
    guard let id = graph.node(at: place) else { return foundElsewhere(since: place) }
    guard let unresolvedEntry = unresolved[id], unresolvedEntry.isFound, let elsewhere = unresolvedEntry.believedPlace
    else { return isPresent(id) ? id : nil }
    setBelievedLocation(of: id, .unknown)
    placesToInspect.insert(elsewhere, [])
    return id
  }

  /// Marks an entry as missing until it is seen again.
  mutating func lose(_ id: NodeID) {
    markLeft(id)
    setBelievedLocation(of: id, .unknown)
  }

  /// Holds a move back until the occupant of its target can go; there is nothing new to look at until then.
  mutating func hold(_ id: NodeID, at place: Place) {
    log.record(.held, id, in: graph, by: .waitsForPlace)
    let since = unresolved[id]?.since ?? now
    markUnresolved(id, .at(place), leftByRename: false)
    unresolved[id]?.since = since
  }

  /// Notes a removal in each folder above that has copies.
  private mutating func noteRemoval(of id: NodeID) {
    guard !copies.isEmpty, isRemoved(id), copies.hasCopies(graph[id].uuid) else { return }
    var folder = graph[id].parent
    repeat {
      removals.set(now, for: folder) { [timing] in now - $0 < timing.unprovenQuiet }
      folder = graph[folder].parent
    } while folder != .root && copies.hasCopies(graph[folder].uuid)
  }
}
