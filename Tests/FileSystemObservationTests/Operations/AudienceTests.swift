import FileSystemObservation
import ObservationTestSupport
import Synchronization
import SystemPackage
import TestTraits
import Testing

/// Operations that leave out listeners.
@Suite(.light) struct AudienceTests {
  /// A listener that keeps a copy of the tree, and counts its calls.
  private final class Listener: Sendable {
    private let state: Mutex<(tree: FileSystemTree, calls: Int, left: [Bool])>

    init(_ observer: FileSystemObserver) {
      state = Mutex((FileSystemTree(observer.snapshot()), 0, []))
    }

    func take(_ event: FileSystemObserver.Event) {
      state.withLock { state in
        state.calls += 1
        state.tree.apply(event)
        if case .didChange(let changes) = event { state.left.append(changes.isForReplayOnly) }
      }
    }

    var tree: FileSystemTree { state.withLock { $0.tree } }
    var calls: Int { state.withLock { $0.calls } }
    var left: [Bool] { state.withLock { $0.left } }
  }

  private func begin() async throws -> OperationFixture {
    try await OperationFixture { folder in
      for name in ["a.txt", "b.txt"] { try folder.watched.write(name) }
    }
  }

  private func listen(_ fixture: OperationFixture) -> (Listener, NotificationToken) {
    let listener = Listener(fixture.observer)
    return (listener, fixture.observer.addNotificationBlock { _, event in listener.take(event) })
  }

  @Test func aListenerIsLeftOutWithoutAGap() async throws {
    let fixture = try await begin()
    let (left, leftToken) = listen(fixture)
    let (other, otherToken) = listen(fixture)
    try fixture.now { try $0.renameItem(at: fixture.path("a.txt"), to: "c.txt", notifying: .others(than: leftToken)) }
    // Blocks are called in order: once this is announced to the other, the one left out would have been called.
    let path = fixture.path("c.txt")
    try await fixture.observed.recorder.awaitChange("the rename") { $0.path == path }
    await fixture.observer.synchronize()
    #expect(left.calls == 0)
    #expect(other.left == [false])
    try fixture.now { try $0.renameItem(at: fixture.path("b.txt"), to: "d.txt") }
    await fixture.observer.synchronize()
    #expect(left.left == [true, false])
    #expect(left.tree == FileSystemTree(fixture.observer.snapshot()))
    #expect(other.tree == left.tree)
    withExtendedLifetime((leftToken, otherToken)) {}
  }

  @Test func nobodyIsNotified() async throws {
    let fixture = try await begin()
    let (listener, token) = listen(fixture)
    _ = fixture.told()
    try fixture.now { try $0.renameItem(at: fixture.path("a.txt"), to: "c.txt", notifying: .nobody) }
    await fixture.observer.synchronize()
    #expect(listener.calls == 0)
    try fixture.root.unlink("b.txt")
    await fixture.observer.synchronize()
    #expect(listener.left == [true, false])
    #expect(listener.tree == FileSystemTree(fixture.observer.snapshot()))
    withExtendedLifetime(token) {}
  }

  @Test func othersChangesAreNeverWithheld() async throws {
    let fixture = try await begin()
    let (listener, token) = listen(fixture)
    // The rename by another program and the operation are handled in one step.
    try fixture.root.rename("b.txt", "theirs.txt")
    try fixture.now { try $0.renameItem(at: fixture.path("a.txt"), to: "ours.txt", notifying: .nobody) }
    await fixture.observer.synchronize()
    #expect(listener.left.contains(false))
    #expect(listener.tree[fixture.path("theirs.txt")] != nil)
    withExtendedLifetime(token) {}
  }

  /// The folder is announced by itself: it is another program's.
  @Test func aListenerIsLeftOutInAFolderThatWasJustMade() async throws {
    let fixture = try await begin()
    let (listener, token) = listen(fixture)
    try fixture.root.makeDirectories("new/inner")
    let file = fixture.path("new/inner/x.txt")
    try fixture.now { try $0.createFile(at: file, notifying: .others(than: token)) }
    try fixture.now { try $0.moveItem(at: file, to: fixture.path("new/y.txt"), notifying: .others(than: token)) }
    await fixture.observer.synchronize()
    // What is for replay only may come with the set before it.
    #expect(listener.left.first == false && listener.left.count { !$0 } == 1)
    try fixture.root.unlink("b.txt")
    await fixture.observer.synchronize()
    #expect(listener.left == [false, true, true, false])
    #expect(listener.tree == FileSystemTree(fixture.observer.snapshot()))
    withExtendedLifetime(token) {}
  }

  /// The thread that takes the events makes the operations: nobody may wait for it.
  @Test func aFullQueueThatObservationWaitsForHoldsUpNoOperation() async throws {
    let fixture = try await begin()
    let queue = try fixture.observer.makeEventQueue(startingWith: .now, bufferLimit: 1, whenFull: .wait)
    for number in 1...4 {
      let names = number.isMultiple(of: 2) ? ["c.txt", "a.txt"] : ["a.txt", "c.txt"]
      try fixture.now { try $0.renameItem(at: fixture.path(names[0]), to: names[1]) }
    }
    var told: [FileSystemChange.Kind] = []
    queue.drain { event in if case .didChange(let changes) = event { told += changes.map(\.kind) } }
    #expect(told == [.renamed, .renamed, .renamed, .renamed])
  }
}
