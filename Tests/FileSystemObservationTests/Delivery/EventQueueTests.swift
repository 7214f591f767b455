import FileSystemObservation
import Glibc
import ObservationTestSupport
import ReplayModel
import SystemPackage
import TestTraits
import Testing

/// Events for a program that polls a descriptor.
@Suite(.light) struct EventQueueTests {
  private typealias Queue = FileSystemObserver.EventQueue

  /// A folder with one other in it, `0`; it is observed as long as a test runs.
  private let observed: ObservedFolder

  init() async throws {
    observed = try await ObservedFolder.begin { try $0.watched.mkdir("0") }
    await observed.observer.synchronize()
  }

  /// Renames the folder `number` to the next number: one set of changes.
  private func rename(_ number: Int) async throws {
    try observed.root.rename("\(number)", "\(number + 1)")
    await observed.observer.synchronize()
  }

  /// Whether poll(2) finds something to read.
  private static func isReadable(_ descriptor: CInt, within milliseconds: CInt = 0) -> Bool {
    var entry = pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, milliseconds) == 1
  }

  /// What each event says, in a word.
  private static func word(_ event: FileSystemObserver.Event?) -> String? {
    switch event {
    case .didChange(let set): set.compactMap { $0.path.lastComponent?.string }.joined(separator: ",")
    case .reset(_, let reason): "reset \(reason.rawValue)"
    case .willBeginFullScan: "begin"
    case .didCompleteFullScan: "complete"
    case .none: nil
    default: "other"
    }
  }

  private func words(_ queue: Queue, atMost limit: Int = .max) -> [String] {
    var words: [String] = []
    queue.drain(atMost: limit) { words.append(Self.word($0) ?? "") }
    return words
  }
}

// MARK: - The descriptor

extension EventQueueTests {
  @Test func aQueueIsReadableWhileSomethingWaits() async throws {
    let queue = try observed.observer.makeEventQueue(startingWith: .now)
    #expect(!Self.isReadable(queue.fileDescriptor))
    for number in 0..<2 { try await rename(number) }
    for number in 1...2 {
      #expect(Self.isReadable(queue.fileDescriptor))
      #expect(Self.word(queue.next()) == "\(number)")
    }
    #expect(queue.next() == nil)
    #expect(!Self.isReadable(queue.fileDescriptor))
    try await rename(2)
    #expect(Self.isReadable(queue.fileDescriptor))
  }

  @Test func aThreadThatPollsIsWoken() async throws {
    let queue = try observed.observer.makeEventQueue(startingWith: .now)
    let descriptor = queue.fileDescriptor
    async let isWoken = onThread { Self.isReadable(descriptor, within: 60_000) }
    try await rename(0)
    #expect(try await isWoken)
    #expect(words(queue) == ["1"])
  }

  @Test func aQueueThatBeginsWithTheStateIsReadableAtOnce() throws {
    let observer = FileSystemObserver(directory: "/nowhere")
    let queue = try observer.makeEventQueue()
    #expect(Self.isReadable(queue.fileDescriptor))
    #expect(words(queue) == ["reset initial"])
    #expect(!Self.isReadable(queue.fileDescriptor))
    withExtendedLifetime(observer) {}
  }
}

// MARK: - Taking events

extension EventQueueTests {
  @Test func drainTakesSoManyAtMost() async throws {
    let queue = try observed.observer.makeEventQueue(startingWith: .now)
    for number in 0..<5 { try await rename(number) }
    #expect(words(queue, atMost: 2) == ["1", "2"])
    #expect(Self.isReadable(queue.fileDescriptor))
    #expect(words(queue, atMost: 0) == [])
    #expect(words(queue) == ["3", "4", "5"])
    #expect(!Self.isReadable(queue.fileDescriptor))
  }

  /// What is thrown ends the draining; the event counts as taken, and the others wait.
  @Test func whatTheBodyThrowsIsThrown() async throws {
    let queue = try observed.observer.makeEventQueue(startingWith: .now)
    for number in 0..<2 { try await rename(number) }
    #expect(throws: Errno.canceled) { try queue.drain { _ in throw Errno.canceled } }
    #expect(words(queue) == ["2"])
  }

  /// A listener that takes nothing loses changes, is given the state once, and misses nothing from then on.
  @Test func aQueueThatFallsBehindStartsAnewOnce() async throws {
    let queue = try observed.observer.makeEventQueue(startingWith: .now, bufferLimit: 3)
    for number in 0..<6 { try await rename(number) }
    guard case .reset(let snapshot, .fellBehind)? = queue.next() else {
      Issue.record("the queue does not start anew")
      return
    }
    #expect(snapshot == observed.observer.snapshot())
    #expect(queue.next() == nil)
    try await rename(6)
    guard case .didChange(let set)? = queue.next() else {
      Issue.record("the queue does not go on")
      return
    }
    #expect(set.sequence == snapshot.sequence + 1)
  }

  @Test func aQueueGoesOnWithTheNextStart() async throws {
    let queue = try observed.observer.makeEventQueue(startingWith: .now)
    try await rename(0)
    await observed.observer.stop()
    try observed.root.rename("1", "2")
    try observed.root.write("new.txt")
    try await observed.observer.start()
    await observed.observer.synchronize()
    var tree = FileSystemTree(directory: observed.observer.directory)
    var words: [String] = []
    queue.drain {
      tree.apply($0)
      words.append(Self.word($0) ?? "")
    }
    #expect(words.first == "1" && words.dropFirst().first == "begin" && words.last == "complete", "\(words)")
    #expect(tree == FileSystemTree(observed.observer.snapshot()))
    #expect(tree[FilePath(observed.root["new.txt"])] != nil)
  }

