import FileIdentity
import FileSystemObservation
import FileTestSupport
import Glibc
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Documents of several files, replaced in one step.
@Suite(.busy, .enabled(if: Ability.exchange.isPossible, "names cannot be exchanged here"))
struct ReplaceFolderTests {
  private struct AppError: Error, Equatable {
    var number: Int
  }

  private let operations = DocumentOperations(tag: FileTag())
  private let tree: TreeFixture
  private var folder: ScratchFolder { tree.folder }

  init() throws {
    tree = try TreeFixture()
    try PlainFiles.setAttribute("user.author", of: tree.path, to: Array("Eve".utf8))
    try PlainFiles.setPermissions(0o751, of: tree.path)
  }

  /// What an app saves: one file as before, one changed, one new, one gone.
  @Sendable private static func fill(_ path: FilePath) throws {
    try PlainFiles.write(Array("new".utf8), to: path.appending("a.txt"))
    try PlainFiles.makeFolder(at: path.appending("sub"))
    try PlainFiles.makeFolder(at: path.appending("sub/deep"))
    try PlainFiles.write([8], to: path.appending("sub/deep/d"))
    try PlainFiles.setPermissions(0o400, of: path.appending("sub/deep/d"))
    try PlainFiles.write([9], to: path.appending("sub/added"))
    try PlainFiles.makeSymlink(at: path.appending("link"), to: "sub/added")
  }

  @Test func theNewContentsTakeThePlaceOfTheOld() throws {
    let before = try TreeSnapshot(of: folder.path)
    let outcome = try operations.replaceContents(ofFolder: tree.path, uuid: nil, filling: Self.fill)
    let after = try TreeSnapshot(of: folder.path)
    let names = ["", "/a.txt", "/link", "/sub", "/sub/added", "/sub/deep", "/sub/deep/d"].map { "tree" + $0 }
    #expect(after.items.keys.sorted() == names && after.leftOvers == [])
    #expect(after.items["tree/a.txt"]?.contents == Array("new".utf8))
    for name in ["tree", "tree/a.txt", "tree/sub", "tree/sub/deep/d"] {
      #expect(after.items[name]?.tag == before.items[name]?.tag, "\(name)")
    }
    let (old, new) = (try #require(before.items["tree"]), try #require(after.items["tree"]))
    #expect(new.mode == old.mode && new.owner == old.owner && new.author == old.author && new.inode != old.inode)
    #expect(after.items["tree/sub/deep/d"]?.mode == S_IFREG | 0o400)
    #expect(outcome.notCarried == [] && outcome.leftOver == nil)
    #expect(try outcome.item.status == FileStatus.of(path: tree.path))
    for item in outcome.descendants where item.status.kind != .symlink {
      #expect(after.items["tree/\(item.path)"]?.tag == item.uuid?.description, "\(item.path)")
    }
    #expect(Set(outcome.descendants.map { "tree/\($0.path)" }) == Set(names.dropFirst()))
  }

  @Test func aFileThatIsLinkedFromElsewhereIsLeftAlone() throws {
    let elsewhere = folder.path("elsewhere")
    try PlainFiles.write([5], to: elsewhere)
    let outcome = try operations.replaceContents(ofFolder: tree.path, uuid: nil) { path in
      try PlainFiles.makeLink(at: path.appending("a.txt"), to: elsewhere)
    }
    #expect(try DocumentFixture.tag(of: elsewhere) == nil)
    #expect(outcome.descendants.map(\.isTagged) == [false])
  }

  @Test func theAppsErrorComesBackAndNothingIsChanged() throws {
    let before = try TreeSnapshot(of: folder.path)
    let error = #expect(throws: AppError.self) {
      try operations.replaceContents(ofFolder: tree.path, uuid: nil) { path in
        try Self.fill(path)
        throw AppError(number: 3)
      }
    }
    #expect(error == AppError(number: 3))
    #expect(try TreeSnapshot(of: folder.path) == before)
  }

  @Test(arguments: [
    DocumentOperations.Step.checkItem, .createFile, .carryOwner, .carryAttributes, .writeTag, .carryPermissions,
    .synchronizeFile, .publish,
  ])
  func aStepThatFailsLeavesEverythingAsItWas(_ step: DocumentOperations.Step) throws {
    let failing = DocumentOperations(failingBefore: step, with: .noSpace)
    try folder.expectUnchanged(.noSpace) {
      _ = try failing.replaceContents(ofFolder: tree.path, uuid: nil, filling: Self.fill)
    }
  }

  @Test func anOldFolderThatCannotBeRemovedIsReturned() throws {
    let failing = DocumentOperations(failingBefore: .removeOriginal, with: .ioError)
    let outcome = try failing.replaceContents(ofFolder: tree.path, uuid: nil, filling: Self.fill)
    #expect(try PlainFiles.read(tree.path.appending("a.txt")) == Array("new".utf8))
    let leftOver = try #require(outcome.leftOver)
    #expect(leftOver.lastComponent?.string.hasPrefix(".fsobserver-") == true)
    #expect(try PlainFiles.read(leftOver.appending("a.txt")) == Array("one".utf8))
  }

  @Test func bothFoldersChangePlacesInOneCommit() throws {
    let commits = Counter()
    let operations = DocumentOperations(
      tag: FileTag(),
      committing: { [path = tree.path] (_, commit) throws(Errno) in
        #expect((try? PlainFiles.read(path.appending("a.txt"))) == Array("one".utf8))
        try commit()
        #expect((try? PlainFiles.read(path.appending("a.txt"))) == Array("new".utf8))
        commits.count()
      })
    _ = try operations.replaceContents(ofFolder: tree.path, uuid: nil, filling: Self.fill)
    #expect(commits.total == 1 && folder.names() == ["tree"])
  }

  @Test func onlyAFolderIsReplacedByAFolder() throws {
    try PlainFiles.makeSymlink(at: folder.path("link"), to: "tree")
    for path in [tree.path.appending("a.txt"), folder.path("link")] {
      let error = try folder.expectUnchanged(.notDirectory) {
        _ = try operations.replaceContents(ofFolder: path, uuid: nil, filling: Self.fill)
      }
      #expect(error?.code == .invalidArgument)
    }
  }

  @Test func aFolderThatAnotherProgramReplacedIsLeftAlone() throws {
    let (path, away) = (tree.path, folder.path("away"))
    let operations = DocumentOperations(tag: FileTag()) { (step) throws(Errno) in
      guard step == .publish else { return }
      try? PlainFiles.rename(path, to: away)
      try? PlainFiles.makeFolder(at: path)
    }
    let error = #expect(throws: FileSystemObserverError.self) {
      try operations.replaceContents(ofFolder: path, uuid: nil, filling: Self.fill)
    }
    #expect(error?.errno == .staleNFSFileHandle)
    #expect(folder.names() == ["away", "tree"])
    #expect(try TreeSnapshot(of: path).items.isEmpty)
  }
}
