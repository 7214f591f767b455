import LinuxFileSystem

// Moves that are held back, because they may be part of a save.

extension Classifier {
  /// Announces the move of an inode, or holds it back if it may be part of a save.
  ///
  /// - Parameter isTrusted: Whether the kernel reported the move, so that the former occupant was overwritten;
  ///   otherwise a look found the inode there.
  mutating func settleMove(_ id: NodeID, to place: Place, isTrusted: Bool) {
    let hasLeft = hasLeft(id)
    // A look has meanwhile found it at its announced place, perhaps under a further name.
    if isTrusted, unresolved[id] == nil { placesToInspect.insert(graph.place(id), []) }
    markLeft(id)
    if isTrusted, graph[id].flags.contains(.copying), let activity = writing[id] {
      recognizeSave(firstSeen: activity.firstSeen, at: place, from: graph.place(id))
    }
    let occupant = graph.node(at: place)
    if isTrusted, let occupant, occupant != id {
      if unresolved[occupant] == nil { markUnresolved(occupant, .gone, leftByRename: false) }
      noteNameTaken(from: occupant)
    }
    if let occupant, isTrusted, isNextVersion(id, of: occupant), !isPlainRename(occupant), !isBackup(id, place) {
      return mergeTemporary(id, into: occupant, at: place)
    }
    if mustHold(id, place, isTrusted) {
      setBelievedLocation(of: id, .at(place))
      unresolved[id]?.isFound = !isTrusted && !hasLeft
      if !isTrusted { foundMoves.insert(id) }
      log.record(.held, id, in: graph, by: isTrusted ? .putAsideForSave : .waitsForPlace)
      return continueIdentity(of: id)
    }
    let former = graph.place(id)
    let isPlain = isPutOverAnother(id, at: place)
    commitMove(id, to: place, isFound: !isTrusted)
    // Who puts it over another document does not put it aside.
    if isPlain { recentDepartures.forget(from: former) }
  }

  /// Whether a move is held: a document may be set aside for a save, or the occupant may be found elsewhere.
  private func mustHold(_ id: NodeID, _ place: Place, _ isTrusted: Bool) -> Bool {
    if !isTrusted {
      guard let plan = plan(id, to: place), !concernsReportedVersion(plan) else { return true }
    }
    return isBackup(id, place) || mayBeAboutToBeSaved(id) && !isPutOverAnother(id, at: place) && !isBack(id, at: place)
  }

  /// Whether a document is moved back to the place that it has just left: that is not set aside for another.
  private func isBack(_ id: NodeID, at place: Place) -> Bool { recentDepartures[from: place]?.node == id }

  /// Announces the moves of entries that were found at each other's places.
  mutating func settleFoundMoves() {
    guard !foundMoves.isEmpty else { return }
    defer { foundMoves.removeAll(keepingCapacity: true) }
    for id in foundMoves.sorted() where graph.isLive(id) {
      guard let place = believedPlace(of: id), !isBackup(id, place),
        let plan = plan(id, to: place),
        !mayBeAboutToBeSaved(id) || isExchange(of: id, in: plan),
        !concernsReportedVersion(plan)
      else { continue }
      by(.exchangeFound) { $0.commitMove(id, to: place, isFound: true) }
    }
  }

  /// Whether another document moves to the place of this one: that is no save.
  func isExchange(of id: NodeID, in plan: MovePlan) -> Bool {
    let place = graph.place(id)
    return plan.moves.contains { $0.place == place }
  }
}
