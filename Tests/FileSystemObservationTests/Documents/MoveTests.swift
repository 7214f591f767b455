import FileIdentity
import FileSystemObservation
import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import TestTraits
import Testing

/// Moves on one file system.
@Suite(.busy) struct MoveTests {
  private let operations = DocumentOperations(tag: FileTag())
  private let fixture: DocumentFixture
  private var folder: ScratchFolder { fixture.folder }

  init() throws {
    fixture = try DocumentFixture()
    try PlainFiles.makeFolder(at: fixture.folder.path("folder"))
  }

  @Test(arguments: ["renamed", "folder/moved"]) func aFileKeepsEverything(_ name: String) throws {
    let before = try TreeSnapshot(of: folder.path).items["document.txt"]
    let outcome = try operations.move(fixture.path, to: folder.path(name))
    let after = try TreeSnapshot(of: folder.path)
    #expect(after.items[name] == before)
    #expect(after.items["document.txt"] == nil)
    #expect(try outcome.item.status == FileStatus.of(path: folder.path(name)))
    #expect(outcome.item.uuid == DocumentFixture.uuid && outcome.item.isTagged)
  }

  @Test func aFolderAndALinkMoveAsTheyAre() throws {
    try PlainFiles.makeSymlink(at: folder.path("link"), to: "document.txt")
    try PlainFiles.rename(fixture.path, to: folder.path("folder/document.txt"))
    let outcome = try operations.move(folder.path("folder"), to: folder.path("another"))
    #expect(outcome.item.status.kind == .directory)
    #expect(try operations.move(folder.path("link"), to: folder.path("another/link")).item.status.kind == .symlink)
    #expect(folder.names() == ["another"])
    #expect(try PlainFiles.target(of: folder.path("another/link")) == Array("document.txt".utf8))
    #expect(try PlainFiles.read(folder.path("another/document.txt")) == DocumentFixture.oldContents)
  }

  @Test func theUUIDThatIsKnownIsReturned() throws {
    let known = UUIDBits(high: 5, low: 6)
    let outcome = try operations.move(folder.path("folder"), to: folder.path("another"), uuid: known)
    #expect(outcome.item.uuid == known && !outcome.item.isTagged)
  }

  @Test(arguments: ["file", "folder", "link"]) func whatIsThereIsNotReplaced(_ kind: String) throws {
    let there = folder.path("there")
    switch kind {
    case "file": try PlainFiles.write([5], to: there)
    case "folder": try PlainFiles.makeFolder(at: there)
    default: try PlainFiles.makeSymlink(at: there, to: "nowhere")
    }
    try expectUnchanged(.fileExists) { try operations.move(fixture.path, to: there) }
  }

  @Test func whatAppearsInTheLastMomentIsNotReplaced() throws {
    let there = folder.path("there")
    let operations = DocumentOperations(tag: FileTag()) { (step) throws(Errno) in
      if step == .publish { try? PlainFiles.write([5], to: there) }
    }
    #expect(throws: FileSystemObserverError.self) { try operations.move(fixture.path, to: there) }
    #expect(try PlainFiles.read(there) == [5])
    #expect(try PlainFiles.read(fixture.path) == DocumentFixture.oldContents)
  }

  @Test func aFileIsReplacedIfThatIsWanted() throws {
    let there = folder.path("there")
    try PlainFiles.write([5], to: there)
    let inode = try PlainFiles.status(of: there).st_ino
    let outcome = try operations.move(fixture.path, to: there, overwrites: true)
    #expect(outcome.replaced?.status.inode == UInt64(inode))
    #expect(folder.names() == ["folder", "there"])
    #expect(try PlainFiles.read(there) == DocumentFixture.oldContents)
    #expect(try DocumentFixture.tag(of: there) == DocumentFixture.uuid.description)
  }

  @Test func onlyAnEmptyFolderIsReplacedByAFolder() throws {
    let there = folder.path("there")
    try PlainFiles.makeFolder(at: there)
    try expectUnchanged(.isDirectory) { try operations.move(fixture.path, to: there, overwrites: true) }
    try expectUnchanged(.notDirectory) {
      try operations.move(folder.path("folder"), to: fixture.path, overwrites: true)
    }
    try PlainFiles.write([1], to: there.appending("inside"))
    try expectUnchanged(.directoryNotEmpty) {
      try operations.move(folder.path("folder"), to: there, overwrites: true)
    }
    try PlainFiles.remove(there.appending("inside"))
    _ = try operations.move(folder.path("folder"), to: there, overwrites: true)
    #expect(folder.names() == ["document.txt", "there"])
  }

