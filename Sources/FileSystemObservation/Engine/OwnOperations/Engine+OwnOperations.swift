import FileEvents
package import LinuxFileSystem
package import SystemPackage

// Operations of this process take effect between two steps.

extension Engine {
  /// Makes an operation take effect, and announces it at once.
  ///
  /// Everything before it is taken in first, and announced as changes by others. The operation's own changes need no
  /// delay, because the app is their author.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - handleAll: Handles all hints that the source has.
  ///   - commit: Makes the system calls with which the operation takes effect.
  package func perform(
    _ operation: OwnOperation, clock now: () -> MonotonicTime, handleAll: () -> Void,
    _ commit: () throws(Errno) -> CommittedItem
  ) throws(Errno) {
    func clock() -> MonotonicTime { recorded(now()) }
    time = now()
    recorder?.noteStep(.own, at: time, wallClock: files.wallClock)
    recorder?.note(operation)
    isPerformingOperation = true
    defer {
      isPerformingOperation = false
      recorder?.noteEndedOperation()
    }
    announceOthers(before: operation, clock, handleAll)
    if isRootLost { return try performWithoutRoot(operation, commit) }
    let operation = beginning(operation)
    holdsChanges = true
    defer { announceOwn() }
    let item = try recorded(commit)
    state.classify { $0.noteCommitted(item) }
    handleEverything(clock, handleAll)
    if isRootLost { return }
    followWhereUnmarked(operation, isMovedByCopying: item.isMovedByCopying, clock())
    lookWhereUnordered(operation, clock())
    decide(operation, clock: clock)
    let destination = operation.destination.flatMap(place)
    state.classify { $0.noteArrival(at: destination) }
  }

  /// Makes an operation take effect while the directory is away: nothing of it is observed.
  private func performWithoutRoot(
    _ operation: OwnOperation, _ commit: () throws(Errno) -> CommittedItem
  ) throws(Errno) {
    _ = try recorded { () throws(Errno) in
      if operation.needsRoot { throw .observedDirectoryIsAway }
      return try commit()
    }
  }

  /// Announces what others have changed.
  private func announceOthers(
    before operation: OwnOperation, _ clock: () -> MonotonicTime, _ handleAll: () -> Void
  ) {
    handleEverything(clock, handleAll)
    // The app names its items by where they are, which the comparison with the last run may not have told yet.
    decideFindsOfResumption(clock())
    lookWhereUnordered(operation, clock())
    lookWhereUnmarked(operation, clock())
    let destination = operation.isReplacing ? nil : operation.destination.flatMap(place)
    for place in places(of: operation) {
      // Its first look may have waited for hints, which have been replayed by now.
      if state.classify({ $0.hasUnseenVersion(at: place) }) { lookIfLive(place, .check, clock()) }
      decideOthers(at: place, mayBeFree: place == destination, clock())
    }
    tagBeforeDeparture(observed(operation), clock())
    resumption?.due = time
    publish()
  }

  /// Looks at the places of an operation for which the source reports nothing by itself: another program may have saved
  /// the item since the last pass.
  private func lookWhereUnmarked(_ operation: OwnOperation, _ now: MonotonicTime) {
    for place in [operation.source, operation.destination].compactMap({ $0.flatMap(unmarked) }) {
      lookIfLive(place, .check, isVerified: true, now)
      performRequests(now)
      // The next pass does not know what this look has found, and reports nothing if that is gone by then.
      polledPlaces.insert(place, now)
      // Where nothing is, another program may be between the two steps of a save.
      if state.classify({ $0.unannouncedEntry(at: place) }) != nil { resolveMissing(at: place, now) }
    }
  }

  /// Notes what an operation is about to change; the operation as far as it is observed.
  private func beginning(_ operation: OwnOperation) -> OwnOperation {
    var operation = observed(operation)
    let own = ownChanges(of: operation)
    // From a hidden place of the tree, too, an item comes with contents that nobody knows.
    if operation.source != nil, own.moved == nil { operation.isBringing = true }
    state.classify { $0.beginOperation(own) }
    return operation
  }

  private func announceOwn() {
    holdsChanges = false
    publish()
    state.classify { $0.endOperation() }
  }
}

// MARK: - Before and after

