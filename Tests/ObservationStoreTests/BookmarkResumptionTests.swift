#if Store
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import Testing

@testable import FileSystemObservation
@testable import ObservationStore

/// While an app is away, a bookmark leads to where the observer has the document when it runs again, or nowhere.
struct BookmarkResumptionTests {
  private func run(_ folder: FilePath, _ store: ObservationStore, _ body: (FileSystemObserver) throws -> Void)
    async throws
  {
    var configuration = FileSystemObserver.Configuration(directory: folder)
    configuration.warnsWithoutListeners = false
    configuration.deletionDelay = .milliseconds(100)
    configuration.quietPeriod = .milliseconds(100)
    let observer = FileSystemObserver(configuration, store: store)
    let events = observer.events(startingWith: .now)
    try await observer.start()
    for try await event in events { if case .didCompleteFullScan = event { break } }
    await observer.synchronize()
    try body(observer)
    await observer.stop()
  }

  @Test(arguments: 1...6) func theyAgreeWithTheNextRun(seed: Int) async throws {
    let test = try TestFolder("resumption")
    let folder = FilePath(test.watched.path)
    let store = try ObservationStore(at: FilePath(test.outside["store"]))
    var world = try DocumentWorld(in: test.watched, seed: UInt64(seed))
    var bookmarks: [FileBookmark] = []
    var missed: [String] = []
    try await run(folder, store) { observer in
      for name in DocumentWorld.firstPaths {
        bookmarks.append(try FileBookmark(for: try #require(observer[folder.appending(name)])))
      }
    }
    for round in 0..<4 {
      var operations: [String] = []
      for _ in 0..<3 { operations.append(try world.act()) }
      let found = bookmarks.map { try? BookmarkSearch($0, usesHandles: round % 2 == 0).resolve(in: [.store(store)]) }
      try await run(folder, store) { observer in
        for (number, bookmark) in bookmarks.enumerated() {
          let path = observer.path(forItemWith: bookmark.uuid)
          guard let found = found[number] else {
            if let path { missed.append("\(path) in round \(round), \(operations)") }
            continue
          }
          #expect(
            found.path == path, "seed \(seed), round \(round), document \(number), \(found.evidence): \(operations)")
        }
      }
      for (number, found) in found.enumerated() where number != 0 {
        if let found { bookmarks[number] = found.bookmark }
      }
    }
    // Of two copies an observer takes the older one, and a bookmark none.
    #expect(missed.count <= 2, "seed \(seed): \(missed)")
  }
}
#endif
