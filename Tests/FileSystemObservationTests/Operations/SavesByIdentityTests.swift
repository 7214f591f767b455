import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Saves of a document that another program renames or moves at the same time.
@Suite(.light, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags")) struct SavesByIdentityTests {
  private let fixture: OperationFixture
  private let letter: UUID
  private var root: Folder { fixture.root }
  private var observer: FileSystemObserver { fixture.observer }

  init() async throws {
    fixture = try await .ofDocuments()
    letter = try fixture.observed.uuid("letter")
  }

  /// Saves, while the last rename may not be known yet.
  @Test func aDocumentIsSavedWhereItIsNow() async throws {
    let version = try observer.version(ofItemAt: fixture.path("letter"))
    try root.rename("letter", "d/moved")
    let saved = try await observer.replaceContents(ofItemWith: letter, with: "new".utf8, ifUnchangedSince: version)
    #expect(saved.item.uuid == letter && saved.item.path == fixture.path("d/moved"))
    #expect(try text("d/moved") == "new" && fixture.names() == ["d", "other"])
    #expect(fixture.told() == ["moved letter -> d/moved", "own modified d/moved"])
    // The version is that for the next save.
    try root.rename("d/moved", "letter")
    try await observer.replaceContents(ofItemWith: letter, with: "newer".utf8, ifUnchangedSince: saved.version)
    #expect(try text("letter") == "newer")
    try await fixture.observed.expectAgreement()
  }

  @Test func whatIsAtItsFormerPathIsNotReplaced() async throws {
    try root.rename("letter", "d/moved")
    try root.rename("other", "letter")
    try await observer.replaceContents(ofItemWith: letter, with: "new".utf8)
    #expect(try text("d/moved") == "new" && text("letter") == "of other")
    try await fixture.observed.expectAgreement()
  }

  @Test func whatAnotherProgramHasWrittenIsNotReplaced() async throws {
    let version = try observer.version(ofItemAt: fixture.path("letter"))
    try root.append("letter")
    try root.rename("letter", "d/moved")
    let error = await failure(of: "new", version)
    #expect(error?.code == .contentsChanged && error?.path == fixture.path("d/moved"))
    #expect(try text("d/moved").hasPrefix("of letter"))
  }

  /// Another program copies the folder of the document and removes the original, while the copy is open.
  @Test func aCopyThatItsOriginalHasTakenOverIsReadAndSaved() async throws {
    let moved = try fixture.observed.uuid("letter")
    try root.rename("letter", "d/letter")
    try await fixture.observed.settle()
    try await onThread { [path = root.path] in try Command.run("cp", "-a", "\(path)/d", "\(path)/e") }
    try await fixture.observed.settle()
    let copy = try fixture.observed.uuid("e/letter")
    let bookmark = try FileBookmark(forFileAt: fixture.path("e/letter"))
    let contents = try await observer.contents(ofItemWith: copy)
    #expect(copy != moved && bookmark.uuid == copy)
    try await onThread { [path = root.path] in try Command.run("rm", "-r", "\(path)/d") }
    try await fixture.observed.settle()
    // The letter goes on there, with its own UUID.
    #expect(try fixture.observed.uuid("e/letter") == moved)
    let saved = try await observer.replaceContents(
      ofItemWith: copy, with: "new".utf8, ifUnchangedSince: contents.version)
    #expect(try text("e/letter") == "new" && saved.item.uuid == moved)
    let read = try await observer.contents(ofItemWith: copy)
    #expect(read.path == fixture.path("e/letter") && read.version == saved.version)
    let resolution = try await bookmark.resolve(in: [.observer(observer)])
    #expect(resolution.path == fixture.path("e/letter") && resolution.isStale && resolution.bookmark.uuid == moved)
    try await fixture.observed.expectAgreement()
  }

  @Test func aDocumentThatIsGoneIsNotSaved() async throws {
    try root.unlink("letter")
    try root.rename("other", "letter")
    let error = await failure(of: "new")
    #expect(error?.code == .outsideTree && error?.message.contains(letter.uuidString) == true)
    #expect(try text("letter") == "of other")
  }

  private func failure(
    of text: String, _ version: FileSystemObserver.ContentVersion? = nil
  ) async -> FileSystemObserverError? {
    do throws(FileSystemObserverError) {
      try await observer.replaceContents(ofItemWith: letter, with: text.utf8, ifUnchangedSince: version)
      return nil
    } catch {
      return error
    }
  }

  private func text(_ name: String) throws -> String { String(decoding: try root.read(name), as: UTF8.self) }

  /// Two documents change places during each save.
  @Test func noSaveGoesToAnotherDocument() async throws {
    let root = root
    var last = "of letter"
    for round in 0..<100 {
      async let exchange: Void = onThread { try root.exchange("letter", "other") }
      do {
        try await observer.replaceContents(ofItemWith: letter, with: "save \(round)".utf8)
        last = "save \(round)"
      } catch {
        Issue.record("\(error)")
      }
      try await exchange
    }
    try await fixture.observed.settle()
    let path = try #require(observer.path(forItemWith: letter))
    let name = fixture.observed.relative(path)
    #expect(try text(name) == last && text(name == "letter" ? "other" : "letter") == "of other")
    try await fixture.observed.expectAgreement()
  }
}