  /// A main loop may close a window at any moment.
  @Test func queuesComeAndGoWhileTheObserverPosts() async throws {
    let work = Churn(in: observed.root)
    let isDone = Feed<Int>()
    async let done: Void = isDone.append(try await work.run(seed: 7, for: .milliseconds(500)))
    var contradictions: [String] = []
    var turn = 0
    while isDone.count == 0 || turn < 300 {
      turn += 1
      let queue = try observed.observer.makeEventQueue(startingWith: turn % 2 == 0 ? .snapshot : .now)
      var replay = PathReplay()
      queue.drain(atMost: 3) { if turn % 2 == 0 { replay.apply($0) } }
      contradictions += replay.contradictions
      await Task.yield()
    }
    try await done
    #expect(try #require(isDone.elements.first) > 0)
    #expect(contradictions == [])
    try await observed.expectAgreement()
  }
}

// MARK: - What a queue begins with

extension EventQueueTests {
  @Test func nowIsWhatHappensNext() async throws {
    let queue = try observed.observer.makeEventQueue(startingWith: .now)
    #expect(queue.next() == nil)
    try await rename(0)
    #expect(words(queue) == ["1"])
  }

  @Test func theStateComesFirstAndThenTheScanThatIsComplete() async throws {
    let queue = try observed.observer.makeEventQueue(startingWith: .snapshot)
    // The state is that of the moment at which it is taken.
    try await rename(0)
    guard case .reset(let snapshot, .initial)? = queue.next() else {
      Issue.record("the queue does not begin with the state")
      return
    }
    #expect(snapshot == observed.observer.snapshot())
    #expect(snapshot[FilePath(observed.root["1"])] != nil)
    try await rename(1)
    #expect(words(queue) == ["complete", "2"])
  }

  @Test func whoeverGoesOnAfterTheLastSetGetsTheNext() async throws {
    let cursor = try #require(observed.observer.snapshot().cursor)
    let queue = try observed.observer.makeEventQueue(startingWith: .after(cursor))
    #expect(queue.next() == nil)
    try await rename(0)
    #expect(words(queue) == ["1"])
  }

  @Test func whoeverMissedASetIsGivenTheState() async throws {
    let cursor = try #require(observed.observer.snapshot().cursor)
    try await rename(0)
    let queue = try observed.observer.makeEventQueue(startingWith: .after(cursor))
    try await rename(1)
    #expect(words(queue) == ["reset resumed"])
    try await rename(2)
    #expect(words(queue) == ["3"])
  }

  /// Cursors of two runs have nothing in common, even where the numbers of the sets are the same.
  @Test func aCursorOfAnotherRunLeadsToTheState() async throws {
    await observed.observer.stop()
    try await observed.observer.start()
    await observed.observer.synchronize()
    let cursor = try #require(observed.observer.snapshot().cursor)
    await observed.observer.stop()
    try await observed.observer.start()
    await observed.observer.synchronize()
    let queue = try observed.observer.makeEventQueue(startingWith: .after(cursor))
    guard case .reset(let snapshot, .resumed)? = queue.next() else {
      Issue.record("the queue does not begin with the state")
      return
    }
    #expect(snapshot == observed.observer.snapshot() && snapshot.count == 1)
    #expect(snapshot.cursor != cursor)
    try await rename(0)
    #expect(words(queue) == ["1"])
  }
}

// MARK: - Queues that observation waits for

extension EventQueueTests {
  /// A set that was larger than the rest of the buffer led to the state, and its changes were lost.
  @Test(arguments: [1, 20, 1_000]) func whoeverIsWaitedForLosesNoChange(_ limit: Int) async throws {
    let queue = try observed.observer.makeEventQueue(startingWith: .now, bufferLimit: limit, whenFull: .wait)
    for number in 1...5 {
      try observed.folder.outside.mkdir("\(number)")
      for name in 1...6 { try observed.folder.outside.write("\(number)/\(name).txt") }
    }
    var arrived: Set<String> = []
    for number in 1...5 {
      try move(number)
      // With a large buffer, nothing waits; with a small one, the queue must be drained at last.
      if limit > 20 { await observed.observer.synchronize() }
    }
    #expect(
      try await comesTrue {
        queue.drain { event in arrived.formUnion(Self.discoveries(event)) }
        return arrived.count >= 35
      })
    #expect(arrived.count == 35)
  }

  /// From outside, so that each folder is a set of its own.
  private func move(_ number: Int) throws {
    try Command.run("mv", observed.folder.outside["\(number)"], observed.root["f\(number)"])
  }

  private static func discoveries(_ event: FileSystemObserver.Event) -> [String] {
    guard case .didChange(let set) = event else { return [] }
    return set.filter { $0.kind == .discovered }.map(\.path.string)
  }

  /// The thread that takes the events operates: it does not wait for observation, which waits for it.
  @Test func anOperationEndsTheWaitForAListener() async throws {
    let queue = try observed.observer.makeEventQueue(startingWith: .now, bufferLimit: 1, whenFull: .wait)
    try observed.root.rename("0", "1")
    #expect(try await comesTrue { Self.isReadable(queue.fileDescriptor) })
    try observed.root.rename("1", "2")
    // The engine has announced that to the first listener, and waits for the queue.
    try await observed.recorder.awaitChange("2") { $0.path.lastComponent == "2" }
    let (observer, path) = (observed.observer, FilePath(observed.root["2"]))
    let operation = try await observer.renameItem(at: path, to: "3")
    #expect(operation.path.lastComponent == "3")
    #expect(try await comesTrue { words(queue).isEmpty })
  }
}
