import FileSystemObservation
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// A suspended observer observes, and its listeners get everything when it is resumed.
@Suite(.light) struct SuspensionTests {
  /// A folder with one other in it, `0`.
  private let observed: ObservedFolder

  init() async throws {
    observed = try await ObservedFolder.begin { try $0.watched.mkdir("0") }
    await observed.observer.synchronize()
  }

  private var observer: FileSystemObserver { observed.observer }

  /// Renames the folder `0` to `1`, and so on: a set of changes for each name.
  private func rename(_ numbers: Range<Int>) async throws {
    for number in numbers {
      try observed.root.rename("\(number)", "\(number + 1)")
      await observer.synchronize()
    }
  }

  private static func word(_ event: FileSystemObserver.Event) -> String {
    switch event {
    case .didChange(let set): set.compactMap { $0.path.lastComponent?.string }.joined(separator: ",")
    case .reset(_, let reason): "reset \(reason.rawValue)"
    case .willBeginFullScan: "begin"
    case .didCompleteFullScan: "complete"
    case .didEnd: "end"
    default: "other"
    }
  }

  private static func isReadable(_ descriptor: CInt) -> Bool {
    var entry = pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 0) == 1
  }

  private func words(_ queue: FileSystemObserver.EventQueue) -> [String] {
    var words: [String] = []
    queue.drain { words.append(Self.word($0)) }
    return words
  }
}

// MARK: - Each kind of listener

extension SuspensionTests {
  @Test func blocksRunWhenTheObserverIsResumed() async throws {
    let mark = observed.recorder.position
    observer.suspend()
    #expect(observer.isSuspended)
    try await rename(0..<3)
    #expect(observed.recorder.position == mark)
    #expect(observer[FilePath(observed.root["3"])] != nil && observer.snapshot().count == 1)
    observer.resume()
    #expect(!observer.isSuspended)
    await observer.synchronize()
    #expect(observed.recorder.entries[mark...].map { Self.word($0.event) } == ["1", "2", "3"])
    try await rename(3..<4)
    #expect(observed.recorder.entries[mark...].count == 4)
    #expect(observed.differences() == [])
  }

  @Test func aQueueIsNotReadableForWhatWaits() async throws {
    let queue = try observer.makeEventQueue(startingWith: .now)
    try await rename(0..<1)
    #expect(Self.isReadable(queue.fileDescriptor))
    observer.suspend()
    #expect(!Self.isReadable(queue.fileDescriptor))
    try await rename(1..<3)
    #expect(!Self.isReadable(queue.fileDescriptor) && queue.next() == nil)
    observer.resume()
    #expect(Self.isReadable(queue.fileDescriptor))
    #expect(words(queue) == ["1", "2", "3"])
    #expect(!Self.isReadable(queue.fileDescriptor))
  }

  /// What was taken before is not alerted again, and what comes later is.
  @Test func aQueueThatWasEmptiedWaitsForWhatComes() async throws {
    let queue = try observer.makeEventQueue(startingWith: .now)
    try await rename(0..<1)
    #expect(queue.next() != nil)
    observer.suspend()
    observer.resume()
    #expect(!Self.isReadable(queue.fileDescriptor) && queue.next() == nil)
    try await rename(1..<2)
    #expect(Self.isReadable(queue.fileDescriptor))
    #expect(words(queue) == ["2"])
  }

  @Test func aSequenceWaits() async throws {
    let sequence = observer.events(startingWith: .now)
    observer.suspend()
    try await rename(0..<3)
    let taken = Feed<String>()
    let task = Task {
      for try await event in sequence { taken.append(Self.word(event)) }
    }
    try await rename(3..<4)
    #expect(taken.count == 0)
    observer.resume()
    #expect(await taken.firstIndex(within: .seconds(60)) { $0 == "4" } == 3)
    #expect(taken.elements == ["1", "2", "3", "4"])
    await observer.stop()
    try await task.value
  }

  @Test func listenersThatAreAddedMeanwhileWait() async throws {
    observer.suspend()
    let blocks = Feed<String>()
    let token = observer.addNotificationBlock(startingWith: .snapshot) { _, event in blocks.append(Self.word(event)) }
    let queue = try observer.makeEventQueue()
    try await rename(0..<1)
    #expect(blocks.count == 0 && queue.next() == nil && !Self.isReadable(queue.fileDescriptor))
    observer.resume()
    await observer.synchronize()
    // The snapshot is taken when the listener gets it, so it has the change.
    #expect(blocks.elements == ["reset initial", "complete"])
    #expect(words(queue) == ["reset initial", "complete"])
    token.invalidate()
  }
}

