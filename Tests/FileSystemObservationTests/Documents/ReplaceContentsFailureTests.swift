import FileIdentity
import FileSystemObservation
import FileTestSupport
import Glibc
import SystemPackage
import TestTraits
import Testing

/// Whatever happens on the way, the document is whole.
@Suite(.busy) struct ReplaceContentsFailureTests {
  private let fixture: DocumentFixture

  init() throws {
    fixture = try DocumentFixture()
  }

  private static let stepsThatMayFail = DocumentFixture.replaceSteps.filter { $0 != .synchronizeFolder }

  @Test(arguments: stepsThatMayFail)
  func aStepThatFailsLeavesTheDocumentAndTheFolderAsTheyWere(_ step: DocumentOperations.Step) throws {
    let before = try fixture.snapshot()
    let operations = DocumentOperations(failingBefore: step, with: .ioError)
    let error = try #require(throws: FileSystemObserverError.self) {
      try operations.replaceContents(of: fixture.path, with: DocumentFixture.newContents, uuid: nil)
    }
    #expect(error.code == .fileOperationFailed)
    #expect(error.errno == .ioError)
    #expect(error.path == fixture.path)
    #expect(try fixture.snapshot() == before)
  }

  /// The document has been replaced by then: to call that a failure would be a lie.
  @Test func aFolderThatCannotBeSynchronizedIsNoFailure() throws {
    let operations = DocumentOperations(failingBefore: .synchronizeFolder, with: .ioError)
    try operations.replaceContents(of: fixture.path, with: [1], uuid: nil)
    #expect(try PlainFiles.read(fixture.path) == [1])
  }

  /// A real failure in the midst of writing: the file may not become that large.
  @Test func aWriteThatStopsHalfwayLeavesTheDocumentAsItWas() async throws {
    let before = try fixture.snapshot()
    await #expect(processExitsWith: .exitCode(27)) { [path = fixture.path.string as String] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 5000, rlim_max: 5000)
      guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(1) }
      do throws(FileSystemObserverError) {
        let contents = [UInt8](repeating: 1, count: 100_000)
        try DocumentOperations(tag: FileTag()).replaceContents(of: FilePath(path), with: contents, uuid: nil)
      } catch {
        exit(error.errno?.rawValue ?? 2)
      }
      exit(3)
    }
    #expect(try fixture.snapshot() == before)
  }

  @Test(arguments: DocumentFixture.replaceSteps)
  func aProcessThatIsKilledLeavesACompleteDocument(_ step: DocumentOperations.Step) async throws {
    let before = try fixture.snapshot()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = fixture.path.string as String, step = step.rawValue as String] in
      let operations = DocumentOperations(tag: FileTag()) { (reached) throws(Errno) in
        if reached.rawValue == step { kill(getpid(), SIGKILL) }
      }
      try operations.replaceContents(of: FilePath(path), with: DocumentFixture.newContents, uuid: nil)
    }
    var after = try fixture.snapshot()
    let leftOver = after.names.filter { $0 != "document.txt" }
    #expect(leftOver.allSatisfy { $0.hasPrefix(".fsobserver-") })
    #expect(leftOver.count == (step == .createFile || step == .synchronizeFolder ? 0 : 1))
    after.names = before.names
    if step == .synchronizeFolder {
      #expect(after.contents == DocumentFixture.newContents)
      after.contents = before.contents
      after.inode = before.inode
    }
    #expect(after == before)
  }

  @Test func aDocumentThatAnotherProgramSavedMeanwhileIsNotOverwritten() throws {
    let (path, theirs) = (fixture.path, fixture.folder.path("theirs"))
    try PlainFiles.write([9, 9], to: theirs)
    let operations = DocumentOperations(tag: FileTag()) { (step) throws(Errno) in
      if step == .publish { try? PlainFiles.rename(theirs, to: path) }
    }
    let error = try #require(throws: FileSystemObserverError.self) {
      try operations.replaceContents(of: path, with: [1], uuid: nil)
    }
    #expect(error.errno == .staleNFSFileHandle)
    #expect(error.message.contains("another program"))
    #expect(try PlainFiles.read(path) == [9, 9])
    #expect(fixture.folder.names() == ["document.txt"])
  }

  @Test func aDocumentThatWasMovedAwayMeanwhileDoesNotComeBack() throws {
    let (path, elsewhere) = (fixture.path, fixture.folder.path("elsewhere"))
    let operations = DocumentOperations(tag: FileTag()) { (step) throws(Errno) in
      if step == .publish { try? PlainFiles.rename(path, to: elsewhere) }
    }
    let error = try #require(throws: FileSystemObserverError.self) {
      try operations.replaceContents(of: path, with: [1], uuid: nil)
    }
    #expect(error.errno == .noSuchFileOrDirectory)
    #expect(fixture.folder.names() == ["elsewhere"])
    #expect(try PlainFiles.read(elsewhere) == DocumentFixture.oldContents)
  }

  /// Somebody who may write the folder and read the document, and is not its owner: the file becomes his, and neither
  /// the rights of the old owner nor those of the old group are passed on.
  @Test(.enabled(if: geteuid() == 0)) func anotherUserDoesNotGetTheRightsOfTheOwner() async throws {
    try PlainFiles.setPermissions(0o777, of: fixture.folder.path)
    let path = fixture.folder.path("shared")
    try PlainFiles.write([1], to: path)
    try PlainFiles.setOwner(12345, group: 12346, of: path)
    try PlainFiles.setPermissions(0o6775, of: path)
    try PlainFiles.setAttribute("user.author", of: path, to: [7])
    await #expect(processExitsWith: .exitCode(0)) { [path = path.string as String] in
      guard setgroups(0, nil) == 0, setgid(65533) == 0, setuid(65534) == 0 else { exit(1) }
      try DocumentOperations(tag: FileTag()).replaceContents(of: FilePath(path), with: [2], uuid: DocumentFixture.uuid)
      exit(0)
    }
    let status = try PlainFiles.status(of: path)
    #expect([status.st_uid, status.st_gid] == [65534, 65533])
    #expect(status.st_mode & 0o7777 == 0o755)
    #expect(try PlainFiles.read(path) == [2])
    #expect(try PlainFiles.attribute("user.author", of: path) == [7])
    #expect(try DocumentFixture.tag(of: path) == DocumentFixture.uuid.description)
  }

  /// A member of the document's group keeps the group, and what it may do.
  @Test(.enabled(if: geteuid() == 0)) func aMemberOfTheGroupKeepsIt() async throws {
    try PlainFiles.setPermissions(0o777, of: fixture.folder.path)
    let path = fixture.folder.path("shared")
    try PlainFiles.write([1], to: path)
    try PlainFiles.setOwner(12345, group: 12346, of: path)
    try PlainFiles.setPermissions(0o664, of: path)
    await #expect(processExitsWith: .exitCode(0)) { [path = path.string as String] in
      var groups: [gid_t] = [12346]
      guard unsafe setgroups(1, &groups) == 0, setgid(65533) == 0, setuid(65534) == 0 else { exit(1) }
      try DocumentOperations(tag: FileTag()).replaceContents(of: FilePath(path), with: [2], uuid: nil)
      exit(0)
    }
    let status = try PlainFiles.status(of: path)
    #expect([status.st_uid, status.st_gid] == [65534, 12346])
    #expect(status.st_mode & 0o7777 == 0o664)
  }

  /// With room for the descriptors that the runtime opens once; each operation that lost one would lose nine.
  @Test func noDescriptorIsLost() async throws {
    await #expect(processExitsWith: .exitCode(0)) { [folder = fixture.folder.path.string as String] in
      func descriptors() -> Int { (0..<1024).count { fcntl($0, F_GETFD) != -1 } }
      let path = FilePath(folder).appending("document.txt")
      try DocumentOperations(tag: FileTag()).replaceContents(of: path, with: [1], uuid: nil)
      let before = descriptors()
      for step in DocumentFixture.replaceSteps {
        let operations = DocumentOperations(failingBefore: step, with: .ioError)
        _ = try? operations.replaceContents(of: path, with: [1], uuid: nil)
        _ = try? operations.duplicateItem(at: path, to: FilePath(folder).appending("copy-\(step)"))
      }
      exit(descriptors() < before + 9 ? 0 : 1)
    }
  }
}
