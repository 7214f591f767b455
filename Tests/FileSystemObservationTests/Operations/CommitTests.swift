import FileIdentity
import FileSystemObservation
import FoundationEssentials
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// The system calls of an operation, made between two steps of the engine: announced before the call returns.
@Suite(.light, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags")) struct CommitTests {
  /// An observed folder, and a queue that is looked at without any waiting.
  private struct Fixture {
    let observed: ObservedFolder
    let queue: FileSystemObserver.EventQueue
    var root: Folder { observed.root }

    init(_ source: TestSource, prepare: (TestFolder) throws -> Void) async throws {
      observed = try await ObservedFolder.begin(options: source.applied(to: .init()), prepare: prepare)
      queue = try observed.observer.makeEventQueue(startingWith: .now)
    }

    /// The changes that wait in the queue, with a mark at those of this process.
    func told() -> [String] {
      var lines: [String] = []
      queue.drain { event in
        guard case .didChange(let changes) = event else { return }
        lines += changes.map { ($0.origin == .thisProcess ? "own " : "") + observed.describe($0) }
      }
      return lines.filter { !$0.contains("cookie-") }
    }

    /// Makes system calls as an operation, and returns what the queue has right after it.
    func commit(
      from source: String? = nil, to destination: String? = nil, isMaking: Bool = false,
      reason: DeletionReason? = nil, _ body: () throws(Errno) -> CommittedItem
    ) throws -> [String] {
      _ = told()
      let target = OperationTarget(
        source: source.map { FilePath(root[$0]) }, destination: destination.map { FilePath(root[$0]) },
        isMaking: isMaking, reason: reason)
      try observed.observer.commit(target.located(), body)
      return told()
    }
  }

  @Test(arguments: TestSource.toTest) func aRename(_ source: TestSource) async throws {
    let fixture = try await Fixture(source) { try $0.watched.write("a.txt") }
    let root = fixture.root
    let told = try fixture.commit(from: "a.txt", to: "b.txt") { () throws(Errno) in
      try root.rename("a.txt", "b.txt")
      return CommittedItem()
    }
    #expect(told == ["own renamed a.txt -> b.txt"])
    try await fixture.observed.expectAgreement()
    #expect(fixture.told() == [])
  }

  @Test(arguments: TestSource.toTest) func aBackupNameIsARenameLikeAnyOther(_ source: TestSource) async throws {
    let fixture = try await Fixture(source) { try $0.watched.write("a.txt") }
    let root = fixture.root
    let told = try fixture.commit(from: "a.txt", to: "a.txt~") { () throws(Errno) in
      try root.rename("a.txt", "a.txt~")
      return CommittedItem()
    }
    #expect(told == ["own renamed a.txt -> a.txt~"])
    try await fixture.observed.expectAgreement()
  }

  @Test(arguments: TestSource.toTest) func aMoveOverAnotherDocument(_ source: TestSource) async throws {
    let fixture = try await Fixture(source) { folder in
      try folder.watched.mkdir("d")
      for name in ["a.txt", "d/b.txt"] { try folder.watched.write(name) }
    }
    let root = fixture.root
    let told = try fixture.commit(from: "a.txt", to: "d/b.txt") { () throws(Errno) in
      try root.rename("a.txt", "d/b.txt")
      return CommittedItem()
    }
    #expect(Set(told) == ["own deleted(replaced) d/b.txt", "own moved a.txt -> d/b.txt"])
    try await fixture.observed.expectAgreement()
    #expect(fixture.told() == [])
  }

  @Test(arguments: TestSource.toTest) func aFolderIsMoved(_ source: TestSource) async throws {
    let fixture = try await Fixture(source) { folder in
      for name in ["d", "d/e", "to"] { try folder.watched.mkdir(name) }
      try folder.watched.write("d/e/a.txt")
    }
    let root = fixture.root
    let told = try fixture.commit(from: "d", to: "to/d") { () throws(Errno) in
      try root.rename("d", "to/d")
      return CommittedItem()
    }
    #expect(told == ["own moved d -> to/d"])
    try await fixture.observed.expectAgreement()
  }

  @Test(arguments: TestSource.toTest) func aRemoval(_ source: TestSource) async throws {
    let fixture = try await Fixture(source) { try $0.watched.write("a.txt") }
    let root = fixture.root
    let told = try fixture.commit(from: "a.txt", reason: .removed) { () throws(Errno) in
      try root.unlink("a.txt")
      return CommittedItem()
    }
    #expect(told == ["own deleted(removed) a.txt"])
    try await fixture.observed.expectAgreement()
    #expect(fixture.told() == [])
  }

  @Test(arguments: TestSource.toTest) func aFolderRemovedByHidingIt(_ source: TestSource) async throws {
    let fixture = try await Fixture(source) { folder in
      for name in ["d", "d/e"] { try folder.watched.mkdir(name) }
      try folder.watched.write("d/e/a.txt")
    }
    let root = fixture.root
    let told = try fixture.commit(from: "d", reason: .removed) { () throws(Errno) in
      try root.rename("d", ".fsobserver-0.tmp")
      return CommittedItem()
    }
    #expect(told == ["own deleted(removed) d/e/a.txt", "own deleted(removed) d/e", "own deleted(removed) d"])
    root.folder(".fsobserver-0.tmp").removeTree()
    try await fixture.observed.expectAgreement()
    #expect(fixture.told() == [])
  }

  @Test(arguments: TestSource.toTest) func aNewFile(_ source: TestSource) async throws {
    let fixture = try await Fixture(source) { try $0.watched.mkdir("d") }
    let root = fixture.root
    try root.write(".fsobserver-0.tmp")
    let told = try fixture.commit(to: "d/new.txt", isMaking: true) { () throws(Errno) in
      try root.rename(".fsobserver-0.tmp", "d/new.txt")
      return CommittedItem()
    }
    #expect(told == ["own discovered d/new.txt", "own copyFinished d/new.txt"])
    try await fixture.observed.expectAgreement()
    #expect(fixture.told() == [])
  }

  @Test(arguments: TestSource.toTest) func aSave(_ source: TestSource) async throws {
    let fixture = try await Fixture(source) { try $0.watched.write("a.txt") }
    let root = fixture.root
    let uuid = try fixture.observed.uuid("a.txt")
    try root.write(".fsobserver-0.tmp", "the next version")
    try root.setTag(".fsobserver-0.tmp", uuid)
    let told = try fixture.commit(to: "a.txt", isMaking: true) { () throws(Errno) in
      try root.rename(".fsobserver-0.tmp", "a.txt")
      return CommittedItem()
    }
    #expect(told == ["own modified a.txt"])
    #expect(fixture.observed.observer[uuid]?.size == 16)
    try await fixture.observed.expectAgreement()
    #expect(fixture.told() == [])
  }

  @Test(arguments: TestSource.toTest) func aCopy(_ source: TestSource) async throws {
    let fixture = try await Fixture(source) { try $0.watched.write("a.txt") }
    let root = fixture.root
    let (original, copy) = (try fixture.observed.uuid("a.txt"), UUID())
    try root.write(".fsobserver-0.tmp")
    try root.setTag(".fsobserver-0.tmp", copy)
    let told = try fixture.commit(to: "b.txt", isMaking: true) { () throws(Errno) in
      try root.rename(".fsobserver-0.tmp", "b.txt")
      return CommittedItem(originals: [UUIDBits(copy): UUIDBits(original)])
    }
    #expect(told == ["own duplicated a.txt => b.txt", "own copyFinished b.txt"])
    #expect(fixture.observed.observer[copy]?.path == FilePath(root["b.txt"]))
    try await fixture.observed.expectAgreement()
    #expect(fixture.told() == [])
  }

  @Test(arguments: TestSource.toTest) func aCopyOfAFolder(_ source: TestSource) async throws {
    let fixture = try await Fixture(source) { folder in
      for name in ["d", "d/e"] { try folder.watched.mkdir(name) }
      try folder.watched.write("d/e/a.txt")
    }
    let root = fixture.root
    var originals: [UUIDBits: UUIDBits] = [:]
    let hidden = ".fsobserver-0.tmp"
    for name in ["d", "d/e", "d/e/a.txt"] {
      let copy = hidden + name.dropFirst()
      if name.hasSuffix(".txt") { try root.write(copy) } else { try root.mkdir(copy) }
      let uuid = UUID()
      try root.setTag(copy, uuid)
      originals[UUIDBits(uuid)] = UUIDBits(try fixture.observed.uuid(name))
    }
    let told = try fixture.commit(to: "copy", isMaking: true) { () throws(Errno) in
      try root.rename(hidden, "copy")
      return CommittedItem(originals: originals)
    }
    #expect(
      told == [
        "own duplicated d => copy", "own duplicated d/e => copy/e", "own duplicated d/e/a.txt => copy/e/a.txt",
        "own copyFinished copy/e/a.txt",
      ])
    try await fixture.observed.expectAgreement()
    #expect(fixture.told() == [])
  }

  @Test(arguments: TestSource.toTest) func aFolderDocumentIsSavedByAnExchange(_ source: TestSource) async throws {
    let fixture = try await Fixture(source) { folder in
      try folder.watched.mkdir("note.textbundle")
      for name in ["text.md", "old.png"] { try folder.watched.write("note.textbundle/\(name)") }
    }
    let root = fixture.root
    let hidden = ".fsobserver-0.tmp"
    try root.mkdir(hidden)
    for name in ["text.md", "new.png"] { try root.write("\(hidden)/\(name)", "the next version") }
    try root.setTag(hidden, try fixture.observed.uuid("note.textbundle"))
    try root.setTag("\(hidden)/text.md", try fixture.observed.uuid("note.textbundle/text.md"))
    let told = try fixture.commit(to: "note.textbundle", isMaking: true, reason: .removed) { () throws(Errno) in
      try root.exchange(hidden, "note.textbundle")
      return CommittedItem()
    }
    #expect(
      Set(told) == [
        "own modified note.textbundle/text.md", "own deleted(removed) note.textbundle/old.png",
        "own discovered note.textbundle/new.png", "own copyFinished note.textbundle/new.png",
      ])
    root.folder(hidden).removeTree()
    try await fixture.observed.expectAgreement()
    #expect(fixture.told() == [])
  }

  @Test(arguments: TestSource.toTest) func whatComesFromOutside(_ source: TestSource) async throws {
    let fixture = try await Fixture(source) { folder in
      try folder.outside.mkdir("d")
      try folder.outside.write("d/a.txt")
    }
    let (root, outside) = (fixture.root, fixture.observed.outside)
    let told = try fixture.commit(to: "d", isMaking: true) { () throws(Errno) in
      try Folder("/").rename(String(outside["d"].dropFirst()), String(root["d"].dropFirst()))
      return CommittedItem()
    }
    #expect(told == ["own discovered d", "own discovered d/a.txt", "own copyFinished d/a.txt"])
    let left = try fixture.commit(from: "d", reason: .movedOut) { () throws(Errno) in
      try Folder("/").rename(String(root["d"].dropFirst()), String(outside["d"].dropFirst()))
      return CommittedItem()
    }
    #expect(left == ["own deleted(movedOut) d/a.txt", "own deleted(movedOut) d"])
    try await fixture.observed.expectAgreement()
    #expect(fixture.told() == [])
  }

  @Test func aFailedOperationChangesNothing() async throws {
    let fixture = try await Fixture(.inotify) { try $0.watched.write("a.txt") }
    let error = #expect(throws: Errno.self) {
      try fixture.commit(from: "a.txt", to: "b.txt") { () throws(Errno) in throw .permissionDenied }
    }
    #expect(error == .permissionDenied)
    #expect(fixture.told() == [])
    try await fixture.observed.expectAgreement()
  }

  /// Another program saves by removing the document and making it anew, and the app wants to rename it between the two.
  @Test(arguments: TestSource.toTest) func aDocumentThatIsBeingSavedIsNotRemoved(_ source: TestSource) async throws {
    let fixture = try await Fixture(source) { try $0.watched.write("a.txt") }
    let uuid = try fixture.observed.uuid("a.txt")
    try fixture.root.unlink("a.txt")
    #expect(throws: Errno.noSuchFileOrDirectory) {
      try fixture.commit(from: "a.txt", to: "b.txt") { () throws(Errno) in throw .noSuchFileOrDirectory }
    }
    try fixture.root.write("a.txt", "new")
    try await fixture.observed.expectAgreement()
    #expect(try fixture.observed.uuid("a.txt") == uuid)
    #expect(!fixture.observed.said(from: 0).contains { $0.hasPrefix("deleted") && $0.hasSuffix("a.txt") })
  }

  @Test(arguments: TestSource.toTest) func othersChangesRightBeforeAreTheirs(_ source: TestSource) async throws {
    let fixture = try await Fixture(source) { folder in
      for name in ["a.txt", "b.txt", "c.txt"] { try folder.watched.write(name) }
    }
    let root = fixture.root
    let uuid = try fixture.observed.uuid("a.txt")
    try root.write(".fsobserver-0.tmp", "ours")
    try root.setTag(".fsobserver-0.tmp", uuid)
    _ = fixture.told()
    // Another program saves the same document, renames one, and removes one, a moment before.
    try root.write("next", "theirs")
    try root.rename("next", "a.txt")
    try root.rename("b.txt", "renamed.txt")
    try root.unlink("c.txt")
    let told = try fixture.commit(to: "a.txt", isMaking: true) { () throws(Errno) in
      try root.rename(".fsobserver-0.tmp", "a.txt")
      return CommittedItem()
    }
    // Who looks only now and then looks before an operation, too: there were two saves.
    #expect(told.last == "own modified a.txt")
    #expect(told.filter { $0 == "modified a.txt" }.count == 1)
    try await fixture.observed.expectAgreement()
    #expect(
      fixture.observed.said(from: 0).filter { !$0.hasPrefix("discovered") && !$0.hasPrefix("copyFinished") }.sorted()
        == ["deleted(removed) c.txt", "modified a.txt", "modified a.txt", "renamed b.txt -> renamed.txt"])
  }
}
