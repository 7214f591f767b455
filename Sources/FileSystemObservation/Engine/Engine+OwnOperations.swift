import FileEvents
package import FileIdentity
package import LinuxFileSystem
package import SystemPackage

/// An operation of this process that takes effect between two steps of the engine.
///
/// Places are names below the observed directory; a place outside it is `nil`.
package struct OwnOperation: Sendable {
  /// The place that the operation's item leaves.
  package var source: [FileName]?
  /// The place where the operation's item is afterwards.
  package var destination: [FileName]?
  /// Whether the operation makes the item; otherwise it moves or removes one.
  package var isMaking = false
  /// Whether the operation moves the item from outside the observed directory.
  package var isBringing = false
  /// Why items end, if the operation removes them.
  package var reason: DeletionReason?

  package init(
    from source: [FileName]? = nil, to destination: [FileName]? = nil, isMaking: Bool = false,
    isBringing: Bool = false, reason: DeletionReason? = nil
  ) {
    self.source = source
    self.destination = destination
    self.isMaking = isMaking
    self.isBringing = isBringing
    self.reason = reason
  }
}

/// The result of the system calls of an operation, as far as the engine cannot see it.
package struct CommittedItem: Sendable {
  /// The inode at the destination, if the operation made it.
  package var key: FileKey?
  /// The original of each copy that the operation made, by the UUID of the copy.
  package var originals: [UUIDBits: UUIDBits] = [:]
  /// What the system calls change, if that is not what the app has asked for: for instance a folder above the item.
  var target: OperationTarget?

  package init(key: FileKey? = nil, originals: [UUIDBits: UUIDBits] = [:]) {
    self.key = key
    self.originals = originals
  }

  init(target: OperationTarget) {
    self.target = target
  }
}

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
    catchUpCompletely(clock, catchUp)
    lookWhereDoubtful(operation, clock())
    for place in places(of: operation) { decideOthers(at: place, clock()) }
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
    for _ in 0..<Self.roundLimit where decide(operation, clock()) {}
    let destination = operation.destination.flatMap(place)
    state.classify { $0.own?.arrived = destination.flatMap($0.graph.node(at:)) }
  }

  /// How often the engine tries to decide everything before it leaves the rest to its timers.
  private static var roundLimit: Int { 4 }

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

  private func place(_ names: [FileName]) -> Place? { state.classify { $0.graph.place(along: names) } }

  /// The places of an operation whose directories the graph has; the destination comes first.
  private func places(of operation: OwnOperation) -> [Place] {
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
    guard source.horizon(since: polledPlaces.since) != nil else {
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

// MARK: - Decisions without delay

extension Engine {
  /// Decides what other programs have completed at a place, before an operation changes it.
  private func decideOthers(at place: Place, _ now: MonotonicTime) {
    if state.classify({ $0.noteComplete(at: place, mayBeOpen: false) }) { finishNow(place, now) }
    let removed = state.classify { classifier in
      classifier.announceUntold(at: place)
      return classifier.missingEntry(at: place, thatIsGone: true)
    }
    if let removed { resolveNow(removed, now) }
  }

  /// Decides what an operation has changed.
  ///
  /// - Returns: Whether something is still undecided.
  private func decide(_ operation: OwnOperation, _ now: MonotonicTime) -> Bool {
    for place in places(of: operation) { decideOwn(at: place, isMaking: operation.isMaking, now) }
    if operation.isMaking || operation.isBringing, let destination = operation.destination.flatMap(place) {
      decideContents(of: destination, isMaking: operation.isMaking, now)
    }
    return places(of: operation).contains { place in state.classify { $0.isUndecided(at: place) } }
  }

  /// - Parameter isMaking: Whether the operation has made what is there; otherwise somebody may be writing it.
  private func decideOwn(at place: Place, isMaking: Bool, _ now: MonotonicTime) {
    finishIfComplete(place, isMaking: isMaking, now)
    if let missing = state.classify({ $0.missingEntry(at: place) }) { resolveNow(missing, now) }
    finishIfComplete(place, isMaking: isMaking, now)
  }

  /// Decides everything that has arrived in a directory.
  private func decideContents(of place: Place, isMaking: Bool, _ now: MonotonicTime) {
    let places = state.classify { classifier -> [Place] in
      guard let id = classifier.graph.node(at: place) else { return [] }
      return classifier.graph[id].kind == .directory ? classifier.undecidedPlaces(below: id) : []
    }
    for place in places { decideOwn(at: place, isMaking: isMaking, now) }
  }

  private func finishIfComplete(_ place: Place, isMaking: Bool, _ now: MonotonicTime) {
    guard state.classify({ $0.isUndecided(at: place) }) else { return }
    // Nobody has seen what comes from a name that is not observed being written.
    let isFree = isMaking || probeWriters(place) == .nobodyWrites
    if state.classify({ $0.noteComplete(at: place, mayBeOpen: isFree) }) { finishNow(place, now) }
  }

  private func finishNow(_ place: Place, _ now: MonotonicTime) {
    finish(place, false, isVerified: false, now)
    performRequests(now)
    let saved = state.classify { $0.completeEntry(at: place) }
    if let saved { checkWriting(saved, false, isVerified: false, now) }
    performRequests(now)
  }

  /// Decides about an entry that has left its place, with what is there now.
  private func resolveNow(_ id: NodeID, _ now: MonotonicTime) {
    let (place, elsewhere) = state.classify { $0.places(of: id) }
    guard let place, isReadable(probe(place)) else { return }
    let there = elsewhere.map(probe) ?? .absent
    guard isReadable(there) else { return }
    let here = probe(place).entry
    state.classify { $0.resolve(id, here: here, elsewhere: there.entry, at: now) }
    performRequests(now)
  }

  private func isReadable(_ probe: Probe) -> Bool {
    switch probe {
    case .entry, .absent: true
    case .unreachable, .failed: false
    }
  }
}

/// Places that operations have changed where the source polls.
struct PolledPlaces {
  /// How long to wait before asking the source again whether it has looked, in nanoseconds.
  static let pause: Int64 = 20_000_000

  private var places: [Place] = []
  /// When the last operation took effect.
  private(set) var since = MonotonicTime(nanoseconds: 0)
  /// When to ask the source.
  var due: MonotonicTime?

  mutating func insert(_ place: Place, _ now: MonotonicTime) {
    if !places.contains(place) { places.append(place) }
    since = now
    due = now + Self.pause
  }

  mutating func take() -> [Place] {
    defer { (places, due) = ([], nil) }
    return places
  }
}
