import FileIdentity
import FileSystemObservation
import FileTestSupport
import Glibc
import SystemPackage
import TestTraits
import Testing

@Suite(.busy) struct ReplaceContentsTests {
  private let operations = DocumentOperations(tag: FileTag())
  private let fixture: DocumentFixture

  init() throws {
    fixture = try DocumentFixture()
  }

  @Test func theNewFileCarriesWhatTheOldOneCarried() throws {
    try PlainFiles.setPermissions(0o4751, of: fixture.path)
    let before = try fixture.snapshot()
    #expect(try operations.replaceContents(of: fixture.path, with: DocumentFixture.newContents, uuid: nil) == [])
    let after = try fixture.snapshot()
    #expect(after.inode != before.inode, "a file of its own, which took the name in one step")
    var expected = before
    expected.contents = DocumentFixture.newContents
    expected.inode = after.inode
    #expect(after == expected)
    #expect(after.tag == DocumentFixture.uuid.description)
    #expect(try PlainFiles.attribute("user.empty", of: fixture.path) == [])
  }

  @Test(.enabled(if: geteuid() == 0)) func ownerAndGroupAreKept() throws {
    try PlainFiles.setOwner(65534, group: 65533, of: fixture.path)
    try PlainFiles.setPermissions(0o6640, of: fixture.path)
    let before = try fixture.snapshot()
    try operations.replaceContents(of: fixture.path, with: [1], uuid: nil)
    let after = try fixture.snapshot()
    #expect(after.owner == [65534, 65533])
    #expect(after.mode == before.mode)
    #expect(after.accessList == before.accessList)
  }

  /// A file that may not be written by its owner: its tag has to be written before it gets its permissions.
  @Test func aReadOnlyDocumentKeepsItsTagAndPermissions() throws {
    try PlainFiles.setPermissions(0o400, of: fixture.path)
    let before = try fixture.snapshot()
    try operations.replaceContents(of: fixture.path, with: [1], uuid: nil)
    let after = try fixture.snapshot()
    #expect(after.mode == before.mode)
    #expect(after.tag == before.tag)
    #expect(after.author == before.author)
  }

  /// The folder gives every new file an access control list; the document had taken that away.
  @Test func theListThatANewFileInheritsDoesNotStay() throws {
    let path = fixture.folder.path("plain")
    try PlainFiles.write([1], to: path)
    try PlainFiles.setPermissions(0o640, of: path)
    try PlainFiles.setAttribute(
      AccessControlList.inherited, of: fixture.folder.path, to: AccessControlList.lettingRead(user: 4711))
    try operations.replaceContents(of: path, with: [2], uuid: nil)
    #expect(try PlainFiles.attribute(AccessControlList.access, of: path) == nil)
    #expect(try PlainFiles.status(of: path).st_mode & 0o7777 == 0o640)
  }

  @Test(arguments: [nil, Array("no uuid".utf8)] as [[UInt8]?])
  func theUUIDGivenIsForADocumentWithoutOne(_ present: [UInt8]?) throws {
    let path = fixture.folder.path("untagged")
    try PlainFiles.write([1], to: path)
    if let present { try PlainFiles.setAttribute(FileTag.defaultName, of: path, to: present) }
    let given = UUIDBits(high: 1, low: 2)
    try DocumentOperations(tag: FileTag(), writesTags: false).replaceContents(of: path, with: [2], uuid: given)
    #expect(try DocumentFixture.tag(of: path) == nil)
    try operations.replaceContents(of: path, with: [2], uuid: nil)
    #expect(try DocumentFixture.tag(of: path) == nil)
    try operations.replaceContents(of: path, with: [3], uuid: given)
    #expect(try DocumentFixture.tag(of: path) == given.description)
    #expect(try PlainFiles.read(path) == [3])
  }

  @Test func theDocumentsOwnUUIDWins() throws {
    try operations.replaceContents(of: fixture.path, with: [1], uuid: UUIDBits(high: 1, low: 2))
    #expect(try DocumentFixture.tag(of: fixture.path) == DocumentFixture.uuid.description)
  }

  @Test(arguments: [0, 1, 256 * 1024, 1_000_001])
  func contentsThatLieInPiecesAreWrittenWhole(_ count: Int) throws {
    let pieces = (0..<count).lazy.map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try operations.replaceContents(of: fixture.path, with: pieces, uuid: nil)
    #expect(try PlainFiles.read(fixture.path) == Array(pieces))
  }

  @Test func aNameOfTheGreatestLengthThatIsNotUTF8() throws {
    var bytes = fixture.folder.path.string.utf8CString.dropLast() + [CChar(UInt8(ascii: "/"))]
    bytes += [CChar](repeating: -1, count: 255) + [0]
    let path = unsafe FilePath(platformString: Array(bytes))
    try PlainFiles.write([1], to: path)
    try operations.replaceContents(of: path, with: [2], uuid: DocumentFixture.uuid)
    #expect(try PlainFiles.read(path) == [2])
    #expect(try DocumentFixture.tag(of: path) == DocumentFixture.uuid.description)
  }

