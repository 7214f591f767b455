import FileIdentity
import FileSystemObservation
import FileTestSupport
import FoundationEssentials
import Glibc
import LinuxFileSystem
import SystemPackage
import TestTraits
import Testing

@Suite(.busy) struct DuplicateItemTests {
  private let operations = DocumentOperations(tag: FileTag())
  private let fixture: DocumentFixture
  private let copy: FilePath

  init() throws {
    fixture = try DocumentFixture()
    copy = fixture.folder.path("copy.txt")
  }

  @Test func theCopyCarriesEverythingButTheUUID() throws {
    try PlainFiles.setPermissions(0o6750, of: fixture.path)
    let before = try fixture.snapshot()
    let uuid = try operations.duplicateItem(at: fixture.path, to: copy)
    #expect(uuid != DocumentFixture.uuid)
    #expect(try DocumentFixture.tag(of: copy) == uuid.description)
    #expect(try PlainFiles.read(copy) == DocumentFixture.oldContents)
    #expect(try PlainFiles.attribute("user.author", of: copy) == Array("Ada".utf8))
    #expect(try PlainFiles.attribute("user.empty", of: copy) == [])
    #expect(try PlainFiles.attribute(AccessControlList.access, of: copy) == before.accessList)
    let mode = try PlainFiles.status(of: copy).st_mode & 0o7777
    #expect(mode == 0o750, "without the set-user-ID and set-group-ID bits")
    var after = try fixture.snapshot()
    #expect(after.names == ["copy.txt", "document.txt"])
    after.names = before.names
    #expect(after == before)
  }

  /// Any observer that sees the copy computes the same UUID for it.
  @Test func theUUIDIsTheMintedOne() throws {
    let uuid = try operations.duplicateItem(at: fixture.path, to: copy)
    let folder = try OwnedDescriptor.openDirectory(at: fixture.folder.path, for: .search)
    let fileSystem = try FileSystemDescription.of(folder).identifier
    try #require(fileSystem != 0)
    #expect(uuid == .minted(for: FileKey(try FileStatus.of(path: copy)), on: fileSystem))
  }

  @Test func withoutTagsTheCopyHasNone() throws {
    let uuid = try DocumentOperations(tag: FileTag(), writesTags: false).duplicateItem(at: fixture.path, to: copy)
    #expect(uuid != DocumentFixture.uuid)
    #expect(try DocumentFixture.tag(of: copy) == nil)
    #expect(try PlainFiles.attribute("user.author", of: copy) != nil)
  }

  @Test func whereNoTagCanBeWrittenThereIsACopyAllTheSame() throws {
    let operations = DocumentOperations(tag: FileTag(name: "nosuchspace.tag"))
    _ = try operations.duplicateItem(at: fixture.path, to: copy)
    #expect(try PlainFiles.read(copy) == DocumentFixture.oldContents)
  }

  @Test(.enabled(if: PlainFiles.isWritable("/dev/shm"))) func copiesToAnotherFileSystem() throws {
    let memory = try ScratchFolder(in: "/dev/shm")
    let uuid = try operations.duplicateItem(at: fixture.path, to: memory.path("copy"))
    #expect(memory.names() == ["copy"])
    #expect(try DocumentFixture.tag(of: memory.path("copy")) == uuid.description)
    #expect(try PlainFiles.read(memory.path("copy")) == DocumentFixture.oldContents)
    #expect(try PlainFiles.attribute("user.author", of: memory.path("copy")) == Array("Ada".utf8))
  }

  @Test func copiesALargeSparseFileWithItsHoles() throws {
    let (path, size) = (fixture.folder.path("sparse"), Int64(3_000_000_000))
    let file = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
    try file.closeAfter {
      _ = try file.writeAll(toAbsoluteOffset: size - 3, "end".utf8)
    }
    _ = try operations.duplicateItem(at: path, to: copy)
    let status = try PlainFiles.status(of: copy)
    #expect(status.st_size == size)
    #expect(status.st_blocks < 1000)
  }

