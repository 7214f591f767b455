import BrowserModel
import FileSystemObservation
import Foundation
import ObservationStore
import SystemPackage
import Testing

@MainActor @Suite struct BrowserStateTests {
  private let scratch: Scratch
  private var folder: FilePath { scratch.path("state") }

  init() throws { scratch = try Scratch() }

  @Test func preferencesStayBetweenRuns() throws {
    try scratch.makeFolder("documents")
    let bookmark = try FileBookmark(forFileAt: scratch.path("documents"))
    let state = try BrowserState(in: folder)
    #expect(state.preferences == Preferences())
    state.preferences.order = SortOrder(by: .modified, isReversed: true)
    state.preferences.lastFolder = bookmark
    state.preferences.windowWidth = 1234
    state.close()
    let next = try BrowserState(in: folder)
    #expect(next.preferences == state.preferences)
    #expect(next.preferences.lastFolder?.lastKnownPath == scratch.path("documents"))
    next.preferences.lastFolder = nil
    #expect(try BrowserState(in: folder).preferences.lastFolder == nil)
  }

  @Test func aFolderIsKnownAgainAfterItWasRenamed() throws {
    try scratch.makeFolder("documents")
    let state = try BrowserState(in: folder)
    let first = try state.open(scratch.path("documents"))
    #expect(first.cursor == nil)
    try scratch.move("documents", "papers")
    let second = try state.open(scratch.path("papers"))
    #expect(second.id == first.id && second.path == scratch.path("papers"))
    try scratch.makeFolder("documents")
    #expect(try state.open(scratch.path("documents")).id != first.id)
    #expect(state.folders.map(\.path) == [scratch.path("documents"), scratch.path("papers")])
    #expect(state.store(of: first)?.path == folder.appending("folder-\(first.id).sqlite"))
  }

  @Test func aFolderThatIsNotThereCannotBeOpened() throws {
    let state = try BrowserState(in: folder)
    #expect(throws: FileSystemObserverError.self) { try state.open(scratch.path("nothing")) }
  }

  @Test func aDamagedFileIsPutAside() throws {
    try scratch.makeFolder("state")
    try scratch.write(String(repeating: "This is no database. ", count: 100), to: "state/browser.sqlite")
    let state = BrowserState.opening(folder)
    #expect(state.problem?.advice.contains("browser.sqlite.unusable-1") == true)
    try state.annotations.set(Annotation(label: .green), for: UUID())
    #expect(try BrowserState(in: folder).annotations.annotated.count == 1)
    #expect(FileManager.default.fileExists(atPath: folder.appending("browser.sqlite.unusable-1").string))
  }

  @Test func whereNothingCanBeKeptItIsInMemory() throws {
    // A file is where the folder should be.
    try scratch.write("", to: "state")
    let state = BrowserState.opening(folder)
    #expect(state.problem != nil)
    let uuid = UUID()
    try state.annotations.set(Annotation(isFavourite: true), for: uuid)
    #expect(state.annotations[uuid].isFavourite)
    try scratch.makeFolder("documents")
    let known = try state.open(scratch.path("documents"))
    #expect(state.store(of: known) == nil)
  }
}
