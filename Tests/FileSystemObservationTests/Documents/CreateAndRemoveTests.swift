import FileIdentity
import FileSystemObservation
import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import TestTraits
import Testing

@Suite(.busy) struct CreateTests {
  private let operations = DocumentOperations(tag: FileTag())
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  @Test(arguments: [[], [1, 2, 3]] as [[UInt8]]) func aFileAppearsWithItsTag(_ contents: [UInt8]) throws {
    let path = folder.path("new")
    let outcome = try operations.createFile(at: path, contents: contents)
    #expect(try PlainFiles.read(path) == contents)
    let uuid = try #require(outcome.item.uuid)
    #expect(outcome.item.isTagged)
    #expect(try DocumentFixture.tag(of: path) == uuid.description)
    #expect(try outcome.item.status == FileStatus.of(path: path))
    #expect(folder.names() == ["new"])
  }

  /// The same as by open(2) and mkdir(2).
  @Test func theUmaskIsRespected() async throws {
    await #expect(processExitsWith: .exitCode(0)) { [folder = folder.path.string as String] in
      umask(0o027)
      let operations = DocumentOperations(tag: FileTag())
      let (file, made) = (FilePath(folder).appending("file"), FilePath(folder).appending("folder"))
      _ = try operations.createFile(at: file, contents: [1])
      _ = try operations.createFolder(at: made)
      let modes = try [file, made].map { try PlainFiles.status(of: $0).st_mode & 0o7777 }
      exit(modes == [0o640, 0o750] ? 0 : 1)
    }
  }

  @Test func withoutTagsThereIsNone() throws {
    let operations = DocumentOperations(tag: FileTag(), writesTags: false)
    let outcome = try operations.createFile(at: folder.path("new"), contents: [])
    #expect(outcome.item.uuid != nil && !outcome.item.isTagged)
    #expect(try DocumentFixture.tag(of: folder.path("new")) == nil)
  }

  @Test func whatIsThereIsNotReplaced() throws {
    try PlainFiles.write([5], to: folder.path("file"))
    try PlainFiles.makeFolder(at: folder.path("folder"))
    try PlainFiles.makeSymlink(at: folder.path("link"), to: "nowhere")
    for name in ["file", "folder", "link"] {
      try folder.expectUnchanged(.fileExists) { _ = try operations.createFile(at: folder.path(name), contents: [1]) }
      try folder.expectUnchanged(.fileExists) { _ = try operations.createFolder(at: folder.path(name)) }
      try folder.expectUnchanged(.fileExists) {
        _ = try operations.createFolder(at: folder.path(name), withIntermediates: true)
      }
    }
  }

  @Test func aFolderAppearsWithItsTag() throws {
    let outcome = try operations.createFolder(at: folder.path("new"))
    #expect(try DocumentFixture.tag(of: folder.path("new")) == outcome.item.uuid?.description)
    #expect(outcome.item.status.kind == .directory)
    try folder.expectUnchanged(.noSuchFileOrDirectory) {
      _ = try operations.createFolder(at: folder.path("missing/new"))
    }
  }

  @Test func intermediateFoldersAppearInOneStep() throws {
    let operations = DocumentOperations(
      tag: FileTag(),
      committing: { [folder] (_, commit) throws(Errno) in
        #expect(folder.names().allSatisfy { $0.hasPrefix(".fsobserver-") })
        try commit()
        #expect((try? PlainFiles.status(of: folder.path("a/b/c"))) != nil)
      })
    let outcome = try operations.createFolder(at: folder.path("a/b/c"), withIntermediates: true)
    #expect(outcome.descendants.map(\.path) == ["b", "b/c"])
    for item in outcome.descendants {
      #expect(try item.status == FileStatus.of(path: folder.path("a").pushing(item.path)))
    }
    let after = try TreeSnapshot(of: folder.path)
    #expect(after.items["a"]?.tag == outcome.item.uuid?.description)
    #expect(after.items["a/b/c"]?.tag == outcome.descendants.last?.uuid?.description)
    #expect(Set(after.items.values.map(\.tag)).count == 3)
    _ = try self.operations.createFolder(at: folder.path("a/d"), withIntermediates: true)
    #expect(try TreeSnapshot(of: folder.path).items.count == 4)
  }

  @Test(arguments: [DocumentOperations.Step.createFile, .writeTag, .synchronizeFile, .publish])
  func aStepThatFailsLeavesNothingBehind(_ step: DocumentOperations.Step) throws {
    let operations = DocumentOperations(failingBefore: step, with: .noSpace)
    try folder.expectUnchanged(.noSpace) { _ = try operations.createFile(at: folder.path("new"), contents: [1]) }
    try folder.expectUnchanged(.noSpace) {
      _ = try operations.createFolder(at: folder.path("new/below"), withIntermediates: true)
    }
  }
}

