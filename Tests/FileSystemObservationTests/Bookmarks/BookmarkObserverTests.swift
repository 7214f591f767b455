import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// Bookmarks with observers.
@Suite(.light, .enabled(if: Ability.tags.isPossible)) struct BookmarkObserverTests {
  private func start(_ prepare: (TestFolder) throws -> Void) async throws -> ObservedFolder {
    let folder = try TestFolder("bookmark")
    try folder.watched.makeDirectories("sub")
    try folder.watched.write("letter.txt")
    try prepare(folder)
    let observed = ObservedFolder(folder)
    try await observed.start()
    return observed
  }

  private func item(_ name: String, _ observed: ObservedFolder) throws -> FileSystemItem.Snapshot {
    try #require(observed.observer[FilePath(observed.root[name])])
  }

  private func resolve(
    _ bookmark: FileBookmark, _ places: FileBookmark.Place...
  ) throws -> (path: String, resolution: FileBookmark.Resolution) {
    let resolution = try BookmarkSearch(bookmark, usesHandles: false).resolve(in: places)
    return (resolution.path.string, resolution)
  }

  /// An item's bookmark has the item's UUID, and writes nothing.
  @Test func aBookmarkOfAnItem() async throws {
    let observed = try await start { _ in }
    let item = try item("letter.txt", observed)
    let bookmark = try FileBookmark(for: item)
    #expect(bookmark.uuid == item.uuid && bookmark.lastKnownPath == item.path && bookmark.kind == .file)
    let fromSnapshot = try FileBookmark(for: try #require(observed.observer.snapshot()[item.path]))
    #expect(fromSnapshot == bookmark)
    try observed.root.rename("letter.txt", "sub/a.txt")
    try observed.root.write("letter.txt", "another")
    #expect(throws: FileBookmarkError.self) { try FileBookmark(for: item) }
  }

  @Test func theObserverIsAsked() async throws {
    let observed = try await start { _ in }
    let bookmark = try FileBookmark(for: try item("letter.txt", observed))
    try observed.root.rename("letter.txt", "sub/note.txt")
    try await observed.settle()
    let found = try resolve(bookmark, .observer(observed.observer))
    #expect(found.path == observed.root["sub/note.txt"])
    #expect(found.resolution.evidence.isSuperset(of: [.journal, .tag, .inode]) && found.resolution.isStale)
  }

  /// An observer that has not yet heard of a rename is a moment behind.
  @Test func whatHasJustHappenedIsFoundToo() async throws {
    let observed = try await start { _ in }
    let bookmark = try FileBookmark(for: try item("letter.txt", observed))
    for number in 0..<20 {
      let old = number == 0 ? "letter.txt" : "sub/note\(number - 1).txt"
      try observed.root.rename(old, "sub/note\(number).txt")
      #expect(try resolve(bookmark, .observer(observed.observer)).path == observed.root["sub/note\(number).txt"])
    }
  }

  /// A save without the tag, which the observer gives back.
  @Test func aSaveIsKnownToTheObserver() async throws {
    let observed = try await start { _ in }
    let bookmark = try FileBookmark(for: try item("letter.txt", observed))
    try observed.root.rename("letter.txt", "sub/note.txt")
    try await observed.settle()
    try observed.root.saveByReplacement("sub/note.txt", keepingTag: false)
    try await observed.settle()
    let found = try resolve(bookmark, .observer(observed.observer))
    #expect(found.path == observed.root["sub/note.txt"])
    // It is another inode than the bookmark has recorded.
    #expect(found.resolution.evidence == [.journal, .tag] && found.resolution.bookmark.uuid == bookmark.uuid)
    let renewed = try resolve(found.resolution.bookmark, .observer(observed.observer))
    #expect(renewed.resolution.evidence.isSuperset(of: [.tag, .inode]))
  }

  @Test func aCopyIsNotTheDocument() async throws {
    let observed = try await start { _ in }
    let bookmark = try FileBookmark(for: try item("letter.txt", observed))
    try observed.root.rename("letter.txt", "sub/note.txt")
    try observed.root.copy("sub/note.txt", "letter.txt")
    try await observed.settle()
    #expect(try resolve(bookmark, .observer(observed.observer)).path == observed.root["sub/note.txt"])
    try observed.root.unlink("sub/note.txt")
    try await observed.settle()
    let error = #expect(throws: FileBookmarkError.self) { try resolve(bookmark, .observer(observed.observer)) }
    #expect(error?.code == .notFound)
  }

  /// A file that came to the place of one that was removed before the observer ran is another to the observer.
  @Test func whatTheObserverTakesForAnotherIsAnother() async throws {
    let bookmarked = try TestFolder("bookmark")
    try bookmarked.watched.write("letter.txt")
    let bookmark = try FileBookmark(forFileAt: FilePath(bookmarked.watched["letter.txt"]), writingTag: false)
    try bookmarked.watched.saveByReplacement("letter.txt", keepingTag: false)
    let observed = ObservedFolder(bookmarked)
    try await observed.start()
    let error = #expect(throws: FileBookmarkError.self) { try resolve(bookmark, .observer(observed.observer)) }
    #expect(error?.code == .notFound)
  }

  @Test func theFolderOfAStoppedObserverIsSearched() async throws {
    let observed = try await start { _ in }
    let bookmark = try FileBookmark(for: try item("letter.txt", observed))
    await observed.observer.stop()
    try observed.root.rename("letter.txt", "sub/note.txt")
    let found = try resolve(bookmark, .observer(observed.observer))
    #expect(found.path == observed.root["sub/note.txt"] && !found.resolution.evidence.contains(.journal))
    let never = FileSystemObserver(directory: FilePath(observed.root.path))
    #expect(try resolve(bookmark, .observer(never)).path == observed.root["sub/note.txt"])
  }

  /// From the observed tree into another folder.
  @Test func aFileThatLeftTheTreeIsFoundInAFolder() async throws {
    let observed = try await start { _ in }
    let bookmark = try FileBookmark(for: try item("letter.txt", observed))
    try observed.root.rename("letter.txt", observed.outside["a.txt"])
    try await observed.settle()
    let outside = FileBookmark.Place.folder(FilePath(observed.outside.path))
    #expect(try resolve(bookmark, .observer(observed.observer), outside).path == observed.outside["a.txt"])
    let resolution = try await bookmark.resolve(in: [.observer(observed.observer), outside])
    #expect(resolution.path.string == observed.outside["a.txt"])
  }
}
