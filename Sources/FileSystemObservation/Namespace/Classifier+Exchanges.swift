import FileEvents
import FileIdentity
import LinuxFileSystem

// Exchanges of two names (`RENAME_EXCHANGE`).

extension Classifier {
  /// Replays an exchange of two observed names.
  mutating func exchange(_ first: Place, _ second: Place, isDirectory: (Bool, Bool)) {
    placesToInspect.insert(first, .movedTo)
    placesToInspect.insert(second, .movedTo)
    finishMove(to: first)
    finishMove(to: second)
    let entries = (presentEntry(at: first), presentEntry(at: second))
    switch entries {
    case (let one?, let other?): exchange(one, other)
    case (let id?, nil): exchange(id, withArrivalAt: second)
    case (nil, let id?): exchange(id, withArrivalAt: first)
    case (nil, nil): exchangeArrivals(first, second, isDirectory)
    }
  }

  /// Replays an exchange of an observed name with an unobserved one.
  ///
  /// - Parameter file: What arrives, if the source names it.
  mutating func exchangeWithUnobserved(_ place: Place, isDirectory: Bool, arriving file: HintedFile? = nil) {
    placesToInspect.insert(place, .movedTo)
    if case .entry(let id) = take(from: place) { leaveForUnobserved(id) }
    if let file, let id = takeEntry(thatLeftAs: file) { return put(.entry(id), at: place) }
    put(isDirectory ? .unknown : .arrival(unseenArrival(fromOutside: false)), at: place)
  }

  /// Notes that an entry was exchanged with an unobserved one; a listing of a new directory may have found it there.
  private mutating func leaveForUnobserved(_ id: NodeID) {
    if let place = foundInNewDirectory(id) {
      placesToInspect.insert(place, [])
      return setBelievedLocation(of: id, .at(place))
    }
    setBelievedLocation(of: id, .outside)
    unresolved[id]?.isExchange = true
  }

  /// Replays an exchange with a name whose directory was listed later: the listing may have found a later file.
  mutating func exchange(_ place: Place, withListed other: Place) {
    placesToInspect.insert(place, .movedTo)
    placesToInspect.insert(other, [])
    guard arrivals[place] == nil, let id = graph.node(at: place) else { return }
    markLeft(id)
    if unresolved[id]?.believedLocation == .unknown { setBelievedLocation(of: id, .outside) }
    unresolved[id]?.isExchange = true
    put(.arrival(unseenArrival(fromOutside: false)), at: place)
  }

  /// Announces the move of an entry that is believed to be at a place, before it moves on from there.
  ///
  /// A look may also have found that an entry left the place: it goes on from there, too. So does a missing document
  /// whose next version was found.
  private mutating func finishMove(to place: Place) {
    continueInFoundVersion(at: place)
    guard arrivals[place] == nil else { return }
    if let holder = unresolved.entry(at: place) { return commitMove(holder, to: place) }
    if graph.node(at: place) == nil, let id = foundElsewhere(since: place) { commitMove(id, to: place) }
  }

  /// Replays an exchange of a document with an arrival: a save.
  mutating func exchange(_ id: NodeID, withArrivalAt place: Place) {
    let arrival = takeArrival(at: place)
    markLeft(id)
    overwrite(at: place)
    setBelievedLocation(of: id, .at(place))
    unresolved[id]?.isExchange = true
    // A directory cannot be moved into its own descendant: its move waits until that has left it.
    guard graph[id].kind != .directory else { return commitMove(id, to: place) }
    let former = graph.place(id)
    if let arrival, let entry = arrival.entry, isReturn(entry, arrival.activity) { commitMove(id, to: place) }
    put(arrival ?? unseenArrival(fromOutside: false), at: former)
    continueIdentity(of: id)
  }

  private mutating func exchangeArrivals(_ first: Place, _ second: Place, _ isDirectory: (Bool, Bool)) {
    let (one, other) = (take(from: first), take(from: second))
    let unseen = Occupant.arrival(unseenArrival(fromOutside: false))
    for (occupant, place, isDirectory) in [(other, first, isDirectory.1), (one, second, isDirectory.0)] {
      if case .unknown = occupant, !isDirectory {
        put(unseen, at: place)
      } else {
        put(occupant, at: place)
      }
    }
  }

  mutating func exchange(_ first: NodeID, _ second: NodeID) {
    markResolved(first)
    markResolved(second)
    if isSave(first, by: second) { return exchange(first, withProvisional: second) }
    if isSave(second, by: first) { return exchange(second, withProvisional: first) }
    exchangePlaces(first, second)
  }

  /// Whether an exchange makes `id` the next version of the document, and not a document that returns.
  func isSave(_ document: NodeID, by id: NodeID) -> Bool {
    graph[id].kind == .file && graph[document].kind == .file && isProvisional(id) && !isProvisional(document)
      && !graph.hasOtherNames(id) && !endedIdentities.contains(graph[id].uuid)
  }

  /// Replays an exchange of a document with an announced temporary file: a save.
  mutating func exchange(_ document: NodeID, withProvisional id: NodeID) {
    let place = graph.place(id)
    put(retract(id), at: place)
    exchange(document, withArrivalAt: place)
  }
}
