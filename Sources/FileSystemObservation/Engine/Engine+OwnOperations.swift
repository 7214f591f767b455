import FileEvents
package import LinuxFileSystem
package import SystemPackage

// Operations of this process take effect between two steps.

extension Engine {
  /// Has an operation take effect, and announces it at once.
  ///
  /// Everything before it is taken in first and announced as others' changes. What the operation changes needs no
  /// delay: the app is its author.
  ///
  /// - Parameters:
  ///   - clock: The current time.
  ///   - catchUp: Handles all hints that the source has.
  ///   - commit: Makes the system calls with which the operation takes effect.
  package func perform(
    _ operation: OwnOperation, clock: () -> MonotonicTime, catchUp: () -> Void,
    _ commit: () throws(Errno) -> CommittedItem
  ) throws(Errno) {
    time = clock()
    recorder?.noteStep(.own, at: time, wallClock: files.wallClock)
    catchUpCompletely(clock, catchUp)
    lookWhereDoubtful(operation, clock())
    for place in places(of: operation) { decideOthers(at: place, clock()) }
    resumption?.due = time
    publish()
    if isRootLost { return _ = try commit() }
    let operation = observed(operation)
    let own = ownChanges(of: operation)
    state.classify { $0.own = own }
    holdsChanges = true
    defer { announceOwn() }
    let item = try commit()
    state.classify { $0.own?.note(item) }
    catchUpCompletely(clock, catchUp)
    if isRootLost { return }
    followWhereUnmarked(operation, clock())
    lookWhereDoubtful(operation, clock())
    decide(operation, clock: clock)
    let destination = operation.destination.flatMap(place)
    state.classify { $0.own?.arrived = destination.flatMap($0.graph.node(at:)) }
  }

  private func announceOwn() {
    holdsChanges = false
    publish()
    state.classify { $0.own = nil }
  }
}

// MARK: - Before and after

extension Engine {
  /// Takes in all hints up to now, and looks at all places that they touched.
  private func catchUpCompletely(_ clock: () -> MonotonicTime, _ catchUp: () -> Void) {
    if isRootLost { return }
    catchUp()
    // The hints of the operation are there by now. A rename that was left to the next batch, because more hints might
    // show an exchange, is left again while other programs go on making hints.
    for _ in 0..<Self.batchLimit where !isRootLost && !carried.hints.isEmpty {
      handle(HintBatch(first: nextHint), at: max(clock(), carried.due ?? clock()))
      if !carried.hints.isEmpty { catchUp() }
    }
    if !isRootLost { lookAtTouched(clock()) }
  }

  /// How many batches of hints the engine takes at once before it goes on.
  private static var batchLimit: Int { 32 }

  func place(_ names: [FileName]) -> Place? { state.classify { $0.place(along: names) } }

  /// The places of an operation whose directories the graph has; the destination comes first.
  func places(of operation: OwnOperation) -> [Place] {
    [operation.destination, operation.source].compactMap { $0.flatMap(place) }
  }

  /// The operation as far as its places are observed.
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
    // A move inside the tree ends only what it replaces. The contents of its item may be many.
    let ending = operation.destination ?? operation.source
    state.classify { classifier in
      // What the graph does not have comes from outside as far as it knows.
      own.moved = operation.source.flatMap { classifier.entry(along: $0) }
      if operation.source != nil, own.moved == nil { own.isMade = true }
      guard let ending, let id = classifier.entry(along: ending) else { return }
      own.leaving = classifier.identities(below: id)
    }
    return own
  }

  /// Follows an operation at the places of which the source reports nothing by itself.
  private func followWhereUnmarked(_ operation: OwnOperation, _ now: MonotonicTime) {
    let (source, destination) = (operation.source.flatMap(unmarked), operation.destination.flatMap(unmarked))
    state.classify { classifier in
      if let source, let destination {
        classifier.followRename(from: source, to: destination, now)
      } else if let source, operation.destination == nil {
        classifier.noteRemoved(at: source, now)
      } else if let destination {
        classifier.overwrite(at: destination, now)
      }
    }
    if source == nil && destination == nil { return }
    // A move with one end that is reported is known only when the other end is found.
    for place in places(of: operation).reversed() { look(at: place, .check, isVerified: true, now) }
    for place in [source, destination].compactMap(\.self) { polledPlaces.insert(place, now) }
    performRequests(now)
  }

  /// Looks again at places where the source has had no chance to see an operation.
  ///
  /// It compares what it finds with what it found before the operation. So it reports nothing if another program has
  /// undone the operation in between.
  func lookAtPolledPlaces(_ now: MonotonicTime) {
    guard let due = polledPlaces.due, due <= now else { return }
    guard horizon(since: polledPlaces.since) != nil else {
      return polledPlaces.due = now + PolledPlaces.pause
    }
    for place in polledPlaces.take() { lookIfLive(place, .check, now) }
  }

  private func unmarked(_ names: [FileName]) -> Place? {
    place(names).flatMap { marks[$0.parent]?.isOfPolling ?? true ? $0 : nil }
  }

  /// Looks at the places of an operation that the source has reported in doubt: the kernel merges events that are
  /// alike, so that their order is lost.
  private func lookWhereDoubtful(_ operation: OwnOperation, _ now: MonotonicTime) {
    for place in places(of: operation).reversed() where state.classify({ $0.doubtful.contains(place) }) {
      // The item may be known at another place, which it has left.
      let key = probe(place).entry?.key
      let other = state.classify { classifier in
        key.flatMap { classifier.graph.node(with: $0) }.map { classifier.graph.place($0) }
      }
      if let other, other != place { look(at: other, .check, isVerified: true, now) }
      look(at: place, .check, isVerified: true, now)
      performRequests(now)
    }
  }
}
