import Dispatch
import FileIdentity
import FoundationEssentials
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import Testing

@testable import FileSystemObservation

/// The thread that writes behind the engine.
struct StoreWriterTests {
  /// A graph that changes, and what its writer has reported.
  private final class Engine: Sendable {
    let graph: Mutex<(RandomGraph, UInt64)>
    let failures = Mutex<[Bool]>([])
    /// What was said to be stored.
    let stored = Mutex<[UInt64?]>([])

    init(seed: UInt64) {
      graph = Mutex((RandomGraph(seed: seed), 0))
    }

    func takePicture() -> GraphPicture { graph.withLock { $0.0.takePicture($0.1) } }
  }

  /// A graph that a writer follows.
  private struct World {
    let store = MemoryStore()
    let engine: Engine
    let writer: StoreWriter

    init(seed: UInt64 = 1, _ adjust: (inout StoreWriter.Limits) -> Void = { _ in }) throws {
      let engine = Engine(seed: seed)
      self.engine = engine
      var limits = StoreWriter.Limits()
      limits.delay = 1_000_000
      limits.retryDelays = 1_000_000...4_000_000
      adjust(&limits)
      let head = StoredHead(
        number: 0, date: 0, nodeCount: 0, digest: 0, devices: [], runs: [StoredHead.Run(epoch: 7, base: 0)],
        directory: Array("/T".utf8))
      writer = try StoreWriter(
        to: store, after: head, StoredLayout(), limits: limits,
        StoreWriter.Surroundings(
          picture: { engine.takePicture() }, identity: { $0 + 1 },
          failed: { error in engine.failures.withLock { $0.append(error != nil) } },
          stored: { number in engine.stored.withLock { $0.append(number) } }))
    }

    /// Makes a set, as the engine does, and hands it over.
    @discardableResult
    func change(_ count: Int = 5, _ adjust: (inout ChangeLog) -> Void = { _ in }) -> UInt64 {
      var (log, number) = engine.graph.withLock { graph -> (ScopedLog, UInt64) in
        graph.1 += 1
        return (graph.0.takeLog(of: count), graph.1)
      }
      adjust(&log.whole)
      writer.note(.changes(log, nil, sequence: number))
      return number
    }

    var tree: FileSystemTree { engine.graph.withLock { $0.0.worked.tree } }

    var stored: StoredTree? { get throws { try store.read { try StoredTree.load(from: $0) } } }
  }

  @Test func theStoreHasTheTreeAfterTheLastSetAndAllSets() throws {
    let world = try World()
    for _ in 0..<50 { world.change() }
    #expect(world.writer.flush(through: 50))
    let stored = try #require(try world.stored)
    #expect(stored.head.number == 50 && stored.head.devices.map(\.identity) == [2])
    #expect(FileSystemTree(stored.snapshot) == world.tree)
    #expect(Set(world.store.contents.sets.keys) == Set(1...50))
    world.writer.stop()
  }

