import FileIdentity
import FileSystemObservation
import FileTestSupport
import FoundationEssentials
import Glibc
import LinuxFileSystem
import SystemPackage
import TestTraits
import Testing

@Suite(.busy) struct ContentVersionTests {
  private let operations = DocumentOperations(tag: FileTag())
  private let fixture: DocumentFixture

  init() throws {
    fixture = try DocumentFixture()
  }

  private func version() throws -> FileSystemObserver.ContentVersion {
    try operations.version(ofItemAt: fixture.path)
  }

  @Test func whatDoesNotChangeTheContentsDoesNotChangeTheVersion() throws {
    let before = try version()
    try PlainFiles.setPermissions(0o600, of: fixture.path)
    try PlainFiles.setAttribute(FileTag.defaultName, of: fixture.path, to: Array("another tag".utf8))
    try PlainFiles.setAttribute("user.author", of: fixture.path, to: Array("Bob".utf8))
    try PlainFiles.makeLink(at: fixture.folder.path("second"), to: fixture.path)
    try PlainFiles.rename(fixture.path, to: fixture.folder.path("renamed"))
    let after = try operations.version(ofItemAt: fixture.folder.path("renamed"))
    #expect(after == before && after.hashValue == before.hashValue)
    #expect(after.description != before.description, "the time of the last change is only described")
  }

  @Test func eachWriteChangesTheVersion() throws {
    var versions: Set<FileSystemObserver.ContentVersion> = [try version()]
    let (path, time) = (fixture.path, try PlainFiles.status(of: fixture.path).st_mtim)
    try PlainFiles.write(DocumentFixture.oldContents + [1], to: path)
    versions.insert(try version())
    // A tick of an older kernel's clock is up to 10 ms; here the next write simply has another time.
    try PlainFiles.setModified(Int64(time.tv_sec - 5) * 1_000_000_000, of: path)
    versions.insert(try version())
    try operations.replaceContents(of: path, with: DocumentFixture.oldContents, uuid: nil)
    versions.insert(try version())
    #expect(versions.count == 4)
  }

  /// Since Linux 6.13 these file systems give a write a new time if the last one has been looked at.
  @Test func aWriteOfTheSameSizeRightAfterTheLookIsSeen() throws {
    let numbers = KernelVersion.description.split { !$0.isNumber }.compactMap { Int($0) }
    let folder = try OwnedDescriptor.openDirectory(at: fixture.folder.path, for: .search)
    let type = try FileSystemType.of(folder).name
    guard numbers.count > 1, (numbers[0], numbers[1]) >= (6, 13), ["ext4", "xfs", "btrfs", "tmpfs"].contains(type)
    else {
      try Test.cancel("\(KernelVersion.description) does not do that on \(type)")
    }
    let file = try FileDescriptor.open(fixture.path, .writeOnly, options: .closeOnExec)
    defer { try? file.close() }
    for _ in 0..<200 {
      let before = try version()
      _ = try file.writeAll(toAbsoluteOffset: 0, [1, 2, 3])
      #expect(try version() != before)
    }
  }

  @Test func aVersionSurvivesTheProcess() throws {
    let version = try version()
    let data = try JSONEncoder().encode(version)
    #expect(try JSONDecoder().decode(FileSystemObserver.ContentVersion.self, from: data) == version)
    #expect(version.description.contains("\(DocumentFixture.oldContents.count) bytes"))
  }

