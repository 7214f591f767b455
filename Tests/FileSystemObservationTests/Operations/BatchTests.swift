import FileSystemObservation
import ObservationTestSupport
import Synchronization
import SystemPackage
import TestTraits
import Testing

/// Operations on several items.
@Suite(.light) struct BatchTests {
  @Test func aBatchStopsAtTheItemThatFails_andGoesOnAfterIt() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt", "b.txt", "c.txt", "d/b.txt")
    let paths = ["a.txt", "b.txt", "c.txt"].map(fixture.path)
    let batch = fixture.now { $0.moveItems(at: paths, into: fixture.path("d")) }
    #expect(batch.completed.map(\.path) == [fixture.path("d/a.txt")])
    #expect(batch.remaining == Array(paths[1...]))
    #expect(batch.failure?.errno == .fileExists)
    #expect(batch.failure?.message.contains("b.txt") == true)
    let error = #expect(throws: FileSystemObserverError.self) { try batch.get() }
    #expect(error == batch.failure)
    let rest = await fixture.observer.moveItems(at: batch.remaining, into: fixture.path("d"), overwriting: true)
    #expect(rest.failure == nil && rest.remaining.isEmpty)
    #expect(try rest.get() == rest.completed)
    #expect(
      fixture.told() == [
        "own moved a.txt -> d/a.txt", "own deleted(replaced) d/b.txt", "own moved b.txt -> d/b.txt",
        "own moved c.txt -> d/c.txt",
      ])
    try await fixture.observed.expectAgreement()
  }

  @Test func aBatchThatContinuesNamesWhatFailed() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt", "b.txt", "c.txt", "d/b.txt")
    let paths = ["b.txt", "missing", "a.txt", "c.txt"].map(fixture.path)
    let counts = Mutex<[Int]>([])
    let control = FileSystemObserver.OperationControl { progress in counts.withLock { $0.append(progress.items) } }
    let batch = fixture.now { $0.moveItems(at: paths, into: fixture.path("d"), continuing: true, control: control) }
    #expect(batch.completed.map(\.path) == ["d/a.txt", "d/c.txt"].map(fixture.path))
    #expect(batch.remaining == Array(paths[..<2]) && batch.failures.map(\.item) == batch.remaining)
    #expect(batch.failures.map(\.error.errno) == [.fileExists, .noSuchFileOrDirectory])
    #expect(batch.failures.map(\.error.path) == [fixture.path("d/b.txt"), fixture.path("missing")])
    #expect(counts.withLock { $0.last } == 4)
    let rest = await fixture.observer.moveItems(
      at: batch.remaining, into: fixture.path("d"), naming: .numbered, continuing: true)
    #expect(rest.completed.map(\.path) == [fixture.path("d/b (2).txt")] && rest.remaining == [fixture.path("missing")])
    try await fixture.observed.expectAgreement()
  }

  @Test func aCancellationEndsABatchThatContinues() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt", "b.txt", "c.txt")
    let done = Mutex(0)
    let control = FileSystemObserver.OperationControl(
      progress: { progress in done.withLock { $0 = progress.items } }, isCancelled: { done.withLock { $0 >= 2 } })
    let paths = ["missing", "a.txt", "b.txt", "c.txt"].map(fixture.path)
    let batch = fixture.now { $0.removeItems(at: paths, continuing: true, control: control) }
    #expect(batch.completed.map(\.path) == [paths[1]])
    #expect(batch.remaining == [paths[0], paths[2], paths[3]])
    #expect(batch.failures.map(\.error.code) == [.fileOperationFailed, .cancelled])
    try await fixture.observed.expectAgreement()
  }

  @Test func progressCountsTheItems() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt", "b.txt", "c.txt", "d/b.txt")
    let reports = Mutex<[FileSystemObserver.OperationProgress]>([])
    let control = FileSystemObserver.OperationControl(
      progress: { progress in reports.withLock { $0.append(progress) } })
    let batch = await fixture.observer.duplicateItems(
      at: ["a.txt", "c.txt"].map(fixture.path), into: fixture.path("d"), control: control)
    #expect(batch.completed.count == 2)
    let (counts, fractions) = reports.withLock { ($0.map(\.items), $0.map(\.fraction)) }
    #expect(counts.last == 2 && counts == counts.sorted())
    #expect(fractions.last == 1 && fractions.compactMap(\.self) == fractions.compactMap(\.self).sorted())
    try await fixture.observed.expectAgreement()
  }

  @Test func aCancelledBatchNamesWhatRemains() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt", "b.txt", "c.txt", "d/b.txt")
    let done = Mutex(0)
    let control = FileSystemObserver.OperationControl(
      progress: { progress in done.withLock { $0 = progress.items } }, isCancelled: { done.withLock { $0 >= 1 } })
    let paths = ["a.txt", "b.txt", "c.txt"].map(fixture.path)
    let batch = fixture.now { $0.removeItems(at: paths, control: control) }
    #expect(batch.completed.map(\.path) == [paths[0]])
    #expect(batch.remaining == Array(paths[1...]))
    #expect(batch.failure?.code == .cancelled)
    try await fixture.observed.expectAgreement()
  }

  @Test func aBatchGoesToTheTrash() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt", "b.txt", "c.txt", "d/b.txt")
    let paths = ["a.txt", "b.txt"].map(fixture.path)
    let batch = await fixture.observer.trashItems(at: paths, allowingHomeTrash: true)
    #expect(batch.failure == nil && batch.completed.map(\.trashedItem?.originalPath) == paths)
    #expect(fixture.told() == ["own deleted(trashed) a.txt", "own deleted(trashed) b.txt"])
    let trashed = batch.completed.compactMap(\.trashedItem)
    let inTrash = await fixture.observer.trashedItems().items
    #expect(Set(trashed.map(\.path)).isSubset(of: inTrash.map(\.path)))
    let restored = await fixture.observer.restoreItems(trashed)
    #expect(restored.failure == nil && restored.completed.map(\.item.uuid) == batch.completed.map(\.item.uuid))
    // They are no longer in the trash.
    let again = await fixture.observer.restoreItems(trashed)
    #expect(again.completed.isEmpty && again.remaining == trashed && again.failure?.errno == .noSuchFileOrDirectory)
    let removed = await fixture.observer.removeItems(at: paths)
    #expect(removed.remaining.isEmpty)
    try await fixture.observed.expectAgreement()
  }

  @Test func aBatchEndsWithItsTask() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt", "b.txt", "c.txt", "d/b.txt")
    let paths = ["a.txt", "b.txt", "c.txt"].map(fixture.path)
    let observer = fixture.observer
    // Its own progress cancels the task after the first item.
    let task = Mutex<Task<FileSystemObserver.Batch, Never>?>(nil)
    let control = FileSystemObserver.OperationControl { progress in
      if progress.items > 0 { task.withLock { $0?.cancel() } }
    }
    let batch = await task.withLock { task in
      let new = Task { await observer.removeItems(at: paths, control: control) }
      task = new
      return new
    }.value
    #expect(batch.completed.map(\.path) == [paths[0]] && batch.remaining == Array(paths[1...]))
    #expect(batch.failure?.code == .cancelled)
    try await fixture.observed.expectAgreement()
  }
}
