import FileSystemObservation
import FileTestSupport
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Operations with paths and with URLs, which block the calling thread or do not: all do the same.
@Suite(.light, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags")) struct OperationFormsTests {
  private let contents = Array("the next version".utf8)

  private func begin() async throws -> OperationFixture {
    try await .ofFiles("a.txt", "b.txt", "c.txt", "d/moved.txt")
  }

  /// Checks what the operations of each form have done, and that they are announced as this process's own.
  private func expectDone(_ fixture: OperationFixture, _ trashed: FileSystemObserver.Operation) async throws {
    #expect(
      fixture.told() == [
        "own discovered n", "own discovered n/m", "own discovered n/new.txt", "own copyFinished n/new.txt",
        "own duplicated a.txt => copy.txt", "own copyFinished copy.txt", "own renamed copy.txt -> moved.txt",
        "own deleted(replaced) d/moved.txt", "own moved moved.txt -> d/moved.txt", "own modified a.txt",
        "own deleted(removed) b.txt", "own deleted(trashed) c.txt",
      ])
    for name in ["a.txt", "n/new.txt"] { #expect(try PlainFiles.read(fixture.path(name)) == contents) }
    try await fixture.observer.restoreItem(#require(trashed.trashedItem))
    #expect(fixture.told() == ["own discovered(returned) c.txt", "own copyFinished c.txt"])
    try await fixture.observed.expectAgreement()
    #expect(fixture.told() == [])
  }

  @Test func withoutBlocking() async throws {
    let fixture = try await begin()
    let observer = fixture.observer
    try await observer.createDirectory(at: fixture.path("n/m"), withIntermediateDirectories: true)
    try await observer.createFile(at: fixture.path("n/new.txt"), contents: contents)
    try await observer.duplicateItem(at: fixture.path("a.txt"), to: fixture.path("copy.txt"))
    try await observer.renameItem(at: fixture.path("copy.txt"), to: "moved.txt")
    try await observer.moveItem(at: fixture.path("moved.txt"), to: fixture.path("d/moved.txt"), overwriting: true)
    let version = try observer.version(ofItemAt: fixture.path("a.txt"))
    try await observer.replaceContents(of: fixture.path("a.txt"), with: contents, ifUnchangedSince: version)
    try await observer.removeItem(at: fixture.path("b.txt"))
    try await expectDone(fixture, observer.trashItem(at: fixture.path("c.txt"), allowingHomeTrash: true))
  }

  @Test func withURLs() async throws {
    let fixture = try await begin()
    let url = { (name: String) in URL(filePath: fixture.root[name]) }
    let trashed = try fixture.now { observer in
      try observer.createDirectory(at: url("n/m"), withIntermediateDirectories: true)
      try observer.createFile(at: url("n/new.txt"), contents: contents)
      try observer.duplicateItem(at: url("a.txt"), to: url("copy.txt"))
      try observer.renameItem(at: url("copy.txt"), to: "moved.txt")
      try observer.moveItem(at: url("moved.txt"), to: url("d/moved.txt"), overwriting: true)
      let version = try observer.version(ofItemAt: url("a.txt"))
      try observer.replaceContents(of: url("a.txt"), ifUnchangedSince: version) { try $0.write(contents) }
      try observer.removeItem(at: url("b.txt"))
      return try observer.trashItem(at: url("c.txt"), allowingHomeTrash: true)
    }
    try await expectDone(fixture, trashed)
  }

  @Test func withURLsWithoutBlocking() async throws {
    let fixture = try await begin()
    let observer = fixture.observer
    let url = { (name: String) in URL(filePath: fixture.root[name]) }
    try await observer.createDirectory(at: url("n/m"), withIntermediateDirectories: true)
    try await observer.createFile(at: url("n/new.txt"), contents: contents)
    try await observer.duplicateItem(at: url("a.txt"), to: url("copy.txt"))
    try await observer.renameItem(at: url("copy.txt"), to: "moved.txt")
    try await observer.moveItem(at: url("moved.txt"), to: url("d/moved.txt"), overwriting: true)
    let version = try observer.version(ofItemAt: url("a.txt"))
    try await observer.replaceContents(of: url("a.txt"), with: contents, ifUnchangedSince: version)
    try await observer.removeItem(at: url("b.txt"))
    try await expectDone(fixture, observer.trashItem(at: url("c.txt"), allowingHomeTrash: true))
  }

  @Test func aURLThatNamesNoFileNamesNoItem() async throws {
    let fixture = try await begin()
    let url = try #require(URL(string: "https://example.com/a.txt"))
    let error = await #expect(throws: FileSystemObserverError.self) { try await fixture.observer.removeItem(at: url) }
    #expect(error?.code == .invalidArgument)
    #expect(throws: FileSystemObserverError.self) { try fixture.now { try $0.removeItem(at: url) } }
    #expect(fixture.told() == [])
  }
}
