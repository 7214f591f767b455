import FileEvents
import FileIdentity
import LinuxFileSystem

// Names that change places (`RENAME_EXCHANGE`).

extension Classifier {
  /// Two names changed places (`RENAME_EXCHANGE`).
  mutating func exchange(_ first: Place, _ second: Place, isDirectory: (Bool, Bool), at now: MonotonicTime) {
    placesToInspect.insert(first, .movedTo)
    placesToInspect.insert(second, .movedTo)
    finishMove(to: first, now)
    finishMove(to: second, now)
    let entries = (presentEntry(at: first), presentEntry(at: second))
    switch entries {
    case (let one?, let other?): exchange(one, other, now)
    case (let id?, nil): exchange(id, withNewcomerAt: second, now)
    case (nil, let id?): exchange(id, withNewcomerAt: first, now)
    case (nil, nil): exchangeNewcomers(first, second, isDirectory, now)
    }
  }

  /// A visible name changed places with one that is not observed.
  mutating func exchangeWithUnobserved(_ place: Place, isDirectory: Bool, at now: MonotonicTime) {
    placesToInspect.insert(place, .movedTo)
    let occupant = take(from: place, now)
    if case .entry(let id) = occupant {
      setBelievedLocation(of: id, .outside)
      unresolved[id]?.isExchange = true
    }
    put(isDirectory ? .unknown : .arrival(newcomer(fromOutside: false, now)), at: place, now)
  }

  /// A file changed places with one in a directory that was listed since: what was found there may be the file, or what
  /// came later.
  mutating func exchange(_ place: Place, withListed other: Place, at now: MonotonicTime) {
    placesToInspect.insert(place, .movedTo)
    placesToInspect.insert(other, [])
    guard arrivals[place] == nil, let id = graph.node(at: place) else { return }
    if unresolved[id] == nil { markUnresolved(id, .unknown, leftByRename: true, now) }
    if unresolved[id]?.believedLocation == .unknown { setBelievedLocation(of: id, .outside) }
    unresolved[id]?.isExchange = true
    put(.arrival(newcomer(fromOutside: false, now)), at: place, now)
  }

  /// An entry that is held at a place is told to have moved there: it goes on from there.
  ///
  /// So does one that was found to have left, from where it was.
  private mutating func finishMove(to place: Place, _ now: MonotonicTime) {
    guard arrivals[place] == nil else { return }
    if let holder = unresolved.entry(at: place) { return commitMove(holder, to: place, now) }
    if graph.node(at: place) == nil, let id = foundElsewhere(since: place) { commitMove(id, to: place, now) }
  }

  /// A document and a newcomer that has not been announced: a save.
  mutating func exchange(_ id: NodeID, withNewcomerAt place: Place, _ now: MonotonicTime) {
    let arrival = takeArrival(at: place)
    if unresolved[id] == nil { markUnresolved(id, .unknown, leftByRename: true, now) }
    overwrite(at: place, now)
    setBelievedLocation(of: id, .at(place))
    unresolved[id]?.isExchange = true
    // What is in a directory may change places with what is above it only once it has gone.
    guard graph[id].kind != .directory else { return commitMove(id, to: place, now) }
    let former = graph.place(id)
    if let arrival, let entry = arrival.entry, isReturn(entry, arrival.activity) { commitMove(id, to: place, now) }
    put(arrival ?? newcomer(fromOutside: false, now), at: former)
    continueIdentity(as: id, now)
  }

  private mutating func exchangeNewcomers(
    _ first: Place, _ second: Place, _ isDirectory: (Bool, Bool), _ now: MonotonicTime
  ) {
    let (one, other) = (take(from: first, now), take(from: second, now))
    let unseen = Occupant.arrival(newcomer(fromOutside: false, now))
    for (occupant, place, isDirectory) in [(other, first, isDirectory.1), (one, second, isDirectory.0)] {
      if case .unknown = occupant, !isDirectory {
        put(unseen, at: place, now)
      } else {
        put(occupant, at: place, now)
      }
    }
  }

  mutating func exchange(_ first: NodeID, _ second: NodeID, _ now: MonotonicTime) {
    markResolved(first)
    markResolved(second)
    if isSave(first, by: second) { return exchange(first, withProvisional: second, now) }
    if isSave(second, by: first) { return exchange(second, withProvisional: first, now) }
    exchangePlaces(first, second, now)
  }

  /// Whether an entry that changes places with a document is its new version, and no document that has come back.
  func isSave(_ document: NodeID, by id: NodeID) -> Bool {
    graph[id].kind == .file && graph[document].kind == .file && isProvisional(id) && !isProvisional(document)
      && !graph.hasOtherNames(id) && !endedIdentities.contains(graph[id].uuid)
  }

  /// A temporary file that was announced already changes places with a document: the document is saved.
  mutating func exchange(_ document: NodeID, withProvisional id: NodeID, _ now: MonotonicTime) {
    let place = graph.place(id)
    put(retract(id, now), at: place)
    exchange(document, withNewcomerAt: place, now)
  }
}
