import FileEvents
import FileIdentity
import LinuxFileSystem

// Entries whose name is missing or stands for another inode, and arrivals: what the books have for a place.

extension Classifier {
  mutating func put(_ arrival: Arrival, at place: Place) {
    takeArrival(at: place)
    arrivals.insert(arrival, at: place)
    if let tag = arrival.entry?.tag.uuid { unconfirmedTags.insert(tag, ofArrivalAt: place) }
    if let holder = unresolved.entry(at: place) { setBelievedLocation(of: holder, .gone) }
    timers.schedule(.arrival(place), at: arrival.activity.nextCheck)
  }

  /// Takes an arrival out of the books.
  @discardableResult
  mutating func takeArrival(at place: Place) -> Arrival? {
    guard let arrival = arrivals.remove(at: place) else { return nil }
    if let tag = arrival.entry?.tag.uuid { unconfirmedTags.remove(tag, ofArrivalAt: place) }
    return arrival
  }

  /// Gone again before it was announced: nothing is said.
  mutating func dropArrival(at place: Place) {
    guard let arrival = takeArrival(at: place) else { return }
    // Through its further name, which is gone, a document may have been written.
    if let known = graph.node(with: arrival.key) { noteActivity(of: known, kinds: []) }
    wakeBlockedFile(by: place)
  }
}

// MARK: - Entries

extension Classifier {
  mutating func markUnresolved(_ id: NodeID, _ believedLocation: UnresolvedEntry.BelievedLocation, leftByRename: Bool) {
    if case .at = believedLocation {} else { log.record(.missed, id, in: graph, by: .missing) }
    let due = now + timing.settle
    unresolved.begin(id, since: now, due: due, leftByRename: leftByRename)
    graph.setFlags(id, .unresolved, true)
    noteBeginning(of: id)
    setBelievedLocation(of: id, believedLocation)
    timers.schedule(.unresolved(id), at: due)
    noteRemoval(of: id)
    wakeBlockedFile(by: graph.place(id))
  }

  mutating func setBelievedLocation(of id: NodeID, _ believedLocation: UnresolvedEntry.BelievedLocation) {
    guard let unresolvedEntry = unresolved[id] else { return }
    if case .at(let place) = believedLocation {
      // Whatever was taken to be there is not.
      takeArrival(at: place)
      if let holder = unresolved.entry(at: place), holder != id { setBelievedLocation(of: holder, .gone) }
      scheduleRecheck(at: place, after: unresolvedEntry.due)
      scheduleRecheck(at: graph.place(id), after: unresolvedEntry.due)
    }
    unresolved.setLocation(of: id, believedLocation)
  }

  /// The entry stands at its place again.
  mutating func markResolved(_ id: NodeID) {
    var wasHeld = coverage.isRescanning
    if case .at = unresolved[id]?.believedLocation { wasHeld = true }
    let unresolvedEntry = unresolved.remove(id)
    graph.setFlags(id, .unresolved, false)
    waitingNames.remove(id, for: graph[id].uuid)
    // What was found with it was not taken in while it was in doubt.
    if wasHeld || unresolvedEntry?.isFound == true { requests.append(.lookAt(id)) }
    if let activity = writing[id] { timers.schedule(.writing(id), at: activity.nextCheck) }
    let place = graph.place(id)
    if waitingDirectories.remove(place) != nil { requests.append(.look(place, .check)) }
  }

  /// Something came to have the name of an entry that is missing.
  ///
  /// If the entry left by a rename whose other half has not come, it left the tree: the kernel tells both halves while
  /// it holds the lock of the directory (vfs_rename), so that nothing else can have happened to the name in between.
  mutating func noteNameTaken(from id: NodeID) {
    guard let unresolvedEntry = unresolved[id], unresolvedEntry.believedLocation == .unknown else { return }
    setBelievedLocation(of: id, unresolvedEntry.leftByRename ? .outside : .gone)
  }

  /// An entry is not where it was said to have been renamed to: of an exchange, half may have been lost.
  mutating func lookWhereItWas(_ id: NodeID) {
    if let former = recentDepartures.latestPlace(of: id) { placesToInspect.insert(former, []) }
  }

  /// The entry that stood at a place until it was found elsewhere, in what the hints have not told of yet.
  ///
  /// Where it was found, it may have a further name.
  mutating func foundElsewhere(since place: Place) -> NodeID? {
    guard let pendingRename = recentDepartures[from: place], pendingRename.isFound,
      graph.key(pendingRename.node) == pendingRename.key
    else { return nil }
    // What was told since of the place where it was found was about another.
    setBelievedLocation(of: pendingRename.node, .unknown)
    placesToInspect.insert(graph.place(pendingRename.node), [])
    return pendingRename.node
  }

  /// The entry that stands at a place as far as the hints have told: what was found elsewhere has not left before a
  /// hint tells of it.
  mutating func standing(at place: Place) -> NodeID? {
    guard let id = graph.node(at: place) else { return foundElsewhere(since: place) }
    guard let unresolvedEntry = unresolved[id], unresolvedEntry.isFound,
      case .at(let elsewhere) = unresolvedEntry.believedLocation
    else { return isPresent(id) ? id : nil }
    setBelievedLocation(of: id, .unknown)
    placesToInspect.insert(elsewhere, [])
    return id
  }

  /// The entry is missing until it is seen again: it cannot be where it was seen.
  mutating func lose(_ id: NodeID) {
    if unresolved[id] == nil { markUnresolved(id, .unknown, leftByRename: true) }
    setBelievedLocation(of: id, .unknown)
  }

  /// The entry is known to be at a place, and what has that place according to the graph cannot go yet.
  mutating func hold(_ id: NodeID, at place: Place) {
    log.record(.held, id, in: graph, by: .waitsForPlace)
    let since = unresolved[id]?.since ?? now
    markResolved(id)
    markUnresolved(id, .at(place), leftByRename: false)
    unresolved[id]?.since = since
  }

  /// Notes that something is being removed from a folder that has a copy.
  private mutating func noteRemoval(of id: NodeID) {
    guard !copies.isEmpty, isRemoved(id), copies.hasCopies(graph[id].uuid) else { return }
    var folder = graph[id].parent
    repeat {
      removals.set(now, for: folder) { [timing] in now - $0 < timing.unprovenQuiet }
      folder = graph[folder].parent
    } while folder != .root && copies.hasCopies(graph[folder].uuid)
  }
}
