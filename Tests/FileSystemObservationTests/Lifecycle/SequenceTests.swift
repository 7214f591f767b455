import Dispatch
import FileSystemObservation
import Foundation
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@Suite(.light) struct SequenceTests {
  @Test func theSequenceTellsWhatBlocksAreTold() async throws {
    let observed = ObservedFolder(try TestFolder())
    let events = observed.observer.events(startingWith: .now)
    let task = Task {
      var heard: [String] = []
      for try await event in events {
        guard case .didChange(let set) = event else { continue }
        heard += set.map { "\($0.kind) \($0.path) \($0.uuid)" }
        if set.contains(where: { $0.path.string.hasSuffix("/last") }) { break }
      }
      return heard
    }
    try await observed.start()
    for number in 0..<50 { try observed.root.write("\(number)") }
    try await observed.settle()
    try observed.root.mkdir("last")
    let heard = try await task.value
    try await observed.settle()
    let told = observed.recorder.changes().map { "\($0.kind) \($0.path) \($0.uuid)" }
    #expect(heard == Array(told.prefix(heard.count)))
    #expect(heard.count > 100)
  }

  @Test func aCancelledTaskEndsTheSequence() async throws {
    let observed = try await ObservedFolder.begin()
    let begun = Feed<Int>()
    let events = observed.observer.events(startingWith: .now)
    let task = Task {
      for try await _ in events { begun.append(1) }
    }
    try await observed.saysExactly(["discovered d"]) { try $0.mkdir("d") }
    task.cancel()
    try await task.value
    #expect(begun.count > 0)
    try await observed.saysExactly(["discovered e"]) { try $0.mkdir("e") }
  }

  /// What is told between the asking and the first iteration waits.
  @Test func aSequenceThatIsIteratedLateMissesNothing() async throws {
    let observed = ObservedFolder(try TestFolder())
    try observed.root.write("a.txt")
    let events = observed.observer.events(startingWith: .now)
    try await observed.start()
    await observed.observer.stop()
    var heard: [Recorder.Entry] = []
    for try await event in events { heard.append(Recorder.Entry(event)) }
    guard case .willBeginFullScan(.start)? = heard.first?.event else {
      Issue.record("the first word is \(String(describing: heard.first?.event))")
      return
    }
    let told = observed.recorder.changes().map { "\($0.kind) \($0.path) \($0.uuid)" }
    #expect(heard.flatMap(\.changes).map { "\($0.kind) \($0.path) \($0.uuid)" } == told)
  }

  /// Whoever asks when the scan is complete is told so, after the state.
  @Test func aSequenceThatIsAskedForLateIsToldOfTheScan() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    var heard: [String] = []
    for try await event in observed.observer.events() {
      heard.append("\(event)")
      if case .didCompleteFullScan(let summary) = event {
        #expect(summary.itemCount == 1)
        break
      }
    }
    #expect(heard.count == 2 && heard.first?.hasPrefix("reset (initial): 1 item") == true, "\(heard)")
    let block = observed.observer.events(startingWith: .now)
    await observed.observer.stop()
    #expect(try await block.first { _ in true } == nil)
  }

  @Test func theSequenceEndsWhenTheObserverIsStopped() async throws {
    let observed = try await ObservedFolder.begin()
    let events = observed.observer.events(startingWith: .now)
    let task = Task { try await events.reduce(into: 0) { count, _ in count += 1 } }
    try await observed.saysExactly(["discovered d"]) { try $0.mkdir("d") }
    await observed.observer.stop()
    #expect(try await task.value > 0)
    // The next run is told to whoever asks anew.
    let next = observed.observer.events()
    try await observed.start()
    #expect(try await events.first { _ in true } == nil)
    #expect(try await next.first { if case .didCompleteFullScan = $0 { true } else { false } } != nil)
  }

  @Test func theSequenceEndsWithTheErrorThatEndsObservation() async throws {
    let observed = try await ObservedFolder.begin()
    let events = observed.observer.events(startingWith: .now)
    try observed.root.rename(observed.root.path, "\(observed.outside.path)/gone")
    let error = await #expect(throws: FileSystemObserverError.self) {
      for try await _ in events {}
    }
    #expect(error?.code == .rootLost)
    withExtendedLifetime(observed) {}
  }

  @Test func aSecondIteratorBeginsWhenItIsMade() async throws {
    let observed = try await ObservedFolder.begin()
    let events = observed.observer.events(startingWith: .now)
    try await observed.saysExactly(["discovered d"]) { try $0.mkdir("d") }
    var first = events.makeAsyncIterator()
    var second = events.makeAsyncIterator()
    try observed.root.mkdir("e")
    func next(_ iterator: inout FileSystemObserver.Events.Iterator) async throws -> String? {
      while let event = try await iterator.next() {
        guard case .didChange(let set) = event else { continue }
        let names = set.compactMap { $0.path.lastComponent?.string }
        if let name = names.first(where: { !$0.contains("cookie") }) { return name }
      }
      return nil
    }
    #expect(try await next(&first) == "d")
    #expect(try await next(&second) == "e")
    #expect(try await next(&first) == "e")
    withExtendedLifetime(observed) {}
  }

  /// Whoever falls behind is told so once, starts anew from the inventory, and misses nothing from then on.
  @Test func aSlowConsumerRescansOnce() async throws {
    let observed = ObservedFolder(try TestFolder())
    var iterator = observed.observer.events(startingWith: .now, bufferLimit: 10).makeAsyncIterator()
    try await observed.observer.start()
    for number in 0..<200 {
      let mark = observed.recorder.position
      try observed.root.mkdir("\(number)")
      try await observed.recorder.await("folder \(number)", from: mark) { Self.tells($0, observed.root["\(number)"]) }
    }
    // The consumer has taken nothing so far. From now on it keeps up.
    var heard: [Recorder.Entry] = []
    while let event = try await iterator.next() {
      heard.append(Recorder.Entry(event))
      if case .reset = event { try observed.root.mkdir("last") }
      if Self.tells(event, observed.root["last"]) { break }
    }
    let rescans = heard.filter { if case .reset = $0.event { true } else { false } }
    #expect(rescans.count == 1)
    let replay = Replay(root: observed.root.path, heard)
    #expect(replay.contradictions == [])
    #expect(DiskInventory(of: observed.root).differences(from: replay.items) == [])
  }

  private static func tells(_ event: FileSystemObserver.Event, _ path: String) -> Bool {
    guard case .didChange(let set) = event else { return false }
    return set.contains { $0.path.string == path }
  }

  /// A block that holds up its queue does not hold up the observer, nor any other listener.
  @Test func aSlowBlockRescansOnce() async throws {
    let observed = ObservedFolder(try TestFolder())
    let gate = Gate()
    let heard = Feed<Recorder.Entry>()
    // Blocks without a queue share one.
    let queue = DispatchQueue(label: "slow")
    defer { gate.open() }
    let token = observed.observer.addNotificationBlock(on: queue, bufferLimit: 10) { _, event in
      gate.wait()
      heard.append(Recorder.Entry(event))
    }
    let observer = observed.observer
    try await observer.start()
    for number in 0..<200 {
      try observed.root.mkdir("\(number)")
      try await observed.recorder.awaitInventory(observer, count: number + 1)
    }
    gate.open()
    _ = await heard.firstIndex(within: .seconds(10)) { if case .reset = $0.event { true } else { false } }
    try observed.root.mkdir("last")
    let path = observed.root["last"]
    let last = await heard.firstIndex(within: .seconds(10)) { Self.tells($0.event, path) }
    #expect(last != nil)
    let rescans = heard.elements.filter { if case .reset = $0.event { true } else { false } }
    #expect(rescans.count == 1)
    let replay = Replay(root: observed.root.path, heard.elements)
    #expect(replay.contradictions == [])
    #expect(DiskInventory(of: observed.root).differences(from: replay.items) == [])
    token.invalidate()
  }
}

/// Holds up a thread until it is opened.
private final class Gate: Sendable {
  private let condition = NSCondition()
  private nonisolated(unsafe) var isOpen = false

  func wait() {
    condition.withLock {
      while unsafe !isOpen { condition.wait() }
    }
  }

  func open() {
    condition.withLock { unsafe isOpen = true }
    condition.broadcast()
  }
}
