import FileIdentity
import FileSystemObservation
import FileTestSupport
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// A file system without `RENAME_NOREPLACE` and `RENAME_EXCHANGE`, as NFS and many of FUSE are.
@Suite(.busy, .enabled(if: BindMount.isPossible, "bindfs cannot be mounted here"))
struct LimitedFileSystemTests {
  private let operations = DocumentOperations(tag: FileTag())
  private let mount: BindMount
  private let path: FilePath

  init() throws {
    mount = try BindMount()
    path = mount.path.appending("document.txt")
    try PlainFiles.write([1], to: path)
    try TreeFixture.make(at: mount.path.appending("tree"))
  }

  @Test func aFolderIsNotReplacedInTwoSteps() throws {
    let before = try TreeSnapshot(of: mount.path)
    let error = #expect(throws: FileSystemObserverError.self) {
      try operations.replaceContents(ofFolder: mount.path.appending("tree"), uuid: nil) { path in
        try PlainFiles.write([1], to: path.appending("a.txt"))
      }
    }
    #expect(error?.message.contains("cannot exchange two folders") == true, "\(String(describing: error))")
    // Inode numbers of FUSE are not kept for ever.
    let after = try TreeSnapshot(of: mount.path)
    #expect(after.comparable == before.comparable && after.leftOvers == [])
  }

  @Test(arguments: ["document.txt", "tree"]) func itemsMoveAndNothingIsReplaced(_ name: String) throws {
    let (source, moved, taken) = (mount.path.appending(name), mount.path.appending("moved"), "taken" as FilePath)
    let before = try PlainFiles.status(of: source).st_ino
    try PlainFiles.write([5], to: mount.path.pushing(taken))
    let error = #expect(throws: FileSystemObserverError.self) {
      try operations.move(source, to: mount.path.pushing(taken))
    }
    #expect(error?.errno == .fileExists)
    _ = try operations.move(source, to: moved)
    #expect(try PlainFiles.status(of: moved).st_ino == before)
    #expect(throws: Errno.noSuchFileOrDirectory) { try PlainFiles.status(of: source) }
    #expect(try PlainFiles.read(mount.path.pushing(taken)) == [5])
  }

  @Test func theOthersDoWhatTheyDoElsewhere() throws {
    let before = try TreeSnapshot(of: mount.path)
    let (copy, new) = (mount.path.appending("copy"), mount.path.appending("new"))
    _ = try operations.duplicate(mount.path.appending("tree"), to: copy)
    _ = try operations.createFile(at: new, contents: [1])
    try operations.remove(copy)
    try operations.remove(new)
    let item = try #require(try operations.trash(path, places: TrashPlaces(home: "/nowhere/Trash")).trashedItem)
    _ = try operations.restore(item)
    let after = try TreeSnapshot(of: mount.path)
    #expect(after.items.filter { !$0.key.hasPrefix(".Trash") }.keys == before.items.keys)
    #expect(after.leftOvers == [] && after.items["document.txt"]?.contents == [1])
  }
}

/// A folder that is seen through a FUSE file system.
final class BindMount: Sendable {
  static let isPossible = (try? BindMount()) != nil
  private let folder: ScratchFolder
  /// Where it is mounted.
  let path: FilePath

  init() throws {
    folder = try ScratchFolder()
    path = folder.path("mounted")
    for name in ["source", "mounted"] { try PlainFiles.makeFolder(at: folder.path(name)) }
    // Two names of one file are two files to it: what is kept of one would be outdated after a change of the other.
    let options = "attr_timeout=0,entry_timeout=0"
    try Command.run("bindfs", "-o", options, folder.path("source").string, path.string)
  }

  deinit {
    _ = try? Command.run("sh", "-c", "umount -l '\(path)' 2>/dev/null || fusermount -uz '\(path)'")
  }
}