  @Test func theSetsAfterACursorLeadToTheStoredTree() throws {
    let world = try World(seed: 4)
    for _ in 0..<20 { world.change() }
    #expect(world.writer.flush(through: 20))
    var copy = FileSystemTree(try #require(try world.stored).snapshot)
    for _ in 0..<30 { world.change() }
    #expect(world.writer.flush(through: 50))
    world.writer.stop()
    let cursor = FileSystemObserver.Cursor(epoch: 7, number: 20)
    let found = try world.store.read { try StoredJournal($0)?.changes(since: cursor) }
    guard case .changes(let sets) = found else { return #expect(Bool(false), "they are not there") }
    #expect(sets.map(\.sequence) == Array(21...50) && sets.last?.cursor == .init(epoch: 7, number: 50))
    for set in sets { copy.apply(set) }
    #expect(copy == FileSystemTree(try #require(try world.stored).snapshot))
  }

  @Test func theHistoryOfAnItemIsItsChangesInOrder() throws {
    let world = try World(seed: 5)
    var all: [FileSystemChange] = []
    for _ in 0..<30 { world.change() }
    #expect(world.writer.flush(through: 30))
    world.writer.stop()
    let start = FileSystemObserver.Cursor(epoch: 7, number: 0)
    guard case .changes(let sets) = try world.store.read({ try StoredJournal($0)?.changes(since: start) }) else {
      return #expect(Bool(false), "they are not there")
    }
    all = sets.flatMap(Array.init)
    for uuid in Set(all.map(\.uuid)).prefix(20) {
      let history = try world.store.read { try StoredJournal($0)?.history(of: uuid) ?? [] }
      #expect(
        history.map(\.change)
          == all.filter { change in
            guard case .duplicated(let original) = change.event else { return change.uuid == uuid }
            return change.uuid == uuid || original.uuid == uuid
          })
    }
  }

  @Test func aFailingStoreIsTriedAgainAndLacksNothing() async throws {
    let world = try World(seed: 6)
    world.store.setFailing(true)
    for _ in 0..<10 { world.change() }
    #expect(try await comesTrue { world.engine.failures.withLock { $0.count } >= 3 })
    #expect(try world.stored == nil && world.writer.durableNumber == 0)
    world.store.setFailing(false)
    #expect(world.writer.flush(through: 10))
    #expect(FileSystemTree(try #require(try world.stored).snapshot) == world.tree)
    #expect(Set(world.store.contents.sets.keys) == Set(1...10))
    #expect(world.engine.failures.withLock { $0.last } == false)
    #expect(try await comesTrue { world.engine.stored.withLock { $0.first == .some(nil) && $0.last == 10 } })
    world.writer.stop()
  }

  /// Tags wait for it.
  @Test func copiesAreWrittenWithoutDelay() async throws {
    let hour: Int64 = 3_600_000_000_000
    let world = try World(seed: 7) { ($0.delay, $0.interval) = (hour, hour) }
    world.change()
    let number = world.change { log in
      guard let first = log.records.indices.first else { return }
      log.records[first].kind = .duplicated
      log.records[first].original = UUIDBits(high: 1, low: 1)
    }
    #expect(try await comesTrue { world.engine.stored.withLock { $0.last == number } })
    world.writer.stop()
  }

  @Test func whatDoesNotFitIsLeftOutOfTheJournalAndNotOfTheTree() throws {
    let world = try World(seed: 8) { $0.waitingBytes = 8_000 }
    let release = world.store.hold()
    for _ in 0..<200 { world.change() }
    release()
    #expect(world.writer.flush(through: 200))
    world.change()
    #expect(world.writer.flush(through: 201))
    world.writer.stop()
    #expect(FileSystemTree(try #require(try world.stored).snapshot) == world.tree)
    func found(_ number: UInt64) throws -> StoredJournal.Continuation? {
      try world.store.read { try StoredJournal($0)?.changes(since: .init(epoch: 7, number: number)) }
    }
    guard case .unknown(.tooOld) = try found(0), case .changes(let sets) = try found(200) else {
      return #expect(Bool(false), "there is no gap")
    }
    #expect(sets.count == 1)
  }

  @Test func cursorsOfOtherRunsAndOfTheFutureAreUnknown() throws {
    let world = try World()
    world.change()
    #expect(world.writer.flush(through: 1))
    world.writer.stop()
    for cursor in [FileSystemObserver.Cursor(epoch: 8, number: 1), .init(epoch: 7, number: 2)] {
      guard case .unknown(.resumed) = try world.store.read({ try StoredJournal($0)?.changes(since: cursor) }) else {
        return #expect(Bool(false), "\(cursor)")
      }
    }
  }

  @Test func theCursorOfARunThatWasNotStoredToTheEndIsKnownUpToTheLastStoredSet() {
    let head = StoredHead(
      number: 30, date: 0, nodeCount: 0, digest: 0, devices: [],
      runs: [StoredHead.Run(epoch: 1, base: 0), .init(epoch: 2, base: 10), .init(epoch: 3, base: 25)], directory: [])
    func isKnown(_ epoch: UInt64, _ number: UInt64) -> Bool { head.contains(.init(epoch: epoch, number: number)) }
    #expect(isKnown(1, 0) && isKnown(1, 10) && !isKnown(1, 11))
    #expect(!isKnown(2, 9) && isKnown(2, 10) && isKnown(2, 25) && !isKnown(2, 26))
    #expect(isKnown(3, 25) && isKnown(3, 30) && !isKnown(3, 31))
    #expect(head.epoch(of: 10) == 1 && head.epoch(of: 11) == 2 && head.epoch(of: 26) == 3)
  }

  @Test func oldSetsGoWhenThereAreTooMany() throws {
    let world = try World(seed: 3) { $0.keptBytes = 20_000 }
    for number in 1...200 as ClosedRange<UInt64> {
      world.change()
      if number % 10 == 0 { #expect(world.writer.flush(through: number)) }
    }
    world.writer.stop()
    let sets = world.store.contents.sets
    let size = sets.values.reduce(0) { $0 + $1.bytes.count }
    #expect(size < 30_000 && sets.keys.max() == 200 && (sets.keys.min() ?? 0) > 50)
    #expect(sets.count == Int(200 - (sets.keys.min() ?? 0)) + 1)
  }

  @Test func theEngineNeverWaitsForAStore() throws {
    let world = try World()
    let release = world.store.hold()
    // If one of them waited, it would wait for ever.
    for _ in 0..<100 { world.change(1) }
    #expect(world.writer.durableNumber == 0)
    release()
    world.writer.stop()
    #expect(world.writer.durableNumber == 100)
  }

  @Test func aStoreThatDoesNotAnswerIsLeftBehindAndClosedLater() throws {
    let world = try World { $0.farewell = 1_000_000 }
    let release = world.store.hold()
    _ = world.change()
    let isClosed = DispatchSemaphore(value: 0)
    world.writer.stop { isClosed.signal() }
    #expect(world.writer.durableNumber == 0)
    release()
    isClosed.wait()
    #expect(world.writer.durableNumber == 1)
  }

  @Test func whatIsLeftIsWrittenInTheEnd() throws {
    let world = try World { $0.delay = 3_600_000_000_000 }
    world.change()
    world.writer.stop()
    #expect(try world.stored?.head.number == 1)
  }
}
