import FileSystemObservation
import ObservationTestSupport
import Synchronization
import SystemPackage
import TestTraits
import Testing

/// Operations on several items.
@Suite(.light) struct BatchTests {
  private func begin() async throws -> OperationFixture {
    let fixture = try await OperationFixture { folder in
      try folder.watched.mkdir("d")
      for name in ["a.txt", "b.txt", "c.txt", "d/b.txt"] { try folder.watched.write(name) }
    }
    _ = fixture.told()
    return fixture
  }

  @Test func aBatchStopsAtTheItemThatFails_andGoesOnAfterIt() async throws {
    let fixture = try await begin()
    let paths = ["a.txt", "b.txt", "c.txt"].map(fixture.path)
    let batch = fixture.observer.moveItems(at: paths, into: fixture.path("d"))
    #expect(batch.completed.map(\.path) == [fixture.path("d/a.txt")])
    #expect(batch.remaining == Array(paths[1...]))
    #expect(batch.failure?.errno == .fileExists)
    #expect(batch.failure?.message.contains("b.txt") == true)
    let rest = fixture.observer.moveItems(at: batch.remaining, into: fixture.path("d"), overwriting: true)
    #expect(rest.failure == nil && rest.remaining.isEmpty)
    #expect(
      fixture.told() == [
        "own moved a.txt -> d/a.txt", "own deleted(replaced) d/b.txt", "own moved b.txt -> d/b.txt",
        "own moved c.txt -> d/c.txt",
      ])
    try await fixture.observed.expectAgreement()
  }

  @Test func progressCountsTheItems() async throws {
    let fixture = try await begin()
    let counts = Mutex<[Int]>([])
    let control = FileSystemObserver.OperationControl(
      progress: { progress in counts.withLock { $0.append(progress.items) } })
    let batch = fixture.observer.duplicateItems(
      at: ["a.txt", "c.txt"].map(fixture.path), into: fixture.path("d"), control: control)
    #expect(batch.completed.count == 2)
    #expect(counts.withLock { $0.last } == 2)
    #expect(counts.withLock { $0 == $0.sorted() })
    try await fixture.observed.expectAgreement()
  }

  @Test func aCancelledBatchNamesWhatRemains() async throws {
    let fixture = try await begin()
    let done = Mutex(0)
    let control = FileSystemObserver.OperationControl(
      progress: { progress in done.withLock { $0 = progress.items } }, isCancelled: { done.withLock { $0 >= 1 } })
    let paths = ["a.txt", "b.txt", "c.txt"].map(fixture.path)
    let batch = fixture.observer.removeItems(at: paths, control: control)
    #expect(batch.completed.map(\.path) == [paths[0]])
    #expect(batch.remaining == Array(paths[1...]))
    #expect(batch.failure?.code == .cancelled)
    try await fixture.observed.expectAgreement()
  }
}
