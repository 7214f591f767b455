import FileIdentity
import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// Moves between a disk and memory.
@Suite(.busy, .enabled(if: PlainFiles.isWritable("/dev/shm")))
struct MoveBetweenFileSystemsTests {
  private let operations = DocumentOperations(tag: FileTag())
  private let fixture: DocumentFixture
  private let memory: ScratchFolder
  private var folder: ScratchFolder { fixture.folder }

  init() throws {
    fixture = try DocumentFixture()
    memory = try ScratchFolder(in: "/dev/shm")
  }

  @Test func aFileKeepsEverythingButItsInode() throws {
    try PlainFiles.setPermissions(0o4640, of: fixture.path)
    if geteuid() == 0 { try PlainFiles.setOwner(1234, group: 1235, of: fixture.path) }
    try PlainFiles.setPermissions(0o4640, of: fixture.path)
    try PlainFiles.setModified(1_234_567_890_123_456_789, of: fixture.path)
    let before = try TreeSnapshot(of: folder.path).comparable
    let outcome = try operations.move(fixture.path, to: memory.path("document.txt"))
    #expect(try TreeSnapshot(of: memory.path).comparable == before)
    #expect(folder.names() == [])
    #expect(outcome.item.uuid == DocumentFixture.uuid && outcome.item.isTagged)
    #expect(outcome.notCarried == [] && outcome.leftOver == nil)
    #expect(try outcome.item.status == FileStatus.of(path: memory.path("document.txt")))
  }

