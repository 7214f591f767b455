import FileEvents
import FileIdentity
import LinuxFileSystem

// The two halves of a rename, which are separate hints; and hints from before the listing of their directory.

extension Classifier {
  mutating func awaitSecondHalf(of pendingRename: PendingRename, _ cookie: UInt32) {
    pendingRenames.insert(pendingRename, cookie)
    forgetLater(.pendingRename(cookie, now + timing.settle))
  }

  /// What arrives by the second half of a rename.
  ///
  /// Without the first half, it comes from an unobserved directory; it may have left for there a moment ago.
  mutating func arriving(_ hint: Hint) -> Occupant {
    let first = pendingRenames.remove(hint.cookie)
    let pendingRename = first ?? hint.file.flatMap { pendingRenames.remove(of: $0) }
    if case .arrival(let arrival)? = pendingRename?.occupant { return .arrival(arrival) }
    if let pendingRename, let id = pendingRename.entry(in: graph), !pendingRename.isGuess || isMissing(id) {
      return .entry(id)
    }
    if hint.kinds.contains(.directory) { return .unknown }
    return .arrival(unseenArrival(fromOutside: first == nil))
  }

  /// The entry that has left for an unobserved directory a moment ago as this file; its rename is not pending any longer.
  mutating func takeEntry(thatLeftAs file: HintedFile) -> NodeID? {
    guard let pendingRename = pendingRenames.remove(of: file), !pendingRename.isGuess else { return nil }
    return pendingRename.entry(in: graph)
  }

  /// An arrival from an unobserved place: in the tree (hidden, excluded) or outside.
  func unseenArrival(fromOutside: Bool) -> Arrival {
    var arrival = Arrival(at: now, nextCheck: now + (fromOutside ? 0 : timing.quiet))
    guard fromOutside else { return arrival }
    arrival.activity.cameFromOutside = true
    arrival.activity.lastActivity = now + -timing.partialQuiet
    return arrival
  }

  /// Replays the first half of a rename from an unobserved name, to which an entry may have been renamed before.
  mutating func departUnobserved(from place: Place, _ hint: Hint) {
    guard let id = unresolved.entry(atUnobserved: place) else { return depart(from: place, hint) }
    setBelievedLocation(of: id, .unknown)
    awaitSecondHalf(of: PendingRename(.entry(id), of: hint.file, from: place, in: graph), hint.cookie)
  }

  /// Replays the second half of a rename to an unobserved name.
  mutating func arriveUnobserved(at place: Place, cookie: UInt32) {
    noteRemovedUnobserved(at: place)
    guard let pendingRename = pendingRenames.remove(cookie), !pendingRename.isGuess,
      let id = pendingRename.entry(in: graph), hasLeft(id)
    else { return }
    if leavesByCopying(id) { return noteGone(id) }
    unresolved.setLocation(of: id, unobserved: place)
  }

  /// Replays the removal of an unobserved name: an entry that was renamed to it is gone.
  mutating func noteRemovedUnobserved(at place: Place) {
    if let id = unresolved.entry(atUnobserved: place) { noteGone(id) }
  }

  /// Whether an entry is the original of an item that this process has just moved by copying: it has a hidden name until
  /// it is removed.
  private func leavesByCopying(_ id: NodeID) -> Bool { own?.isMovedByCopying == true && own?.moved == id }
}

// MARK: - Hints from before the listing

extension Classifier {
  /// Replays the first half of a rename in a directory that was listed later: the graph has the later state already.
  mutating func departEarlier(from place: Place, cookie: UInt32) {
    placesToInspect.insert(place, [])
    guard let holder = unresolved.entry(at: place), graph.isLive(holder) else {
      let occupant = graph.node(at: place).map { Occupant.entry($0) } ?? .unknown
      return awaitSecondHalf(of: PendingRename(occupant, isGuess: true, from: place, in: graph), cookie)
    }
    setBelievedLocation(of: holder, .unknown)
    awaitSecondHalf(of: PendingRename(.entry(holder), from: place, in: graph), cookie)
  }

  /// Replays the second half likewise: the entry may have moved on before the listing.
  mutating func arriveEarlier(at place: Place, cookie: UInt32) {
    placesToInspect.insert(place, [])
    guard let pendingRename = pendingRenames.remove(cookie), !pendingRename.isGuess,
      let id = pendingRename.entry(in: graph), hasLeft(id), unresolved.entry(at: place) == nil
    else { return }
    setBelievedLocation(of: id, .at(place))
  }

  /// Replays a hint about a file that had the name before its believed occupant.
  mutating func replayForOtherFile(_ hint: Hint, at place: Place) {
    placesToInspect.insert(place, [])
    if hint.kinds.contains(.movedFrom) {
      awaitSecondHalf(of: PendingRename(.unknown, from: place, in: graph), hint.cookie)
    }
    // The hint has the name under which the file was opened; the file may have another now.
    let changes = hint.kinds.intersection([.attributes, .written, .closed])
    guard !changes.isEmpty, let inode = hint.file?.inode,
      let id = graph.node(withInode: inode, on: graph.key(place.parent).device)
    else { return }
    for name in someNames(of: id) { placesToInspect.insert(graph.place(name), changes) }
  }
}
