import FileIdentity
import FileSystemObservation
import FileTestSupport
import Glibc
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// The trash at the top of a file system that is not that of the home folder.
@Suite(.busy, .enabled(if: MemoryMount.isPossible, "only root may mount"))
struct MountedTrashTests {
  private let operations = DocumentOperations(tag: FileTag())
  private let home: ScratchFolder
  private let mount: MemoryMount
  private let places: TrashPlaces
  private let path: FilePath

  init() throws {
    home = try ScratchFolder()
    mount = try MemoryMount()
    places = TrashPlaces(home: home.path("Trash"))
    path = mount.path.appending("sub/a b.txt")
    try PlainFiles.makeFolder(at: mount.path.appending("sub"))
    try PlainFiles.write([1, 2], to: path)
  }

  @Test func theItemStaysOnItsFileSystem() throws {
    let item = try #require(try operations.trash(path, places: places).trashedItem)
    #expect(item.path == mount.path.appending(".Trash-0/files/a b.txt"))
    #expect(try PlainFiles.read(item.infoPath).starts(with: "[Trash Info]\nPath=sub/a%20b.txt\n".utf8))
    #expect(home.names() == [], "the trash of the home folder is not made for nothing")
    #expect(operations.trashedItems(onFileSystemsOf: [mount.path.appending("sub")], places: places).items == [item])
    _ = try operations.restore(item)
    #expect(try PlainFiles.read(path) == [1, 2])
  }

  @Test func nothingStaysOfATrashFolderOnAFullFileSystem() throws {
    let full = try MemoryMount(size: 64)
    let path = full.path.appending("a.txt")
    try PlainFiles.write([1, 2], to: path)
    try Command.run("sh", "-c", "head -c 1M /dev/zero > '\(full.path.string)/rest' 2> /dev/null || true")
    let error = #expect(throws: FileSystemObserverError.self) { try operations.trash(path, places: places) }
    #expect(error?.errno == .noSpace)
    #expect(try Directory.list(full.path.string).map(\.name).sorted() == ["a.txt", "rest"])
  }

  /// Of several observed directories, none is at the top of the tree.
  @Test func theTrashOfEachObservedDirectoryIsListed() throws {
    let item = try #require(try operations.trash(path, places: places).trashedItem)
    let folder = home.path("folder")
    try PlainFiles.makeFolder(at: folder)
    let observer = FileSystemObserver(.init(directories: [folder, mount.path.appending("sub")]))
    #expect(observer.trashedItems().items.contains(item))
    let other = FileSystemObserver(.init(directories: [folder, home.path("missing")]))
    #expect(!other.trashedItems().items.contains(item))
  }

  @Test func theTrashOfAllIsUsedIfItIsSticky() throws {
    let shared = mount.path.appending(".Trash")
    try PlainFiles.makeFolder(at: shared)
    try PlainFiles.setPermissions(0o1777, of: shared)
    let item = try #require(try operations.trash(path, places: places).trashedItem)
    #expect(item.path == mount.path.appending(".Trash/0/files/a b.txt"))
    #expect(try PlainFiles.status(of: shared.appending("0")).st_mode & 0o777 == 0o700)
    #expect(operations.trashedItems(onFileSystemsOf: [mount.path], places: places).items == [item])
    _ = try operations.restore(item)
    #expect(try PlainFiles.read(path) == [1, 2])
  }

  @Test(arguments: [false, true]) func otherwiseItIsNot(_ isLink: Bool) throws {
    let (shared, other) = (mount.path.appending(".Trash"), mount.path.appending("other"))
    try PlainFiles.makeFolder(at: other)
    try PlainFiles.setPermissions(isLink ? 0o1777 : 0o777, of: other)
    if isLink {
      try PlainFiles.makeSymlink(at: shared, to: "other")
    } else {
      try PlainFiles.rename(other, to: shared)
    }
    let item = try #require(try operations.trash(path, places: places).trashedItem)
    #expect(item.path == mount.path.appending(".Trash-0/files/a b.txt"))
  }

  /// Somebody else has made the folder: he could read and replace what is trashed.
  @Test func theFolderOfAnotherUserIsNotUsed() throws {
    let foreign = mount.path.appending(".Trash-0")
    try PlainFiles.makeFolder(at: foreign)
    try PlainFiles.setOwner(1234, group: 1234, of: foreign)
    let before = try TreeSnapshot(of: mount.path)
    let error = #expect(throws: FileSystemObserverError.self) { try operations.trash(path, places: places) }
    #expect(error?.errno == .notPermitted && error?.message.contains("no trash folder") == true)
    #expect(try TreeSnapshot(of: mount.path) == before)
    for name in ["files", "info"] { try PlainFiles.makeFolder(at: foreign.appending(name)) }
    try PlainFiles.write([], to: foreign.appending("files/x"))
    try PlainFiles.write(Array("[Trash Info]\nPath=x".utf8), to: foreign.appending("info/x.trashinfo"))
    #expect(operations.trashedItems(onFileSystemsOf: [mount.path], places: places).items == [], "nor is it listed")
    let item = try #require(
      try operations.trash(path, movesBetweenFileSystems: true, places: places).trashedItem)
    #expect(item.path == home.path("Trash/files/a b.txt"))
    #expect(try PlainFiles.read(item.path) == [1, 2])
    #expect(operations.trashedItems(onFileSystemsOf: [mount.path], places: places).items == [item])
    _ = try operations.restore(item)
    #expect(try PlainFiles.read(path) == [1, 2])
  }

  @Test func aMoveToTheTrashThatFailsLeavesNothingInIt() throws {
    try PlainFiles.write([], to: mount.path.appending(".Trash-0"))
    let before = try TreeSnapshot(of: mount.path)
    let failing = DocumentOperations(failingBefore: .carryTimes, with: .noSpace)
    #expect(throws: FileSystemObserverError.self) {
      try failing.trash(path, movesBetweenFileSystems: true, places: places)
    }
    #expect(try TreeSnapshot(of: mount.path) == before)
    #expect(try TreeSnapshot(of: home.path).items.keys.sorted() == [])
  }

  /// A path in a stick's own trash that leads to another file system is not believed.
  @Test func aPathThatLeadsAwayIsReported() throws {
    let item = try #require(try operations.trash(path, places: places).trashedItem)
    try PlainFiles.write(Array("[Trash Info]\nPath=/etc/passwd\n".utf8), to: item.infoPath)
    let listed = operations.trashedItems(onFileSystemsOf: [mount.path], places: places)
    #expect(listed.items == [] && listed.problems.count == 1)
  }
}
