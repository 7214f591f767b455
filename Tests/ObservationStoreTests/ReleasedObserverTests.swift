#if Store
import FileSystemObservation
import ObservationStore
import TestTraits
import Testing

/// An app releases its observer, and does not stop it.
@Suite(.light) struct ReleasedObserverTests {
  @Test func theNextOneGoesOnWithItsStore() async throws {
    let folder = try StoredFolder()
    try folder.write("letter.odt", "letters")
    for _ in 0..<10 {
      let observer = FileSystemObserver(folder.configuration, store: folder.store)
      try await observer.start()
    }
    #expect(try await folder.run().snapshot.map(\.name) == ["letter.odt"])
  }
}
#endif
