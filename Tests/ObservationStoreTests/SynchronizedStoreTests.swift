#if Store
import FileSystemObservation
import ObservationStore
import Testing

/// An app waits until the store has what is known.
struct SynchronizedStoreTests {
  @Test func theStoreHasWhatWasAnnounced() async throws {
    let stored = try StoredFolder()
    try stored.write("a.txt", "first")
    let observer = FileSystemObserver(stored.configuration, store: stored.store)
    try await observer.start()
    #expect(await observer.synchronizeStore())
    #expect(try stored.store.snapshot() == observer.snapshot())
    for name in ["b", "c", "d"] {
      try stored.shell("mv *.txt \(name).txt")
      #expect(await observer.synchronizeStore())
      #expect(try stored.store.snapshot().map(\.relativePath.string) == ["\(name).txt"])
    }
    await observer.stop()
    #expect(await !observer.synchronizeStore())
  }

  @Test func withoutAStoreThereIsNothingToWaitFor() async throws {
    let stored = try StoredFolder()
    let observer = FileSystemObserver(directory: stored.folder)
    try await observer.start()
    #expect(await !observer.synchronizeStore())
    await observer.stop()
  }
}
#endif
