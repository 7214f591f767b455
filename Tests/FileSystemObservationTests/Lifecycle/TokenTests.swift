import Dispatch
import Foundation
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

import struct Synchronization.Atomic

@testable import FileSystemObservation

@Suite(.light) struct TokenTests {
  /// A token that a block can let go of.
  private final class Holder: Sendable {
    let token = Mutex<NotificationToken?>(nil)

    func drop() { token.withLock { $0.take() }?.invalidate() }
    func letGo() { token.withLock { $0 = nil } }
  }

  @Test(arguments: [true, false])
  func aTokenIsDroppedInsideItsBlock(_ isInvalidated: Bool) async throws {
    let observed = try await ObservedFolder.begin()
    let holder = Holder()
    let calls = Feed<Int>()
    let token = observed.observer.addNotificationBlock { [weak holder] _, _ in
      calls.append(1)
      if isInvalidated { holder?.drop() } else { holder?.letGo() }
    }
    holder.token.withLock { $0 = token }
    try observed.root.mkdir("d")
    _ = await calls.firstIndex(within: .seconds(10)) { _ in true }
    // `token` itself would keep the registration of the one that is let go of.
    _ = consume token
    try observed.root.mkdir("e")
    try await observed.settle()
    if isInvalidated { #expect(calls.count == 1) }
    #expect(observed.said(from: 0) == ["discovered d", "discovered e"])
  }

  @Test func noBlockRunsOnceTheTokenIsDropped() async throws {
    let observed = try await ObservedFolder.begin()
    let calls = Feed<Int>()
    var token: NotificationToken? = observed.observer.addNotificationBlock { _, _ in calls.append(1) }
    #expect(token != nil)
    token = nil
    try await observed.saysExactly(["discovered d"]) { try $0.mkdir("d") }
    #expect(calls.count == 0)
  }

  /// `invalidate` waits for a block that runs on another thread; afterwards none runs.
  @Test func noBlockRunsAfterInvalidateReturns() async throws {
    for _ in 0..<20 {
      let observed = ObservedFolder(try TestFolder())
      let isInvalidated = Atomic(false)
      let lateCalls = Atomic(0)
      let calls = Feed<Int>()
      let invalidated = Shared(isInvalidated), late = Shared(lateCalls)
      let token = observed.observer.addNotificationBlock { _, _ in
        calls.append(1)
        // As long as the block runs, it must not be over for the one who invalidates.
        for _ in 0..<1000 where invalidated.value.load(ordering: .sequentiallyConsistent) {
          late.value.add(1, ordering: .sequentiallyConsistent)
        }
      }
      try await observed.observer.start()
      for number in 0..<20 { try observed.root.mkdir("\(number)") }
      _ = await calls.firstIndex(within: .seconds(10)) { _ in true }
      try await onThread {
        token.invalidate()
        invalidated.value.store(true, ordering: .sequentiallyConsistent)
      }
      for number in 20..<40 { try observed.root.mkdir("\(number)") }
      try await observed.recorder.awaitChange("the last folder") { $0.path.string == observed.root["39"] }
      #expect(late.value.load(ordering: .sequentiallyConsistent) == 0)
    }
  }

  /// Something that several threads may hold, and that cannot be copied.
  private final class Shared<Value: ~Copyable & Sendable>: Sendable {
    let value: Value

    init(_ value: consuming Value) {
      self.value = value
    }
  }

  /// The token is let go of before the start, as the optimiser does with one that is not used any more.
  @Test func anObserverToWhichNobodyListensSaysSoOnce() async throws {
    let folder = try TestFolder()
    let observer = FileSystemObserver(directory: URL(filePath: folder.watched.path))
    let lines = Feed<String>()
    _ = observer.addNotificationBlock { _, _ in }
    for _ in 0..<2 {
      try observer.start(warningAfter: 0) { lines.append($0) }
      _ = await lines.firstIndex(within: .seconds(10)) { _ in true }
      await observer.stop()
    }
    #expect(lines.count == 1)
    #expect(lines.elements.first?.contains(folder.watched.path) == true)
    var configuration = FileSystemObserver.Configuration(directory: FilePath(folder.watched.path))
    configuration.warnsWithoutListeners = false
    let silent = FileSystemObserver(configuration)
    try silent.start(warningAfter: 0) { lines.append($0) }
    await silent.stop()
    let others = (0..<2).map { _ in FileSystemObserver(directory: observer.directory) }
    let token = others[0].addNotificationBlock { _, _ in }
    let events = others[1].events()
    for listened in others {
      try listened.start(warningAfter: 0) { lines.append($0) }
      await listened.stop()
    }
    #expect(lines.count == 1)
    withExtendedLifetime((token, events)) {}
  }

  /// An app waits for what has happened since its last run, however long that takes, and listens then.
  @Test func whoeverSynchronizesMayListenLater() async throws {
    let folder = try TestFolder()
    let observer = FileSystemObserver(directory: URL(filePath: folder.watched.path))
    let lines = Feed<String>()
    try observer.start(warningAfter: 3_600) { lines.append($0) }
    let run = try #require(observer.state.withLock { $0.run })
    let mayGoOn = DispatchSemaphore(value: 0)
    run.driver.perform { _ in mayGoOn.wait() }
    async let isSynchronized: Void = observer.synchronize()
    #expect(try await comesTrue { observer.state.withLock { $0.waiterCount } == 1 })
    observer.warnWithoutListeners(after: 0, run.epoch) { lines.append($0) }
    #expect(await lines.firstIndex(within: .milliseconds(500)) { _ in true } == nil)
    let token = observer.addNotificationBlock { _, _ in }
    mayGoOn.signal()
    await isSynchronized
    await observer.stop()
    #expect(lines.count == 0)
    withExtendedLifetime(token) {}
  }

  @Test func aBlockMayAskTheObserver() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let answers = Feed<Bool>()
    let token = observed.observer.addNotificationBlock { observer, event in
      guard case .didChange(let set) = event else { return }
      for change in set where change.kind == .renamed {
        answers.append(
          observer.uuid(forItemAt: change.item.url) == change.uuid
            && observer.url(forItemWith: change.uuid) == change.item.url
            && observer.isRunning && observer.snapshot().contains { $0.uuid == change.uuid })
      }
    }
    try observed.root.rename("a.txt", "b.txt")
    _ = await answers.firstIndex(within: .seconds(10)) { _ in true }
    #expect(answers.elements == [true])
    token.invalidate()
    withExtendedLifetime(observed) {}
  }

