import FileEvents
import FileIdentity
import LinuxFileSystem

// Names that change places (`RENAME_EXCHANGE`).

extension Classifier {
  /// Two names changed places (`RENAME_EXCHANGE`).
  mutating func exchange(_ first: Place, _ second: Place, isDirectory: (Bool, Bool)) {
    placesToInspect.insert(first, .movedTo)
    placesToInspect.insert(second, .movedTo)
    finishMove(to: first)
    finishMove(to: second)
    let entries = (presentEntry(at: first), presentEntry(at: second))
    switch entries {
    case (let one?, let other?): exchange(one, other)
    case (let id?, nil): exchange(id, withNewcomerAt: second)
    case (nil, let id?): exchange(id, withNewcomerAt: first)
    case (nil, nil): exchangeNewcomers(first, second, isDirectory)
    }
  }

  /// A visible name changed places with one that is not observed.
  mutating func exchangeWithUnobserved(_ place: Place, isDirectory: Bool) {
    placesToInspect.insert(place, .movedTo)
    let occupant = take(from: place)
    if case .entry(let id) = occupant {
      setBelievedLocation(of: id, .outside)
      unresolved[id]?.isExchange = true
    }
    put(isDirectory ? .unknown : .arrival(newcomer(fromOutside: false)), at: place)
  }

  /// A file changed places with one in a directory that was listed since: what was found there may be the file, or what
  /// came later.
  mutating func exchange(_ place: Place, withListed other: Place) {
    placesToInspect.insert(place, .movedTo)
    placesToInspect.insert(other, [])
    guard arrivals[place] == nil, let id = graph.node(at: place) else { return }
    if unresolved[id] == nil { markUnresolved(id, .unknown, leftByRename: true) }
    if unresolved[id]?.believedLocation == .unknown { setBelievedLocation(of: id, .outside) }
    unresolved[id]?.isExchange = true
    put(.arrival(newcomer(fromOutside: false)), at: place)
  }

  /// An entry that is held at a place is told to have moved there: it goes on from there.
  ///
  /// So does one that was found to have left, from where it was.
  private mutating func finishMove(to place: Place) {
    guard arrivals[place] == nil else { return }
    if let holder = unresolved.entry(at: place) { return commitMove(holder, to: place) }
    if graph.node(at: place) == nil, let id = foundElsewhere(since: place) { commitMove(id, to: place) }
  }

  /// A document and a newcomer that has not been announced: a save.
  mutating func exchange(_ id: NodeID, withNewcomerAt place: Place) {
    let arrival = takeArrival(at: place)
    if unresolved[id] == nil { markUnresolved(id, .unknown, leftByRename: true) }
    overwrite(at: place)
    setBelievedLocation(of: id, .at(place))
    unresolved[id]?.isExchange = true
    // What is in a directory may change places with what is above it only once it has gone.
    guard graph[id].kind != .directory else { return commitMove(id, to: place) }
    let former = graph.place(id)
    if let arrival, let entry = arrival.entry, isReturn(entry, arrival.activity) { commitMove(id, to: place) }
    put(arrival ?? newcomer(fromOutside: false), at: former)
    continueIdentity(as: id)
  }

  private mutating func exchangeNewcomers(_ first: Place, _ second: Place, _ isDirectory: (Bool, Bool)) {
    let (one, other) = (take(from: first), take(from: second))
    let unseen = Occupant.arrival(newcomer(fromOutside: false))
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

  /// Whether an entry that changes places with a document is its new version, and no document that has come back.
  func isSave(_ document: NodeID, by id: NodeID) -> Bool {
    graph[id].kind == .file && graph[document].kind == .file && isProvisional(id) && !isProvisional(document)
      && !graph.hasOtherNames(id) && !endedIdentities.contains(graph[id].uuid)
  }

  /// A temporary file that was announced already changes places with a document: the document is saved.
  mutating func exchange(_ document: NodeID, withProvisional id: NodeID) {
    let place = graph.place(id)
    put(retract(id), at: place)
    exchange(document, withNewcomerAt: place)
  }
}