extension Engine {
  /// Takes in all hints up to now, and looks at their places.
  private func handleEverything(_ clock: () -> MonotonicTime, _ handleAll: () -> Void) {
    if isRootLost { return }
    handleAll()
    // The hints of the operation have been delivered. A rename that was carried over, because more hints might show an
    // exchange, is carried over again while other programs make hints.
    for _ in 0..<Self.batchLimit where !isRootLost && !carried.hints.isEmpty {
      handle(HintBatch(first: nextHint), at: max(clock(), carried.due ?? clock()))
      if !carried.hints.isEmpty { handleAll() }
    }
    if !isRootLost { inspectPlaces(clock()) }
  }

  /// The maximum number of batches that the engine handles before it goes on.
  private static var batchLimit: Int { 32 }

  func place(_ place: OperationPlace) -> Place? { state.classify { $0.place(place) } }

  /// The operation without its destination, if that is not observed.
  private func observed(_ operation: OwnOperation) -> OwnOperation {
    guard let destination = operation.destination else { return operation }
    if let place = place(destination), !isExcluded(place, isDirectory: nil) { return operation }
    var operation = operation
    operation.destination = nil
    return operation
  }

  /// The changes that an operation is about to make.
  private func ownChanges(of operation: OwnOperation) -> OwnChanges {
    var own = OwnChanges(reason: operation.reason, isMade: operation.isMaking || operation.isBringing)
    own.isDeparture = operation.destination == nil
    // A move inside the tree ends only what it replaces. The contents of its item may be many.
    let ending = operation.destination ?? operation.source
    state.classify { classifier in
      // An item that the graph does not have comes from outside.
      own.moved = operation.source.flatMap { classifier.entry(at: $0) }
      if operation.source != nil, own.moved == nil { own.isMade = true }
      guard let ending, let id = classifier.entry(at: ending) else { return }
      own.leaving = classifier.identities(below: id)
    }
    return own
  }

  /// Replays an operation at places for which the source reports nothing by itself.
  private func followWhereUnmarked(_ operation: OwnOperation, isMovedByCopying: Bool, _ now: MonotonicTime) {
    let (source, destination) = (operation.source.flatMap(unmarked), operation.destination.flatMap(unmarked))
    state.classify(at: now) { classifier in
      if let source, let destination, !isMovedByCopying {
        return classifier.replayRename(from: source, to: destination)
      }
      if let source, operation.destination == nil || isMovedByCopying { classifier.noteRemoved(at: source) }
      if let destination { classifier.overwrite(at: destination) }
    }
    if source == nil && destination == nil { return }
    // A move with one hinted end is known only when its other end is found.
    for place in places(of: operation).reversed() { lookIfLive(place, .check, isVerified: true, now) }
    for place in [source, destination].compactMap(\.self) { polledPlaces.insert(place, now) }
    performRequests(now)
  }

  /// Looks again at places that the source could not compare before and after an operation.
  ///
  /// It compares with what it found before the operation. So it reports nothing if another program undid the operation
  /// in between.
  func lookAtPolledPlaces(_ now: MonotonicTime) {
    guard let due = polledPlaces.due, due <= now else { return }
    guard horizon(since: polledPlaces.since) != nil else {
      return polledPlaces.due = now + PolledPlaces.pause
    }
    for place in polledPlaces.take() { lookIfLive(place, .check, now) }
  }

  private func unmarked(_ place: OperationPlace) -> Place? {
    self.place(place).flatMap { marks[$0.parent]?.isOfPolling ?? true ? $0 : nil }
  }

  /// Looks at the unordered places of an operation: the kernel merges similar events, so that their order is lost.
  private func lookWhereUnordered(_ operation: OwnOperation, _ now: MonotonicTime) {
    for place in places(of: operation).reversed() where state.classify({ $0.isUnordered(place) }) {
      // The item may be known at another place, which it has left.
      let key = probe(place).entry?.key
      let other = state.classify { classifier in
        key.flatMap { classifier.graph.node(with: $0) }.map { classifier.graph.place($0) }
      }
      if let other, other != place { lookIfLive(other, .check, isVerified: true, now) }
      lookIfLive(place, .check, isVerified: true, now)
      performRequests(now)
    }
  }
}