  @Test func whatIsThereIsNotOverwritten() throws {
    try PlainFiles.write([5], to: copy)
    let before = try fixture.snapshot()
    let error = try #require(throws: FileSystemObserverError.self) {
      try operations.duplicateItem(at: fixture.path, to: copy)
    }
    #expect(error.code == .fileOperationFailed)
    #expect(error.errno == .fileExists)
    #expect(error.path == copy)
    #expect(error.message.contains("choose a name that is free"))
    #expect(try PlainFiles.read(copy) == [5])
    #expect(try fixture.snapshot() == before)
    #expect(throws: FileSystemObserverError.self) { try operations.duplicateItem(at: fixture.path, to: fixture.path) }
    #expect(try fixture.snapshot() == before)
  }

  /// Also where it appears only in the last moment, and also where it is a symbolic link to nowhere.
  @Test func whatAppearsInTheLastMomentIsNotOverwritten() throws {
    let copy = copy
    let operations = DocumentOperations(tag: FileTag()) { (step) throws(Errno) in
      if step == .publish { try? PlainFiles.makeSymlink(at: copy, to: "nowhere") }
    }
    let error = try #require(throws: FileSystemObserverError.self) {
      try operations.duplicateItem(at: fixture.path, to: copy)
    }
    #expect(error.errno == .fileExists)
    #expect(fixture.folder.names() == ["copy.txt", "document.txt"])
    #expect(try PlainFiles.status(of: copy).st_mode & S_IFMT == S_IFLNK)
  }

  @Test func aDocumentThatIsWrittenMeanwhileIsNotCopiedInHalves() throws {
    let path = fixture.path
    let file = try FileDescriptor.open(path, .writeOnly, options: .closeOnExec)
    defer { try? file.close() }
    let operations = DocumentOperations(tag: FileTag()) { (step) throws(Errno) in
      if step == .writeContents { _ = try? file.writeAll("changed".utf8) }
    }
    let error = try #require(throws: FileSystemObserverError.self) { try operations.duplicateItem(at: path, to: copy) }
    #expect(error.errno == .resourceBusy)
    #expect(fixture.folder.names() == ["document.txt"])
  }

  @Test(.timeLimit(.minutes(10))) func onlyRegularFilesAreDuplicated() throws {
    let (link, pipe) = (fixture.folder.path("link"), fixture.folder.path("pipe"))
    try PlainFiles.makeSymlink(at: link, to: fixture.path)
    try PlainFiles.makePipe(at: pipe)
    for source in [fixture.folder.path, link, pipe, "/dev/zero"] as [FilePath] {
      let error = try #require(throws: FileSystemObserverError.self) {
        try operations.duplicateItem(at: source, to: copy)
      }
      #expect(error.code == .notAFile)
      #expect(error.path == source)
    }
    #expect(fixture.folder.names() == ["document.txt", "link", "pipe"])
  }

  @Test(.timeLimit(.minutes(10))) func whatCanBeDuplicatedIsSaid() throws {
    let pipe = fixture.folder.path("pipe")
    try PlainFiles.makePipe(at: pipe)
    for source in [pipe, "/dev/zero"] as [FilePath] {
      let error = #expect(throws: FileSystemObserverError.self) { try operations.duplicate(source, to: copy) }
      #expect(error?.message.contains("only files, folders and symbolic links can be duplicated") == true)
    }
    let error = #expect(throws: FileSystemObserverError.self) { try operations.version(ofItemAt: pipe) }
    #expect(error?.message.contains("only regular files can be given") == true)
  }

  @Test(arguments: ["document.txt", "nowhere"]) func aCopyOfALinkPointsWhereTheLinkDoes(_ target: String) throws {
    let link = fixture.folder.path("link")
    try PlainFiles.makeSymlink(at: link, to: FilePath(target))
    let outcome = try operations.duplicate(link, to: copy)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: copy.string) == target)
    #expect(outcome.item.uuid == nil && outcome.notCarried.isEmpty)
    #expect(try outcome.item.status == FileStatus.of(path: copy))
    #expect(fixture.folder.names() == ["copy.txt", "document.txt", "link"])
  }

  @Test(arguments: [("missing", "copy"), ("document.txt", "missing/copy")])
  func whatIsNotThereIsAnError(_ source: String, _ destination: String) throws {
    let error = try #require(throws: FileSystemObserverError.self) {
      try operations.duplicateItem(at: fixture.folder.path(source), to: fixture.folder.path(destination))
    }
    #expect(error.errno == .noSuchFileOrDirectory)
    #expect(fixture.folder.names() == ["document.txt"])
  }

  @Test(arguments: DocumentFixture.duplicateSteps.filter { $0 != .synchronizeFolder })
  func aStepThatFailsLeavesNothingBehind(_ step: DocumentOperations.Step) throws {
    let before = try fixture.snapshot()
    let operations = DocumentOperations(failingBefore: step, with: .noSpace)
    let error = try #require(throws: FileSystemObserverError.self) {
      try operations.duplicateItem(at: fixture.path, to: copy)
    }
    #expect(error.errno == .noSpace)
    #expect(error.message.contains("make room"))
    #expect(try fixture.snapshot() == before)
  }

  @Test(arguments: DocumentFixture.duplicateSteps)
  func aProcessThatIsKilledLeavesACompleteCopyOrNone(_ step: DocumentOperations.Step) async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [source = fixture.path.string as String, copy = copy.string as String, step = step.rawValue as String] in
      let operations = DocumentOperations(tag: FileTag()) { (reached) throws(Errno) in
        if reached.rawValue == step { kill(getpid(), SIGKILL) }
      }
      _ = try operations.duplicateItem(at: FilePath(source), to: FilePath(copy))
    }
    let names = fixture.folder.names()
    #expect(names.contains("copy.txt") == (step == .synchronizeFolder))
    if names.contains("copy.txt") {
      #expect(try PlainFiles.read(copy) == DocumentFixture.oldContents)
      #expect(try DocumentFixture.tag(of: copy) != nil)
    }
    #expect(try PlainFiles.read(fixture.path) == DocumentFixture.oldContents)
    #expect(try DocumentFixture.tag(of: fixture.path) == DocumentFixture.uuid.description)
  }
}
