import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Operations that the observer knows as its own, whichever way their items take.
@Suite(.light, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags")) struct OwnOriginTests {
  private func begin(
    _ source: TestSource? = nil, prepare: (TestFolder) throws -> Void
  ) async throws -> OperationFixture {
    let options = FileSystemObserver.Configuration()
    let fixture = try await OperationFixture(options: source?.applied(to: options) ?? options, prepare: prepare)
    _ = fixture.told()
    return fixture
  }

  /// Checks that nothing is announced later, and that the announcements give what is on the disk.
  private func expectQuiet(_ fixture: OperationFixture) async throws {
    try await fixture.observed.expectAgreement()
    #expect(fixture.told() == [])
  }

  @Test(arguments: TestSource.toTest, [".d", ".hidden/d", ".Trash-0/files/d"])
  func aFolderFromAHiddenPlaceIsOwnWithAllThatIsInIt(_ source: TestSource, _ hidden: String) async throws {
    let fixture = try await begin(source) { folder in
      try folder.watched.makeDirectories(hidden + "/e/f")
      for name in ["a.txt", "e/b.txt", "e/f/c.txt"] { try folder.watched.write("\(hidden)/\(name)") }
    }
    try fixture.now { try $0.moveItem(at: fixture.path(hidden), to: fixture.path("d")) }
    let folders = ["d", "d/e", "d/e/f"].map { "own discovered \($0)" }
    let files = ["d/a.txt", "d/e/b.txt", "d/e/f/c.txt"].flatMap { ["own discovered \($0)", "own copyFinished \($0)"] }
    #expect(fixture.told().sorted() == (folders + files).sorted())
    try await expectQuiet(fixture)
  }

  /// The app's path to the folder has a link in it, and so has a path inside.
  @Test(arguments: TestSource.toTest) func aPathThroughASymbolicLinkIsOwn(_ source: TestSource) async throws {
    let fixture = try await begin(source) { folder in
      try folder.watched.makeDirectories("d/e")
      for name in ["a.txt", "d/b.txt", "d/e/c.txt"] { try folder.watched.write(name) }
      try folder.watched.symlink("d", "inside")
      try folder.outside.symlink("../watched", "link")
    }
    let uuid = try fixture.observed.uuid("a.txt")
    func linked(_ name: String) -> FilePath { FilePath(fixture.observed.outside["link/\(name)"]) }
    let moved = try fixture.now { try $0.moveItem(at: linked("a.txt"), to: fixture.path("inside/e/a.txt")) }
    #expect(fixture.told() == ["own moved a.txt -> d/e/a.txt"])
    #expect(moved.item.uuid == uuid && moved.item.path == fixture.path("d/e/a.txt"))
    try fixture.now { try $0.createFile(at: linked("inside/new.txt"), contents: "new".utf8) }
    #expect(fixture.told() == ["own discovered d/new.txt", "own copyFinished d/new.txt"])
    try fixture.now { try $0.replaceContents(of: linked("d/b.txt"), with: "another".utf8) }
    #expect(fixture.told() == ["own modified d/b.txt"])
    let removed = try fixture.now { try $0.removeItem(at: linked("inside/b.txt")) }
    #expect(fixture.told() == ["own deleted(removed) d/b.txt"] && removed.item.relativePath == "d/b.txt")
    // The link itself is the item at the end of its path.
    try fixture.now { try $0.removeItem(at: linked("inside")) }
    #expect(fixture.told() == ["own deleted(removed) inside"])
    try await expectQuiet(fixture)
  }

  @Test func aFolderThatIsObservedThroughASymbolicLinkKnowsItsRealPaths() async throws {
    let folder = try TestFolder()
    try folder.watched.write("a.txt")
    try folder.outside.symlink("../watched", "link")
    let observer = FileSystemObserver(directory: FilePath(folder.outside["link"]))
    let recorder = Recorder(observer)
    try await observer.start()
    await observer.synchronize()
    let mark = recorder.position
    let path = FilePath(folder.watched["a.txt"])
    let operation = try { try observer.renameItem(at: path, to: "b.txt") }()
    await observer.synchronize()
    #expect(recorder.changes(from: mark).map(\.origin) == [.thisProcess])
    #expect(operation.item.path == FilePath(folder.outside["link/b.txt"]))
    await observer.stop()
  }

  @Test(arguments: TestSource.toTest) func theNextNameOfAHardLinkIsOwn(_ source: TestSource) async throws {
    let fixture = try await begin(source) { folder in
      try folder.watched.mkdir("d")
      for name in ["a.txt", "b.txt", "other.txt"] { try folder.watched.write(name) }
      for name in ["a.txt", "b.txt"] { try folder.watched.link(name, "d/\(name)") }
    }
    try fixture.now { try $0.removeItem(at: fixture.path("a.txt")) }
    #expect(Set(fixture.told()) == ["own unlinked a.txt", "own moved a.txt -> d/a.txt"])
    try fixture.now { try $0.moveItem(at: fixture.path("other.txt"), to: fixture.path("b.txt"), overwriting: true) }
    #expect(
      Set(fixture.told()) == [
        "own unlinked b.txt", "own moved b.txt -> d/b.txt", "own renamed other.txt -> b.txt",
      ])
    try await expectQuiet(fixture)
  }
}