@Suite(.busy) struct RemoveTests {
  private let operations = DocumentOperations(tag: FileTag())
  private let fixture: DocumentFixture
  private var folder: ScratchFolder { fixture.folder }

  init() throws {
    fixture = try DocumentFixture()
  }

  @Test func aFileIsRemoved() throws {
    try PlainFiles.makeLink(at: folder.path("second"), to: fixture.path)
    let outcome = try operations.remove(fixture.path)
    #expect(outcome.item.uuid == DocumentFixture.uuid)
    #expect(folder.names() == ["second"])
  }

  @Test func linksPipesAndProtectedFilesAreRemovedThemselves() throws {
    try PlainFiles.makeSymlink(at: folder.path("link"), to: "document.txt")
    try PlainFiles.makePipe(at: folder.path("pipe"))
    try PlainFiles.setPermissions(0o400, of: fixture.path)
    try operations.remove(folder.path("link"))
    try operations.remove(folder.path("pipe"))
    #expect(folder.names() == ["document.txt"])
    try operations.remove(fixture.path)
    #expect(folder.names() == [])
  }

  @Test func aFolderVanishesInOneStep() throws {
    let tree = try TreeFixture(in: folder)
    try PlainFiles.makeSymlink(at: tree.path.appending("outside"), to: fixture.path)
    try PlainFiles.makeSymlink(at: tree.path.appending("outside folder"), to: folder.path)
    let operations = DocumentOperations(
      tag: FileTag(),
      committing: { [folder] (_, commit) throws(Errno) in
        #expect(folder.names() == ["document.txt", "tree"])
        try commit()
        #expect(folder.names().filter { !$0.hasPrefix(".fsobserver-") } == ["document.txt"])
      })
    let outcome = try operations.remove(tree.path)
    #expect(folder.names() == ["document.txt"])
    #expect(try PlainFiles.read(fixture.path) == DocumentFixture.oldContents)
    #expect(outcome.item.uuid == UUIDBits(high: 4, low: 0x8000_0000_0000_0004))
  }

  @Test(.enabled(if: geteuid() != 0)) func aFolderThatMayNotBeEmptiedStaysWhole() throws {
    let tree = try TreeFixture(in: folder)
    try PlainFiles.setPermissions(0o555, of: tree.path.appending("sub/deep"))
    let error = try folder.expectUnchanged(.permissionDenied) { try operations.remove(tree.path) }
    #expect(error?.path == tree.path.appending("sub/deep"))
    try PlainFiles.setPermissions(0o755, of: tree.path.appending("sub/deep"))
  }

  @Test func aFolderOfWhichTheRestCannotBeRemovedComesBack() throws {
    let tree = try TreeFixture(in: folder)
    let operations = DocumentOperations(failingBefore: .removeOriginal, with: .ioError)
    try folder.expectUnchanged(.ioError) { try operations.remove(tree.path) }
  }

  @Test(arguments: [DocumentOperations.Step.checkItem, .publish], [false, true])
  func aStepThatFailsLeavesEverythingAsItWas(_ step: DocumentOperations.Step, _ isFolder: Bool) throws {
    let path = isFolder ? try TreeFixture(in: folder).path : fixture.path
    let operations = DocumentOperations(failingBefore: step, with: .ioError)
    try folder.expectUnchanged(.ioError) { try operations.remove(path) }
  }

  @Test func whatAnotherProgramPutThereIsNotRemoved() throws {
    let (path, theirs) = (fixture.path, folder.path("theirs"))
    try PlainFiles.write([9], to: theirs)
    let operations = DocumentOperations(tag: FileTag()) { (step) throws(Errno) in
      if step == .publish { try? PlainFiles.rename(theirs, to: path) }
    }
    let error = #expect(throws: FileSystemObserverError.self) { try operations.remove(path) }
    #expect(error?.errno == .staleNFSFileHandle)
    #expect(try PlainFiles.read(path) == [9])
  }

  @Test func whatIsNotThereIsAnError() throws {
    let error = try folder.expectUnchanged(.noSuchFileOrDirectory) { try operations.remove(folder.path("missing")) }
    #expect(error?.message.contains("check the path") == true)
  }

  @Test func whatHasNoFolderCannotBeMade() throws {
    let path = folder.path("missing/document")
    let error = try folder.expectUnchanged(.noSuchFileOrDirectory) {
      _ = try operations.createFile(at: path, contents: [])
    }
    #expect(error?.message.contains("the folder of \(path) is missing") == true)
  }
}
