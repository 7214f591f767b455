#if Store
import FileTestSupport
import FoundationEssentials
import SystemPackage
import Testing

@testable import FileSystemObservation
@testable import ObservationStore

/// Bookmarks with the store of an app that was away.
struct BookmarkStoreTests {
  private let scratch: ScratchFolder
  private let store: ObservationStore
  private var folder: FilePath { scratch.path("documents") }

  init() throws {
    scratch = try ScratchFolder()
    store = try ObservationStore(at: scratch.path("state/store"))
    for name in ["documents", "documents/sub"] { try PlainFiles.makeFolder(at: scratch.path(name)) }
    try PlainFiles.write(Array("text".utf8), to: path("letter.txt"))
  }

  private func path(_ name: String) -> FilePath { folder.appending(name) }

  /// Observes the folder with the store while something happens; returns when the store has it.
  private func observe(_ body: () throws -> Void = {}) async throws {
    var configuration = FileSystemObserver.Configuration(directory: folder)
    configuration.warnsWithoutListeners = false
    let observer = FileSystemObserver(configuration, store: store)
    let events = observer.events(startingWith: .now)
    try await observer.start()
    for try await event in events { if case .didCompleteFullScan = event { break } }
    try body()
    await observer.synchronize()
    await observer.stop()
  }

  private func resolve(
    _ bookmark: FileBookmark, _ places: FileBookmark.Place...
  ) throws -> FileBookmark.Resolution {
    try BookmarkSearch(bookmark, usesHandles: false).resolve(in: [.store(store)] + places)
  }

  private func code(_ bookmark: FileBookmark, _ places: FileBookmark.Place...) -> FileBookmarkError.Code? {
    do throws(FileBookmarkError) {
      _ = try BookmarkSearch(bookmark, usesHandles: false).resolve(in: [.store(store)] + places)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func whereTheStoreHasIt() async throws {
    let bookmark = try FileBookmark(forFileAt: path("letter.txt"))
    try await observe { try PlainFiles.rename(path("letter.txt"), to: path("sub/note.txt")) }
    let found = try resolve(bookmark)
    #expect(found.path == path("sub/note.txt") && found.isStale)
    #expect(found.evidence.isSuperset(of: [.journal, .tag, .inode]))
    let resolution = try await bookmark.resolve(in: [.store(store)])
    #expect(resolution.path == found.path)
  }

  @Test func whereItWasMovedWhileTheAppWasAway() async throws {
    let bookmark = try FileBookmark(forFileAt: path("letter.txt"))
    try await observe { try PlainFiles.rename(path("letter.txt"), to: path("sub/note.txt")) }
    try PlainFiles.rename(path("sub/note.txt"), to: path("again.txt"))
    #expect(try resolve(bookmark).path == path("again.txt"))
  }

  /// The store knows the inode that a save under observation has brought, and the bookmark does not.
  @Test func aSaveThatTheBookmarkDoesNotKnow() async throws {
    let bookmark = try FileBookmark(forFileAt: path("letter.txt"))
    try await observe {
      try PlainFiles.write(Array("new".utf8), to: path("letter.new"))
      try PlainFiles.rename(path("letter.new"), to: path("letter.txt"))
    }
    try PlainFiles.rename(path("letter.txt"), to: path("sub/note.txt"))
    let found = try resolve(bookmark)
    #expect(found.path == path("sub/note.txt"))
    #expect(found.evidence.contains(.journal) && !found.evidence.contains(.inode))
    #expect(found.bookmark.uuid == bookmark.uuid)
  }

  /// A save without the tag, at the place that only the store knows.
  @Test func aSaveWhileTheAppWasAway() async throws {
    let bookmark = try FileBookmark(forFileAt: path("letter.txt"))
    try await observe { try PlainFiles.rename(path("letter.txt"), to: path("sub/note.txt")) }
    try PlainFiles.write(Array("new".utf8), to: path("new"))
    try PlainFiles.rename(path("new"), to: path("sub/note.txt"))
    let found = try resolve(bookmark)
    #expect(found.path == path("sub/note.txt") && found.evidence == [.journal])
    #expect(found.bookmark.uuid == bookmark.uuid)
  }

  /// Another document that the observer has seen at the old path.
  @Test func anotherDocumentIsNotTakenForIt() async throws {
    let bookmark = try FileBookmark(forFileAt: path("letter.txt"))
    try await observe { try PlainFiles.remove(path("letter.txt")) }
    try await observe { try PlainFiles.write(Array("other".utf8), to: path("letter.txt")) }
    #expect(code(bookmark) == .notFound)
  }

  /// The observer has seen the document go; what came to its path while the app was away is another.
  @Test func whatComesAfterADeletionIsAnother() async throws {
    let bookmark = try FileBookmark(forFileAt: path("letter.txt"))
    try await observe { try PlainFiles.remove(path("letter.txt")) }
    try PlainFiles.write(Array("other".utf8), to: path("letter.txt"))
    #expect(code(bookmark) == .notFound)
  }

  @Test func aFolderThatWasRenamed() async throws {
    let bookmark = try FileBookmark(forFileAt: path("letter.txt"))
    try await observe()
    let moved = scratch.path("moved")
    try PlainFiles.rename(folder, to: moved)
    #expect(code(bookmark) == .notFound)
    #expect(try resolve(bookmark, .folder(moved)).path == moved.appending("letter.txt"))
  }

  @Test func aStoreThatIsMissingIsNamedOnlyIfItIsNeeded() async throws {
    let bookmark = try FileBookmark(forFileAt: path("letter.txt"))
    #expect(try resolve(bookmark).path == path("letter.txt"))
    try PlainFiles.rename(path("letter.txt"), to: path("sub/note.txt"))
    #expect(code(bookmark) == .notReadable)
    #expect(code(bookmark, .folder(folder)) == nil)
  }
}
#endif