  @Test func theOtherNamesOfAHardLinkKeepTheOldContents() throws {
    let other = fixture.folder.path("other")
    try PlainFiles.makeLink(at: other, to: fixture.path)
    try operations.replaceContents(of: fixture.path, with: [1], uuid: nil)
    #expect(try PlainFiles.read(fixture.path) == [1])
    #expect(try PlainFiles.read(other) == DocumentFixture.oldContents)
    #expect(try PlainFiles.status(of: other).st_nlink == 1)
    #expect(try DocumentFixture.tag(of: fixture.path) == DocumentFixture.uuid.description)
  }

  @Test func aSymbolicLinkIsNotFollowedAndNotReplaced() throws {
    let link = fixture.folder.path("link")
    try PlainFiles.makeSymlink(at: link, to: fixture.path)
    let before = try fixture.snapshot()
    let error = try #require(throws: FileSystemObserverError.self) {
      try operations.replaceContents(of: link, with: [1], uuid: nil)
    }
    #expect(error.code == .notAFile)
    #expect(error.path == link)
    #expect(error.message.contains("symbolic link"))
    #expect(try fixture.snapshot() == before)
    #expect(try PlainFiles.status(of: link).st_mode & S_IFMT == S_IFLNK)
  }

  @Test(.timeLimit(.minutes(10))) func whatIsNoFileIsRefusedWithoutOpeningIt() throws {
    let pipe = fixture.folder.path("pipe")
    try PlainFiles.makePipe(at: pipe)
    for path in [pipe, fixture.folder.path, "/", "/dev/null", fixture.folder.path.appending("..")] as [FilePath] {
      let error = try #require(throws: FileSystemObserverError.self) {
        try operations.replaceContents(of: path, with: [1], uuid: nil)
      }
      #expect(error.code == .notAFile, "\(path)")
    }
    // Were it open for reading anywhere, this would succeed.
    let writer = unsafe pipe.withPlatformString { unsafe open($0, O_WRONLY | O_NONBLOCK) }
    #expect(writer == -1)
  }

  @Test(arguments: ["missing", "missing/document", "document.txt/below"])
  func whatIsNotThereIsAnError(_ name: String) throws {
    let before = try fixture.snapshot()
    let error = try #require(throws: FileSystemObserverError.self) {
      try operations.replaceContents(of: fixture.folder.path(name), with: [1], uuid: nil)
    }
    #expect(error.code == .fileOperationFailed)
    #expect(error.errno == (name.hasPrefix("missing") ? .noSuchFileOrDirectory : .notDirectory))
    #expect(error.message.contains("check the path"))
    #expect(try fixture.snapshot() == before)
  }

  /// No file system has attributes of that name.
  @Test func aTagThatIsNotSupportedIsNoFailure() throws {
    let operations = DocumentOperations(tag: FileTag(name: "nosuchspace.tag"))
    #expect(try operations.replaceContents(of: fixture.path, with: [1], uuid: DocumentFixture.uuid) == [])
    #expect(try PlainFiles.read(fixture.path) == [1])
  }

  /// The document's own attributes come first, for they are data; and without its UUID the document would be another.
  @Test func aTagForWhichThereIsNoRoomIsAnError() throws {
    let path = fixture.folder.path("full")
    try PlainFiles.write([1], to: path)
    try PlainFiles.setAttribute(AccessControlList.access, of: path, to: DocumentFixture.accessList)
    let filler = try fillAttributes(of: path)
    let names = fixture.folder.names()
    let error = #expect(throws: FileSystemObserverError.self) {
      try operations.replaceContents(of: path, with: [2], uuid: DocumentFixture.uuid)
    }
    #expect(error?.errno == .noSpace && error?.message.contains("writing the UUID") == true)
    #expect(try PlainFiles.read(path) == [1] && fixture.folder.names() == names)
    let withoutTags = DocumentOperations(tag: FileTag(), writesTags: false)
    #expect(try withoutTags.replaceContents(of: path, with: [2], uuid: DocumentFixture.uuid) == [])
    #expect(try PlainFiles.read(path) == [2])
    #expect(try PlainFiles.attribute("user.filler", of: path) == filler)
    #expect(try PlainFiles.attribute(AccessControlList.access, of: path) == DocumentFixture.accessList)
    #expect(try DocumentFixture.tag(of: path) == nil)
  }

  /// Gives a file an attribute as long as there is room for.
  private func fillAttributes(of path: FilePath) throws -> [UInt8] {
    for length in stride(from: 4096, to: 3000, by: -1) {
      let filler = [UInt8](repeating: 0x66, count: length)
      do {
        try PlainFiles.setAttribute("user.filler", of: path, to: filler)
        if length == 4096 { try Test.cancel("this file system has more room than can be filled") }
        return filler
      } catch Errno.noSpace {
        continue
      }
    }
    throw Errno.noSpace
  }
}