  @Test func aFolderIsNotPutIntoItself() throws {
    try PlainFiles.makeFolder(at: folder.path("folder/below"))
    for name in ["folder/new", "folder/below/new"] {
      let error = try expectUnchanged(.invalidArgument) {
        try operations.move(folder.path("folder"), to: folder.path(name))
      }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message.contains("into itself") == true)
    }
  }

  /// rename(2) does nothing then, and says nothing.
  @Test(arguments: [false, true]) func anotherNameOfTheSameFileIsAnError(_ overwrites: Bool) throws {
    let second = folder.path("second")
    try PlainFiles.makeLink(at: second, to: fixture.path)
    let error = try expectUnchanged(.fileExists) {
      try operations.move(fixture.path, to: second, overwrites: overwrites)
    }
    #expect(error?.message.contains("same item") == true)
  }

  @Test(arguments: [false, true]) func whatIsThereAlreadyStaysAsItIs(_ overwrites: Bool) throws {
    let link = folder.path("link")
    try PlainFiles.makeSymlink(at: link, to: ".")
    let before = try TreeSnapshot(of: folder.path)
    for folder in [folder.path, link] {
      let outcome = try operations.move(fixture.path, to: folder.appending("document.txt"), overwrites: overwrites)
      #expect(outcome.replaced == nil)
    }
    #expect(try TreeSnapshot(of: folder.path) == before)
  }

  @Test(arguments: [("missing", "new"), ("document.txt", "missing/new"), ("document.txt", "document.txt/new")])
  func whatIsNotThereIsAnError(_ source: String, _ destination: String) throws {
    let error = try expectUnchanged(nil) {
      try operations.move(folder.path(source), to: folder.path(destination))
    }
    #expect(error?.message.contains("check the path") == true)
  }

  @Test func whatHasNoNameCannotBeMoved() throws {
    for path in ["/", folder.path("folder/..")] as [FilePath] {
      let error = try expectUnchanged(nil) { try operations.move(path, to: folder.path("new")) }
      #expect(error?.message.contains("does not end with a name") == true)
    }
  }

  @Test(arguments: [DocumentOperations.Step.checkItem, .publish])
  func aStepThatFailsLeavesEverythingAsItWas(_ step: DocumentOperations.Step) throws {
    let operations = DocumentOperations(failingBefore: step, with: .ioError)
    try expectUnchanged(.ioError) { try operations.move(fixture.path, to: folder.path("new")) }
  }

  @Test func theMoveIsOneCommit() throws {
    let commits = Counter()
    let operations = DocumentOperations(
      tag: FileTag(),
      committing: { [folder] (_, commit) throws(Errno) in
        #expect(folder.names() == ["document.txt", "folder"])
        try commit()
        #expect(folder.names() == ["folder", "new"])
        commits.count()
      })
    _ = try operations.move(fixture.path, to: folder.path("new"))
    #expect(commits.total == 1)
  }

  @discardableResult
  private func expectUnchanged(
    _ errno: Errno?, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> OperationOutcome
  ) throws -> FileSystemObserverError? {
    try folder.expectUnchanged(errno, sourceLocation: sourceLocation) { _ = try body() }
  }
}

/// Counts calls.
final class Counter: Sendable {
  private let value = Mutex(0)
  var total: Int { value.withLock { $0 } }
  func count() { value.withLock { $0 += 1 } }
}

extension ScratchFolder {
  /// Expects an error after which everything in the folder is as it was.
  @discardableResult
  func expectUnchanged(
    _ errno: Errno?, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) throws -> FileSystemObserverError? {
    let before = try TreeSnapshot(of: path)
    let error = #expect(throws: FileSystemObserverError.self, sourceLocation: sourceLocation) { try body() }
    if let errno { #expect(error?.errno == errno, "\(String(describing: error))", sourceLocation: sourceLocation) }
    #expect(try TreeSnapshot(of: path) == before, sourceLocation: sourceLocation)
    return error
  }
}