  @Test func onlyFilesHaveAVersion() throws {
    for path in [fixture.folder.path, "/dev/null", "/"] as [FilePath] {
      let error = #expect(throws: FileSystemObserverError.self) { try operations.version(ofItemAt: path) }
      #expect(error?.code == .notAFile)
    }
    let error = #expect(throws: FileSystemObserverError.self) {
      try operations.version(ofItemAt: fixture.folder.path("missing"))
    }
    #expect(error?.errno == .noSuchFileOrDirectory)
  }

  @Test func aDocumentIsReplacedIfItIsUnchanged() throws {
    let before = try version()
    try PlainFiles.setAttribute("user.author", of: fixture.path, to: Array("Bob".utf8))
    let outcome = try operations.replaceContents(of: fixture.path, with: [1], ifUnchangedSince: before, uuid: nil)
    #expect(try PlainFiles.read(fixture.path) == [1])
    #expect(outcome.version != before)
    #expect(try outcome.version == version(), "the next save begins with it")
    #expect(outcome.item.uuid == DocumentFixture.uuid && outcome.item.isTagged)
    _ = try operations.replaceContents(of: fixture.path, with: [2], ifUnchangedSince: outcome.version, uuid: nil)
    #expect(try PlainFiles.read(fixture.path) == [2])
  }

  @Test(arguments: [false, true]) func aChangedDocumentIsNotReplaced(_ isInTheLastMoment: Bool) throws {
    let (path, version) = (fixture.path, try version())
    let theirs = Array("their contents, longer".utf8)
    if !isInTheLastMoment { try PlainFiles.write(theirs, to: path) }
    let operations = DocumentOperations(tag: FileTag()) { (step) throws(Errno) in
      if step == .publish { try? PlainFiles.write(theirs, to: path) }
    }
    let error = #expect(throws: FileSystemObserverError.self) {
      try operations.replaceContents(of: path, with: [1], ifUnchangedSince: version, uuid: nil)
    }
    #expect(error?.code == .contentsChanged)
    #expect(error?.path == path)
    #expect(error?.message.contains("another program changed the contents") == true)
    #expect(try PlainFiles.read(path) == theirs)
    #expect(fixture.folder.names() == ["document.txt"])
  }

  @Test func aDocumentThatWasReplacedIsNotReplaced() throws {
    let version = try version()
    try operations.replaceContents(of: fixture.path, with: DocumentFixture.oldContents, uuid: nil)
    let error = #expect(throws: FileSystemObserverError.self) {
      try operations.replaceContents(of: fixture.path, with: [1], ifUnchangedSince: version, uuid: nil)
    }
    #expect(error?.code == .contentsChanged)
  }
}

/// Saves whose contents a closure writes.
@Suite(.busy) struct ContentWriterTests {
  private struct AppError: Error, Equatable {
    var number: Int
  }

  private let operations = DocumentOperations(tag: FileTag())
  private let fixture: DocumentFixture

  init() throws {
    fixture = try DocumentFixture()
  }

  @Test func piecesAreWrittenOneAfterTheOther() throws {
    let before = try fixture.snapshot()
    let outcome = try operations.replaceContents(of: fixture.path, ifUnchangedSince: nil, uuid: nil) { writer in
      try writer.write([1, 2])
      try writer.write([3].lazy.map { $0 })
      let more: [UInt8] = [4, 5]
      unsafe try writer.write(more.span.bytes)
      try writer.fileDescriptor.writeAll([6])
    }
    #expect(try PlainFiles.read(fixture.path) == [1, 2, 3, 4, 5, 6])
    #expect(outcome.item.status.size == 6)
    var after = try fixture.snapshot()
    (after.contents, after.inode) = (before.contents, before.inode)
    #expect(after == before)
  }

  @Test func theAppsErrorComesBackAsItIs() throws {
    let before = try fixture.snapshot()
    let error = #expect(throws: AppError.self) {
      try operations.replaceContents(of: fixture.path, ifUnchangedSince: nil, uuid: nil) { writer in
        try writer.write([1])
        throw AppError(number: 7)
      }
    }
    #expect(error == AppError(number: 7))
    #expect(try fixture.snapshot() == before)
  }

  @Test func aFullDiskIsToldByTheWriter() throws {
    let full = try FileDescriptor.open("/dev/full" as FilePath, .writeOnly, options: .closeOnExec)
    defer { try? full.close() }
    let before = try fixture.snapshot()
    let error = #expect(throws: FileSystemObserverError.self) {
      try operations.replaceContents(of: fixture.path, ifUnchangedSince: nil, uuid: nil) { writer in
        _ = try full.duplicate(as: writer.fileDescriptor)
        try writer.write([1])
      }
    }
    #expect(error?.errno == .noSpace && error?.path == fixture.path)
    #expect(error?.message.contains("make room") == true)
    #expect(try fixture.snapshot() == before)
  }
}