  @Test func aBlockMayStopAndStartTheObserver() async throws {
    let folder = try TestFolder()
    let observed = ObservedFolder(folder)
    let scans = Feed<Int>()
    let token = observed.observer.addNotificationBlock { observer, notification in
      guard case .didCompleteFullScan = notification else { return }
      scans.append(1)
      guard scans.count < 5 else { return }
      observer.stop()
      try? observer.start()
    }
    try await observed.observer.start()
    let fifth = await scans.firstIndex(from: 4, within: .seconds(20)) { _ in true }
    #expect(fifth == 4)
    try observed.root.mkdir("d")
    try await observed.recorder.awaitChange("d") { $0.path.string == observed.root["d"] }
    token.invalidate()
  }

  @Test func aBlockMayStopTheObserverForGood() async throws {
    let observed = try await ObservedFolder.begin()
    let calls = Feed<Int>()
    let token = observed.observer.addNotificationBlock { observer, _ in
      observer.stop()
      calls.append(1)
    }
    try observed.root.mkdir("d")
    _ = await calls.firstIndex(within: .seconds(10)) { _ in true }
    #expect(!observed.observer.isRunning)
    #expect(calls.count == 1)
    token.invalidate()
  }

  /// The thread that tells is the one that took the step: another goes on with the observer's work, deadlines included.
  @Test func theObserverGoesOnWhileABlockIsRunning() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let uuid = try observed.uuid("a.txt")
    let (entered, isReleased) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let token = observed.observer.addNotificationBlock { _, notification in
      guard case .didChange(let set) = notification, set.first?.kind == .renamed else { return }
      entered.signal()
      isReleased.wait()
    }
    try observed.root.rename("a.txt", "b.txt")
    let isTold = try await onThread { entered.wait(timeout: .now() + 60) == .success }
    #expect(isTold)
    try observed.root.mkdir("d")
    #expect(try await observed.knows("d", true))
    // That needs no further event, but the time of the settle window.
    try observed.root.unlink("b.txt")
    #expect(try await observed.knows("b.txt", false))
    isReleased.signal()
    try await observed.settle()
    #expect(observed.said(from: 0).suffix(3) == ["renamed a.txt -> b.txt", "discovered d", "deleted(removed) b.txt"])
    #expect(observed.observer.path(forItemWith: uuid) == nil)
    withExtendedLifetime(token) {}
  }

  @Test func blocksRunOnTheQueueThatWasChosen() async throws {
    let folder = try TestFolder()
    let observed = ObservedFolder(folder)
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "test")
    queue.setSpecific(key: key, value: true)
    let places = Feed<Bool>()
    let token = observed.observer.addNotificationBlock(on: queue) { _, _ in
      places.append(DispatchQueue.getSpecific(key: key) == true)
    }
    try await observed.observer.start()
    _ = await places.firstIndex(from: 1, within: .seconds(10)) { _ in true }
    #expect(Set(places.elements) == [true])
    token.invalidate()
  }

  @Test func allListenersHearTheSame() async throws {
    let folder = try TestFolder()
    let observed = ObservedFolder(folder)
    let others = (0..<4).map { _ in Recorder(observed.observer) }
    try await observed.start()
    for number in 0..<100 { try observed.root.write("\(number)") }
    try await observed.settle()
    try observed.root.mkdir("last")
    for recorder in others + [observed.recorder] {
      try await recorder.awaitChange("the last folder") { $0.path.string == observed.root["last"] }
    }
    let expected = observed.recorder.changes().map { "\($0.kind) \($0.path) \($0.uuid)" }
    for other in others { #expect(other.changes().map { "\($0.kind) \($0.path) \($0.uuid)" } == expected) }
  }
}

extension ObservedFolder {
  /// Awaits that the observer knows something of a name, or knows nothing of it any more; nothing tells of that while a
  /// block runs.
  fileprivate func knows(_ name: String, _ isKnown: Bool) async throws -> Bool {
    try await comesTrue { (observer.uuid(forItemAt: FilePath(root[name])) != nil) == isKnown }
  }
}
