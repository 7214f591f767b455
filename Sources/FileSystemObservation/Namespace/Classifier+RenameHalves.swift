import FileEvents
import FileIdentity
import LinuxFileSystem

// The two halves of a rename, which come as hints of their own; and hints that are older than what is known.

extension Classifier {
  mutating func awaitSecondHalf(of pendingRename: PendingRename, _ cookie: UInt32) {
    pendingRenames[cookie] = pendingRename
    forgetLater(.pendingRename(cookie, now + timing.settle))
  }

  mutating func arriving(_ cookie: UInt32, _ isDirectory: Bool) -> Occupant {
    let pendingRename = pendingRenames.removeValue(forKey: cookie)
    switch pendingRename?.occupant {
    case .entry(let id) where pendingRename?.isStill(id, in: graph) == true:
      if pendingRename?.isGuess == false || isMissing(id) { return .entry(id) }
    case .arrival(let arrival): return .arrival(arrival)
    default: break
    }
    if isDirectory { return .unknown }
    var arrival = newcomer(fromOutside: pendingRename == nil)
    arrival.mayBeMissed = pendingRename?.isGuess == true
    return .arrival(arrival)
  }

  /// What a rename brought from a place that is not observed, in the tree (hidden, excluded) or outside.
  func newcomer(fromOutside: Bool) -> Arrival {
    var arrival = Arrival(at: now, nextCheck: now + (fromOutside ? 0 : timing.quiet))
    guard fromOutside else { return arrival }
    arrival.activity.cameFromOutside = true
    arrival.activity.lastActivity = now + -timing.partialQuiet
    return arrival
  }

  /// The first half of a rename went to a name that is not observed.
  mutating func arriveUnobserved(cookie: UInt32) {
    guard let pendingRename = pendingRenames.removeValue(forKey: cookie), case .entry(let id) = pendingRename.occupant,
      !pendingRename.isGuess, graph.isLive(id), hasLeft(id)
    else { return }
    setBelievedLocation(of: id, .outside)
  }
}

// MARK: - Hints that are older than what is known

extension Classifier {
  /// The first half of a rename in a directory that was listed after it: what is known is the future already.
  mutating func departEarlier(from place: Place, cookie: UInt32) {
    placesToInspect.insert(place, [])
    guard let holder = unresolved.entry(at: place), graph.isLive(holder) else {
      let occupant = graph.node(at: place).map { Occupant.entry($0) } ?? .unknown
      return awaitSecondHalf(of: PendingRename(occupant, isGuess: true, from: place, in: graph), cookie)
    }
    setBelievedLocation(of: holder, .unknown)
    awaitSecondHalf(of: PendingRename(.entry(holder), from: place, in: graph), cookie)
  }

  /// The second half, likewise: what came may have gone on before the listing.
  mutating func arriveEarlier(at place: Place, cookie: UInt32) {
    placesToInspect.insert(place, [])
    let pendingRename = pendingRenames.removeValue(forKey: cookie)
    guard let pendingRename, case .entry(let id) = pendingRename.occupant, pendingRename.isStill(id, in: graph),
      !pendingRename.isGuess, hasLeft(id), unresolved.entry(at: place) == nil
    else { return }
    setBelievedLocation(of: id, .at(place))
  }

  /// Something happened to a file that had a name before the one that has it as far as is known.
  mutating func replayForOtherFile(_ hint: Hint, at place: Place) {
    placesToInspect.insert(place, [])
    if hint.kinds.contains(.movedFrom) {
      awaitSecondHalf(of: PendingRename(.unknown, from: place, in: graph), hint.cookie)
    }
    // It is named as it was when it was opened, and may have another name.
    let changes = hint.kinds.intersection([.attributes, .written, .closed])
    guard !changes.isEmpty, let inode = hint.file?.inode,
      let id = graph.node(withInode: inode, on: graph.key(place.parent).device)
    else { return }
    for name in someNames(of: id) { placesToInspect.insert(graph.place(name), changes) }
  }
}