  /// Another program saves the document after the last look at it, before the original gets its hidden name.
  @Test(arguments: [true, false]) func aSaveAtTheLastMomentIsKept(_ isByRename: Bool) throws {
    let place = try DocumentPlace(fixture.path, for: .replace(fixture.path))
    let status = try place.status()
    let version = isByRename ? folder.path("new") : fixture.path
    try PlainFiles.write(DocumentFixture.newContents, to: version)
    if isByRename { try PlainFiles.rename(version, to: fixture.path) }
    let error = #expect(throws: Errno.self) {
      try HiddenItem(place).hide { (place) throws(Errno) in
        let now = try place.requireUnchanged(since: status)
        guard now.size == status.size else { throw .resourceBusy }
      }
    }
    #expect(error == (isByRename ? .staleNFSFileHandle : .resourceBusy))
    #expect(try folder.names() == ["document.txt"] && PlainFiles.read(fixture.path) == DocumentFixture.newContents)
  }

  @Test func aFileWithoutATagKeepsTheUUIDThatAnObserverComputed() throws {
    let path = folder.path("untagged")
    try PlainFiles.write([1], to: path)
    let place = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    let minted = UUIDBits.minted(
      for: FileKey(try FileStatus.of(path: path)), on: try FileSystemDescription.of(place).identifier)
    let outcome = try operations.move(path, to: memory.path("moved"))
    #expect(outcome.item.uuid == minted)
    #expect(try DocumentFixture.tag(of: memory.path("moved")) == minted.description)
  }

  /// No file system has attributes of that name.
  @Test func aUUIDThatCannotBeKeptIsTold() throws {
    let operations = DocumentOperations(tag: FileTag(name: "nosuchspace.tag"))
    let outcome = try operations.move(fixture.path, to: memory.path("moved"))
    #expect(!outcome.item.isTagged)
    #expect(outcome.notCarried.map(\.property) == [.tag])
    #expect(try PlainFiles.read(memory.path("moved")) == DocumentFixture.oldContents)
  }

  @Test func aSymbolicLinkMovesItself() throws {
    try PlainFiles.makeSymlink(at: folder.path("link"), to: "document.txt")
    try PlainFiles.setModified(1_000_000_000_000_000_001, of: folder.path("link"))
    let before = try TreeSnapshot(of: folder.path).comparable["link"]
    _ = try operations.move(folder.path("link"), to: memory.path("link"))
    #expect(try TreeSnapshot(of: memory.path).comparable == ["link": before])
    #expect(folder.names() == ["document.txt"])
  }

  @Test func aFolderMovesWithEverythingInIt() throws {
    let tree = try TreeFixture(in: folder)
    var before = try TreeSnapshot(of: tree.path)
    let outcome = try operations.move(tree.path, to: memory.path("tree"))
    let after = try TreeSnapshot(of: memory.path("tree"))
    #expect(folder.names() == ["document.txt"])
    // What had no tag has got one, with the UUID that an observer computed.
    for (name, item) in after.items where before.items[name]?.tag == nil { before.items[name]?.tag = item.tag }
    #expect(after.comparable == before.comparable)
    #expect(after.items["a.txt"]?.inode == after.items["sub/second name"]?.inode)
    #expect(after.items["a.txt"]?.linkCount == 2)
    #expect(after.leftOvers == [] && outcome.notCarried == [] && outcome.leftOver == nil)
    #expect(outcome.item.uuid == UUIDBits(high: 4, low: 0x8000_0000_0000_0004))
    #expect(outcome.descendants.count == before.items.count)
  }

  /// The folder itself does not change: the program saves in a folder in it, after the last comparison but one.
  @Test func whatIsSavedDeepInAFolderAtTheLastMomentIsKept() throws {
    let tree = try TreeFixture(in: folder)
    let operations = DocumentOperations(
      tag: FileTag(),
      committing: { (_, commit) throws(Errno) in
        #expect(throws: Never.self) {
          try PlainFiles.write([7], to: tree.path.appending("sub/new"))
          try PlainFiles.rename(tree.path.appending("sub/new"), to: tree.path.appending("sub/deep/saved"))
        }
        try commit()
      })
    let error = #expect(throws: FileSystemObserverError.self) {
      _ = try operations.move(tree.path, to: memory.path("tree"))
    }
    #expect(error?.errno == .resourceBusy && error?.message.contains("sub") == true)
    #expect(try PlainFiles.read(tree.path.appending("sub/deep/saved")) == [7])
    #expect(memory.names() == [] && folder.names().allSatisfy { !$0.hasPrefix(".fsobserver-") })
  }

  @Test func whatCannotBeCopiedStaysWithItsFolder() throws {
    let tree = try TreeFixture(in: folder)
    try PlainFiles.makePipe(at: tree.path.appending("sub/pipe"))
    let error = try expectUnchanged(.notSupported) {
      _ = try operations.move(tree.path, to: memory.path("tree"))
    }
    #expect(error?.path == "sub/pipe")
  }

  @Test(arguments: [false, true]) func onlyWhatIsToBeReplacedIsReplaced(_ overwrites: Bool) throws {
    try PlainFiles.write([5], to: memory.path("there"))
    if overwrites {
      _ = try operations.move(fixture.path, to: memory.path("there"), overwrites: true)
      #expect(memory.names() == ["there"] && folder.names() == [])
      #expect(try PlainFiles.read(memory.path("there")) == DocumentFixture.oldContents)
    } else {
      try expectUnchanged(.fileExists) { _ = try operations.move(fixture.path, to: memory.path("there")) }
    }
  }

  @Test func aFullFolderIsNotReplaced() throws {
    let tree = try TreeFixture(in: folder)
    try PlainFiles.makeFolder(at: memory.path("there"))
    try PlainFiles.write([1], to: memory.path("there/inside"))
    try expectUnchanged(.directoryNotEmpty) {
      _ = try operations.move(tree.path, to: memory.path("there"), overwrites: true)
    }
    try PlainFiles.remove(memory.path("there/inside"))
    _ = try operations.move(tree.path, to: memory.path("there"), overwrites: true)
    #expect(memory.names() == ["there"])
    #expect(try PlainFiles.read(memory.path("there/a.txt")) == Array("one".utf8))
  }

  @Test func aFileThatIsWrittenMeanwhileStays() throws {
    let path = fixture.path
    let operations = DocumentOperations(tag: FileTag()) { (step) throws(Errno) in
      if step == .publish { try? PlainFiles.write([9, 9], to: path) }
    }
    let error = #expect(throws: FileSystemObserverError.self) {
      try operations.move(path, to: memory.path("moved"))
    }
    #expect(error?.errno == .resourceBusy)
    #expect(memory.names() == [])
    #expect(try PlainFiles.read(path) == [9, 9])
  }

  @Test func aFolderThatChangesMeanwhileStays() throws {
    let tree = try TreeFixture(in: folder)
    let operations = DocumentOperations(tag: FileTag()) { [path = tree.path] (step) throws(Errno) in
      if step == .carryTimes { try? PlainFiles.write([1], to: path.appending("sub/new")) }
    }
    let error = #expect(throws: FileSystemObserverError.self) {
      try operations.move(tree.path, to: memory.path("moved"))
    }
    #expect(error?.errno == .resourceBusy, "\(String(describing: error))")
    #expect(memory.names() == [])
    #expect(try PlainFiles.read(tree.path.appending("sub/new")) == [1])
  }

  static let steps: [DocumentOperations.Step] = [
    .checkItem, .createFile, .writeContents, .carryOwner, .carryAttributes, .writeTag, .carryPermissions, .carryTimes,
    .synchronizeFile, .publish,
  ]

  @Test(arguments: steps, [false, true])
  func aStepThatFailsLeavesEverythingAsItWas(_ step: DocumentOperations.Step, _ isFolder: Bool) throws {
    let source = isFolder ? try TreeFixture(in: folder).path : fixture.path
    let operations = DocumentOperations(failingBefore: step, with: .ioError)
    try expectUnchanged(.ioError) { _ = try operations.move(source, to: memory.path("moved")) }
  }

  /// The move is complete by then.
  @Test(arguments: [false, true]) func anOriginalThatCannotBeRemovedIsReturned(_ isFolder: Bool) throws {
    let source = isFolder ? try TreeFixture(in: folder).path : fixture.path
    let operations = DocumentOperations(failingBefore: .removeOriginal, with: .ioError)
    let outcome = try operations.move(source, to: memory.path("moved"))
    let leftOver = try #require(outcome.leftOver)
    #expect(try PlainFiles.status(of: leftOver).st_ino != 0)
    #expect(leftOver.lastComponent?.string.hasPrefix(".fsobserver-") == true)
    #expect(memory.names() == ["moved"])
  }

  /// At every moment, and after each system call that is seen, the original or the copy is there.
  @Test func theOriginalLeavesInTheCommit() throws {
    let operations = DocumentOperations(
      tag: FileTag(),
      committing: { [memory, folder] (_, commit) throws(Errno) in
        #expect(folder.names() == ["document.txt"])
        #expect(memory.names().count == 1 && memory.names().allSatisfy { $0.hasPrefix(".fsobserver-") })
        try commit()
        #expect(memory.names() == ["moved"])
        #expect(folder.names().allSatisfy { $0.hasPrefix(".fsobserver-") })
      })
    _ = try operations.move(fixture.path, to: memory.path("moved"))
    #expect(folder.names() == [])
  }

  @Test func aMoveIsCancelled() throws {
    let tree = try TreeFixture(in: folder)
    for count in 0..<20 {
      let calls = Counter()
      let control = OperationControl(isCancelled: {
        calls.count()
        return calls.total > count
      })
      let error = try expectUnchanged(.canceled) {
        _ = try operations.move(tree.path, to: memory.path("moved"), control: control)
      }
      #expect(error?.code == .cancelled)
    }
  }

  @discardableResult
  private func expectUnchanged(
    _ errno: Errno?, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) throws -> FileSystemObserverError? {
    let before = try TreeSnapshot(of: memory.path)
    let error = try folder.expectUnchanged(errno, sourceLocation: sourceLocation, body)
    #expect(try TreeSnapshot(of: memory.path) == before, sourceLocation: sourceLocation)
    return error
  }
}
