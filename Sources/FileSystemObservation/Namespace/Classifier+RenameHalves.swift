import FileEvents
import FileIdentity
import LinuxFileSystem

// The two halves of a rename, which come as hints of their own; and hints that are older than what is known.

extension Classifier {
  mutating func awaitSecondHalf(of departure: Departure, _ cookie: UInt32, _ now: MonotonicTime) {
    departures[cookie] = departure
    forgetLater(.departure(cookie, now + timing.settle))
  }

  mutating func arriving(_ cookie: UInt32, _ isDirectory: Bool, _ now: MonotonicTime) -> Occupant {
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

  /// What a rename brought from a place that is not observed, in the tree (hidden, excluded) or outside.
  func newcomer(fromOutside: Bool, _ now: MonotonicTime) -> Arrival {
    var arrival = Arrival(at: now, nextCheck: now + (fromOutside ? 0 : timing.quiet))
    guard fromOutside else { return arrival }
    arrival.progress.cameFromOutside = true
    arrival.progress.lastActivity = now + -timing.partialPatience
    return arrival
  }

  /// The first half of a rename went to a name that is not observed.
  mutating func arriveUnobserved(cookie: UInt32, at now: MonotonicTime) {
    guard let departure = departures.removeValue(forKey: cookie), case .entry(let id) = departure.occupant,
      !departure.isGuess, graph.isLive(id), hasLeft(id)
    else { return }
    setWhereabouts(of: id, .outside)
  }
}

// MARK: - Hints that are older than what is known

extension Classifier {
  /// The first half of a rename in a directory that was listed after it: what is known is the future already.
  mutating func departEarlier(from place: Place, cookie: UInt32, at now: MonotonicTime) {
    touched.insert(place, [])
    guard let holder = held[place], graph.isLive(holder) else {
      let occupant = graph.node(at: place).map { Occupant.entry($0) } ?? .unknown
      return awaitSecondHalf(of: Departure(occupant, isGuess: true, from: place, in: graph), cookie, now)
    }
    setWhereabouts(of: holder, .unknown)
    awaitSecondHalf(of: Departure(.entry(holder), from: place, in: graph), cookie, now)
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

  /// Something happened to a file that had a name before the one that has it as far as is known.
  mutating func followAnother(_ hint: Hint, at place: Place, _ now: MonotonicTime) {
    touched.insert(place, [])
    if hint.kinds.contains(.movedFrom) {
      awaitSecondHalf(of: Departure(.unknown, from: place, in: graph), hint.cookie, now)
    }
    // It is named as it was when it was opened, and may have another name.
    let changes = hint.kinds.intersection([.attributes, .written, .closed])
    guard !changes.isEmpty, let inode = hint.file?.inode,
      let id = graph.node(withInode: inode, on: graph.key(place.parent).device)
    else { return }
    for name in someNames(of: id) { touched.insert(graph.place(name), changes) }
  }
}
