import LinuxFileSystem

// Decisions about operations of this process, which need no delay.

extension Engine {
  /// How often the engine tries to decide everything before it leaves the rest to its timers.
  private static var roundLimit: Int { 4 }

  /// Decides what other programs have completed at a place, before an operation changes it.
  ///
  /// - Parameter mayBeFree: Whether the operation may put a new item there. Otherwise it fails if there is none: that is
  ///   no reason to decide that a document was removed, which another program may be saving.
  func decideOthers(at place: Place, mayBeFree: Bool, _ now: MonotonicTime) {
    finishIfComplete(place, now)
    // The old version that a save has left behind has its tag: after the operation it would seem to be the document.
    for aside in state.classify({ $0.arrivals(bearingTagOfEntryAt: place) }) {
      finishIfComplete(aside, now)
    }
    state.classify { $0.announceWaiting(at: place) }
    if mayBeFree, let removed = state.classify({ $0.missingEntry(at: place, thatIsGone: true) }) {
      resolveNow(removed, now)
    }
    // A rename to this place that might have been the first half of a save was none: the app has the item here.
    if let held = state.classify({ $0.entry(heldAt: place) }) { resolveNow(held, now) }
  }

  /// Decides what an operation has changed.
  func decide(_ operation: OwnOperation, clock: () -> MonotonicTime) {
    for _ in 0..<Self.roundLimit where decide(operation, clock()) {}
  }

  /// - Returns: Whether anything is still undecided.
  private func decide(_ operation: OwnOperation, _ now: MonotonicTime) -> Bool {
    // Another program may be about to save the document, as if the operation had ended long ago.
    if hasLeftDestination(of: operation) { return false }
    if operation.destination == nil, let source = operation.source.flatMap(place) { resolveMissing(at: source, now) }
    for place in places(of: operation) {
      let isOurs = state.classify { $0.isOwnInode(at: place) }
      decideOwn(at: place, isMaking: operation.isMaking && isOurs, now)
    }
    if operation.isMaking || operation.isBringing, let destination = operation.destination.flatMap(place) {
      decideContents(of: destination, isMaking: operation.isMaking, now)
    }
    return places(of: operation).contains { place in state.classify { $0.isUndecided(at: place) } }
  }

  /// Whether another program has already taken the item of an operation from its destination.
  private func hasLeftDestination(of operation: OwnOperation) -> Bool {
    guard let destination = operation.destination.flatMap(place),
      let key = state.classify({ $0.keyOfOwnItem }), state.classify({ $0.isUndecided(at: destination) })
    else { return false }
    let found = probe(destination)
    return found.isReadable && found.entry?.key != key
  }

  /// - Parameter isMaking: Whether the operation made the item; otherwise it may have a writer.
  private func decideOwn(at place: Place, isMaking: Bool, _ now: MonotonicTime) {
    finishIfComplete(place, isMaking: isMaking, now)
    resolveMissing(at: place, now)
    finishIfComplete(place, isMaking: isMaking, now)
  }

  /// Decides by looks now what has become of an entry that is not at its place.
  func resolveMissing(at place: Place, _ now: MonotonicTime) {
    if let missing = state.classify({ $0.missingEntry(at: place) }) { resolveNow(missing, now) }
  }

  /// Decides everything that is undecided in a directory.
  private func decideContents(of place: Place, isMaking: Bool, _ now: MonotonicTime) {
    let places = state.classify { classifier -> [Place] in
      guard let id = classifier.graph.node(at: place) else { return [] }
      return classifier.graph[id].kind == .directory ? classifier.undecidedPlaces(below: id) : []
    }
    for place in places { decideOwn(at: place, isMaking: isMaking, now) }
  }

  private func finishIfComplete(_ place: Place, isMaking: Bool, _ now: MonotonicTime) {
    guard isMaking else { return finishIfComplete(place, now) }
    // The document may have been moved while the app made its new version: it stays what has its tag.
    for other in state.classify({ $0.arrivals(bearingTagOfArrivalAt: place) }) { finishIfComplete(other, now) }
    if state.classify({ $0.noteComplete(at: place, mayBeOpen: true) }) { finishNow(place, now) }
  }

  /// Decides a file that nobody writes: one program may have closed it while another has it open.
  private func finishIfComplete(_ place: Place, _ now: MonotonicTime) {
    guard state.classify({ $0.isUndecided(at: place) }) else { return }
    let writers = probeWriters(place)
    guard writers != .beingWritten, writers != .failed else { return }
    if state.classify({ $0.noteComplete(at: place, mayBeOpen: writers == .nobodyWrites) }) { finishNow(place, now) }
  }

  private func finishNow(_ place: Place, _ now: MonotonicTime) {
    finish(place, false, isVerified: false, now)
    performRequests(now)
    let saved = state.classify { $0.completeEntry(at: place) }
    if let saved { checkWriting(saved, false, isVerified: false, now) }
    performRequests(now)
  }

  /// Decides an entry that has left its place, by looks now.
  private func resolveNow(_ id: NodeID, _ now: MonotonicTime) {
    let (place, elsewhere) = state.classify { $0.places(of: id) }
    guard let place, probe(place).isReadable else { return }
    let there = elsewhere.map { probe($0) } ?? .absent
    guard there.isReadable else { return }
    let here = probe(place).entry
    state.classify(at: now) { $0.resolve(id, here: here, elsewhere: there.entry) }
    performRequests(now)
  }
}
