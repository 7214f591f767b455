import FileSystemObservation
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Trash, restore and documents of several files, as an app calls them.
@Suite(.light, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags")) struct TrashOperationTests {
  private func begin() async throws -> OperationFixture {
    let fixture = try await OperationFixture { folder in
      for name in ["d", "note.textbundle"] { try folder.watched.mkdir(name) }
      for name in ["a.txt", "d/b.txt", "note.textbundle/text.md", "note.textbundle/old.png"] {
        try folder.watched.write(name)
      }
    }
    _ = fixture.told()
    return fixture
  }

  @Test func whatIsTrashedAndRestoredIsTheSame() async throws {
    let fixture = try await begin()
    let uuid = try fixture.observed.uuid("d/b.txt")
    let operation = try fixture.now { try $0.trashItem(at: fixture.path("d"), allowingHomeTrash: true) }
    #expect(fixture.told() == ["own deleted(trashed) d/b.txt", "own deleted(trashed) d"])
    let trashed = try #require(operation.trashedItem)
    #expect(trashed.originalPath == fixture.path("d"))
    #expect(fixture.now { $0.trashedItems() }.items.contains { $0.path == trashed.path })
    let restored = try fixture.now { try $0.restoreItem(trashed) }
    #expect(
      fixture.told() == [
        "own discovered(returned) d", "own discovered(returned) d/b.txt", "own copyFinished d/b.txt",
      ])
    #expect(restored.item.uuid == operation.item.uuid)
    #expect(fixture.observer[uuid]?.path == fixture.path("d/b.txt"))
    #expect(!fixture.now { $0.trashedItems() }.items.contains { $0.path == trashed.path })
    try await fixture.observed.expectAgreement()
    #expect(fixture.told() == [])
  }

  @Test func restoringMakesTheFolderAboveAgain() async throws {
    let fixture = try await begin()
    let operation = try fixture.now { try $0.trashItem(at: fixture.path("d/b.txt"), allowingHomeTrash: true) }
    try fixture.now { try $0.removeItem(at: fixture.path("d")) }
    _ = fixture.told()
    let trashed = try #require(operation.trashedItem)
    try fixture.now { try $0.restoreItem(trashed) }
    #expect(
      fixture.told() == ["own discovered d", "own discovered(returned) d/b.txt", "own copyFinished d/b.txt"])
    try await fixture.observed.expectAgreement()
  }

  @Test func aFolderDocumentIsReplacedInOneStep() async throws {
    let fixture = try await begin()
    let uuid = try fixture.observed.uuid("note.textbundle/text.md")
    let mark = fixture.observed.recorder.position
    let operation = try fixture.now { observer in
      try observer.replaceContents(ofDirectoryAt: fixture.path("note.textbundle")) { folder in
        let new = Folder(folder.string)
        try new.write("text.md", "the next version")
        try new.write("new.png")
      }
    }
    #expect(
      Set(fixture.told()) == [
        "own modified note.textbundle/text.md", "own deleted(removed) note.textbundle/old.png",
        "own discovered note.textbundle/new.png", "own copyFinished note.textbundle/new.png",
      ])
    #expect(operation.item.path == fixture.path("note.textbundle"))
    #expect(fixture.observer[uuid]?.size == 16)
    try await fixture.observed.expectAgreement()
    #expect(fixture.told() == [])
    #expect(fixture.observed.changes(from: mark).allSatisfy { $0.origin == .thisProcess })
  }

  @Test func aFolderDocumentStaysIfItCannotBeFilled() async throws {
    struct Failure: Error {}
    let fixture = try await begin()
    #expect(throws: Failure.self) {
      try fixture.now { observer in
        try observer.replaceContents(ofDirectoryAt: fixture.path("note.textbundle")) { _ in throw Failure() }
      }
    }
    #expect(fixture.told() == [])
    #expect(fixture.root.exists("note.textbundle/old.png"))
    try await fixture.observed.expectAgreement()
  }
}
