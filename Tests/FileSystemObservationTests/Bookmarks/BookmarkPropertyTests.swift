import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// Random operations on documents, copies and strangers: no bookmark ever leads to a file that is not its document, and
/// a document that exists is found, or is among the candidates.
///
/// A document ends when it is removed or overwritten. Then a copy with its tag, or what comes to its place, may be taken
/// for it: nothing on disk tells that from a move to another file system, or from a save. Where several may be it, the
/// user chooses the right one.
@Suite(.light, .enabled(if: Ability.tags.isPossible && Ability.exchange.isPossible)) struct BookmarkPropertyTests {
  @Test(arguments: 1...Scale.of(6)) func noBookmarkLeadsToAnotherFile(seed: Int) throws {
    var world = try World(seed: UInt64(seed))
    for step in 0..<80 {
      let operation = try world.act()
      for number in world.bookmarks.indices {
        let problem = world.check(number, usesHandles: step % 2 == 0)
        try #require(problem == nil, "seed \(seed), step \(step), \(operation): \(problem ?? "")")
      }
    }
  }
}

/// Bookmarks agree with a running observer about what is which document.
@Suite(.light, .enabled(if: Ability.tags.isPossible && Ability.exchange.isPossible)) struct BookmarkAgreementTests {
  @Test(arguments: 1...Scale.of(4)) func theyLeadWhereTheObserverHasTheDocument(seed: Int) async throws {
    var world = try World(seed: UInt64(seed))
    var configuration = FileSystemObserver.Configuration()
    configuration.deletionDelay = .milliseconds(100)
    configuration.quietPeriod = .milliseconds(100)
    let observed = ObservedFolder(world.test, options: configuration)
    try await observed.start()
    let uuids = try world.bookmarks.map { try #require(observed.observer[$0.lastKnownPath]).uuid }
    var bookmarks = world.bookmarks
    for round in 0..<8 {
      var operations: [String] = []
      for _ in 0..<3 { operations.append(try world.act()) }
      try await observed.settle()
      for (number, uuid) in uuids.enumerated() {
        let found = try? BookmarkSearch(bookmarks[number], usesHandles: round % 2 == 0).resolve(
          in: [.observer(observed.observer)])
        let path = observed.observer.path(forItemWith: uuid)
        // A file that was put back where it was is the file of an old bookmark.
        if path == nil, found?.path == bookmarks[number].lastKnownPath, found?.evidence.contains(.inode) == true {
          continue
        }
        #expect(found?.path == path, "seed \(seed), round \(round), document \(number): \(operations)")
        // Some are never renewed: what an app last saved may be old.
        if let found, number != 0 { bookmarks[number] = found.bookmark }
      }
    }
  }
}

/// Bookmarks of documents that random operations are done to.
private struct World {
  let test: TestFolder
  private var documents: DocumentWorld
  private(set) var bookmarks: [FileBookmark] = []
  /// Bookmarks that lead to another bookmark's document since theirs was overwritten.
  private var merged: Set<Int> = []

  init(seed: UInt64) throws {
    test = try TestFolder("property")
    documents = try DocumentWorld(in: test.watched, seed: seed)
    for (number, name) in DocumentWorld.firstPaths.enumerated() {
      // The second has no tag in the beginning.
      bookmarks.append(try FileBookmark(forFileAt: FilePath(test.watched[name]), writingTag: number != 1))
    }
  }

  mutating func act() throws -> String { try documents.act() }

  // MARK: - Checking

  /// Resolves a bookmark and renews it; what is wrong with the result.
  mutating func check(_ number: Int, usesHandles: Bool) -> String? {
    if merged.contains(number) { return nil }
    let place = documents.place(of: number)
    do throws(FileBookmarkError) {
      let search = BookmarkSearch(bookmarks[number], usesHandles: usesHandles)
      return take(try search.resolve(in: [.folder(FilePath(test.watched.path))]), for: number, at: place)
    } catch {
      return choose(among: error.candidates, for: number, at: place)
    }
  }

  private mutating func take(_ found: FileBookmark.Resolution, for number: Int, at place: String?) -> String? {
    bookmarks[number] = found.bookmark
    let path = String(found.path.string.dropFirst(test.watched.path.count + 1))
    if path == place { return nil }
    let evidence = found.evidence.map(\.rawValue).sorted()
    guard place == nil, !found.evidence.contains(.inode) else {
      return "document \(number) is \(place ?? "gone"), not \(path), by \(evidence)"
    }
    if documents.documents[path] == nil { documents.documents[path] = number } else { merged.insert(number) }
    return nil
  }

  private mutating func choose(among candidates: [FilePath], for number: Int, at place: String?) -> String? {
    guard let place else { return nil }
    let path = FilePath(test.watched[place])
    guard candidates.contains(path), let chosen = try? FileBookmark(forFileAt: path, writingTag: false) else {
      return "document \(number) was not found at \(place)"
    }
    bookmarks[number] = chosen
    return nil
  }
}