// MARK: - Limits and ends

extension SuspensionTests {
  @Test func calledTwiceItIsResumedOnce() async throws {
    let queue = try observer.makeEventQueue(startingWith: .now)
    observer.suspend()
    observer.suspend()
    try await rename(0..<1)
    observer.resume()
    #expect(words(queue) == ["1"])
    observer.resume()
    #expect(words(queue) == [])
  }

  @Test(arguments: [FileSystemObserver.WhenFull.reset, .wait])
  func aListenerWithoutRoomStartsAnew(_ whenFull: FileSystemObserver.WhenFull) async throws {
    let queue = try observer.makeEventQueue(startingWith: .now, bufferLimit: 2, whenFull: whenFull)
    observer.suspend()
    try await rename(0..<6)
    #expect(observer[FilePath(observed.root["6"])] != nil)
    observer.resume()
    #expect(words(queue) == ["reset fellBehind"])
    try await rename(6..<7)
    #expect(words(queue) == ["7"])
  }

  /// The observer waits for a listener without room, and no longer when it is suspended.
  @Test func suspendingEndsTheWaitForAListener() async throws {
    let queue = try observer.makeEventQueue(startingWith: .now, bufferLimit: 1, whenFull: .wait)
    try observed.root.rename("0", "1")
    let descriptor = queue.fileDescriptor
    #expect(try await comesTrue { Self.isReadable(descriptor) })
    try observed.root.rename("1", "2")
    try await observed.recorder.awaitChange("1") { $0.path.lastComponent == "1" }
    observer.suspend()
    try await rename(2..<3)
    #expect(observer[FilePath(observed.root["3"])] != nil)
    observer.resume()
    #expect(words(queue) == ["reset fellBehind"])
  }

  @Test func itOutlastsAStopAndAStart() async throws {
    let mark = observed.recorder.position
    observer.suspend()
    try await rename(0..<1)
    await observer.stop()
    #expect(observer.isSuspended)
    try await observer.start()
    await observer.synchronize()
    #expect(observed.recorder.position == mark)
    observer.resume()
    await observer.synchronize()
    #expect(observed.recorder.entries[mark...].map { Self.word($0.event) } == ["1", "begin", "1", "complete"])
  }

  @Test func stoppingEndsASequenceAfterWhatWaits() async throws {
    let sequence = observer.events(startingWith: .now)
    observer.suspend()
    try await rename(0..<2)
    await observer.stop()
    var words: [String] = []
    for try await event in sequence { words.append(Self.word(event)) }
    #expect(words == ["1", "2"])
  }

  @Test func anEndByItselfIsToldWhenTheObserverIsResumed() async throws {
    let queue = try observer.makeEventQueue(startingWith: .now)
    let sequence = observer.events(startingWith: .now)
    observer.suspend()
    observed.root.removeTree()
    #expect(try await comesTrue { !observer.isRunning })
    #expect(queue.next() == nil)
    observer.resume()
    var said: [String] = []
    // The end is announced a moment after the observer stops to run.
    #expect(
      try await comesTrue {
        said += words(queue)
        return said.last == "end"
      })
    await #expect(throws: FileSystemObserverError.self) { for try await _ in sequence {} }
  }

  /// An app that has suspended an observer and stops it is not left with a task that waits for ever.
  @Test func anEndByItselfIsToldASequenceWhenTheObserverIsStopped() async throws {
    let sequence = observer.events(startingWith: .now)
    observer.suspend()
    observed.root.removeTree()
    #expect(try await comesTrue { !observer.isRunning })
    await observer.stop()
    await #expect(throws: FileSystemObserverError.self) { for try await _ in sequence {} }
  }

  @Test func aBlockMaySuspendTheObserver() async throws {
    let words = Feed<String>()
    let token = observer.addNotificationBlock { observer, event in
      words.append(Self.word(event))
      observer.suspend()
    }
    try await rename(0..<2)
    #expect(words.elements == ["1"])
    observer.resume()
    await observer.synchronize()
    #expect(words.elements == ["1", "2"])
    token.invalidate()
  }
}
