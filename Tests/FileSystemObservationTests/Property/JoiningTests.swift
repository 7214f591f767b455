import FileSystemObservation
import FileTestSupport
import FoundationEssentials
import ObservationTestSupport
import ReplayModel
import TestTraits
import Testing

/// Listeners that join while random operations on real files go on: what each has made of what it got is what is there
/// in the end.
@Suite struct JoiningTests {
  private static let joinsPerSeed = 260

  /// One listener, which has taken in what it was given by paths, and, where it listens to the whole tree, as an app
  /// does.
  private struct Joiner {
    let scope: FileSystemObserver.Scope
    let queue: FileSystemObserver.EventQueue
    var replay = PathReplay()
    var tree: FileSystemTree
    /// The moment up to which it has taken in everything.
    var cursor: FileSystemObserver.Cursor?

    mutating func drain(atMost limit: Int = .max) {
      var (replay, tree, cursor) = (replay, tree, cursor)
      queue.drain(atMost: limit) { event in
        replay.apply(event)
        tree.apply(event)
        if case .didChange(let set) = event { cursor = set.cursor }
        if case .reset(let snapshot, _) = event { cursor = snapshot.cursor }
      }
      (self.replay, self.tree, self.cursor) = (replay, tree, cursor)
    }
  }

  /// Several queues of one observer, and the random choices about them.
  private struct Crowd {
    let observer: FileSystemObserver
    var random: SplitMix64
    var joiners: [Joiner] = []

    /// One more joins, and some of the others take what waits for them.
    mutating func turn() throws {
      if random.chance(1, of: 4), let known = joiners.randomElement(using: &random) {
        try goOn(after: known)
      } else {
        try join()
      }
      for index in joiners.indices where random.chance(1, of: 40) { joiners[index].drain(atMost: 5) }
    }

    private mutating func join() throws {
      let scope = scope()
      let limit = random.chance(1, of: 4) ? Int.random(in: 1...8, using: &random) : nil
      let queue = try observer.makeEventQueue(of: scope, bufferLimit: limit)
      joiners.append(Joiner(scope: scope, queue: queue, tree: FileSystemTree(directory: observer.directory)))
      if random.chance(1, of: 2) { joiners[joiners.count - 1].drain(atMost: 1) }
    }

    /// A listener with what another has taken in so far, as after a start of the app.
    private mutating func goOn(after known: Joiner) throws {
      guard let cursor = known.cursor else { return try join() }
      let queue = try observer.makeEventQueue(startingWith: .after(cursor), of: known.scope)
      let tree = try JSONDecoder().decode(FileSystemTree.self, from: try JSONEncoder().encode(known.tree))
      joiners.append(Joiner(scope: known.scope, queue: queue, replay: known.replay, tree: tree, cursor: cursor))
    }

    private mutating func scope() -> FileSystemObserver.Scope {
      guard random.chance(1, of: 2), let item = observer.snapshot().randomElement(using: &random) else { return .all }
      if item.kind != .directory { return .item(item.uuid) }
      return random.chance(1, of: 2) ? .folder(item.uuid) : .subtree(item.uuid)
    }

    /// What is wrong with what listeners have in the end.
    mutating func faults() throws -> [String] {
      let whole = FileSystemTree(observer.snapshot())
      var states: [FileSystemObserver.Scope: PathReplay] = [:]
      var faults: [String] = []
      for index in joiners.indices {
        joiners[index].drain()
        let joiner = joiners[index]
        let state = try states[joiner.scope] ?? state(of: joiner.scope)
        states[joiner.scope] = state
        faults += joiner.replay.contradictions.map { "listener \(index) of \(joiner.scope): \($0)" }
        if joiner.replay != state {
          faults.append("listener \(index) of \(joiner.scope): \(joiner.replay) is not \(state)")
        }
        if joiner.scope == .all, joiner.tree != whole { faults.append("listener \(index): the tree is another") }
      }
      return faults
    }

    private func state(of scope: FileSystemObserver.Scope) throws -> PathReplay {
      guard case .reset(let snapshot, _)? = try observer.makeEventQueue(of: scope).next() else {
        throw TimedOut("the state of a scope")
      }
      return PathReplay(snapshot)
    }
  }

  @Test(.busy, .undisturbed, arguments: UInt64(1)...4)
  func whoeverJoinsHasWhatIsThereInTheEnd(_ seed: UInt64) async throws {
    let observed = try await ObservedFolder.begin("join\(seed)") { try RandomWork.makeDocuments(in: $0.watched) }
    let work = try RandomWork(in: observed.folder, seed: seed, steps: 15) { try observed.identity($0) }
    let documents = Feed<Document>()
    async let isDone: Void = {
      for document in try await work.run(since: .now) { documents.append(document) }
    }()
    var crowd = Crowd(observer: observed.observer, random: SplitMix64(seed: seed))
    // The moments are those of chance.
    while documents.count == 0 || crowd.joiners.count < Self.joinsPerSeed {
      try crowd.turn()
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...20, using: &crowd.random)))
    }
    try await isDone
    await observed.observer.synchronize()
    #expect(try crowd.faults() == [], "seed \(seed)")
    #expect(observed.differences() == [], "seed \(seed)")
  }
}
