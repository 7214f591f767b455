import FoundationEssentials
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// Bookmarks across file systems, and on those that keep no tags.
@Suite(.light, .enabled(if: geteuid() == 0, "only root may mount")) struct BookmarkMountTests {
  /// A scene with a file system mounted at `other`.
  private func withMount(
    _ arguments: String..., body: (BookmarkScene) throws -> Void
  ) throws {
    let scene = try BookmarkScene()
    let place = scene.folder["elsewhere"]
    try Command.run(arguments: ["mount"] + arguments + ["none", place])
    defer { try? Command.run("umount", "-l", place) }
    try body(scene)
  }

  private func bookmark(_ name: String, in scene: BookmarkScene, writingTag: Bool = true) throws -> FileBookmark {
    try FileBookmark(forFileAt: FilePath(scene.folder[name]), writingTag: writingTag)
  }

  private func resolve(
    _ bookmark: FileBookmark, in scene: BookmarkScene, _ folders: String..., usesHandles: Bool = false
  ) throws -> (path: String, evidence: Set<FileBookmark.Evidence>) {
    let places = folders.map { FileBookmark.Place.folder(FilePath(scene.folder[$0])) }
    let found = try BookmarkSearch(bookmark, usesHandles: usesHandles).resolve(in: places)
    return (scene.relative(found.path), found.evidence)
  }

  @Test func movedToAnotherFileSystemWithItsTag() throws {
    try withMount("-t", "tmpfs") { scene in
      try Command.run("mv", scene.folder[BookmarkScene.file], scene.folder["elsewhere/letter.txt"])
      guard try scene.folder.tag("elsewhere/letter.txt") != nil else { try Test.cancel("this tmpfs keeps no tags") }
      for usesHandles in [true, false] {
        let found = try resolve(scene.bookmark, in: scene, "home", "elsewhere", usesHandles: usesHandles)
        #expect(found.path == "elsewhere/letter.txt" && found.evidence == [.tag])
      }
    }
  }

  /// ramfs has no tags, no birth times and no handles; only the inode number is left.
  @Test func aFileSystemThatKeepsNothing() throws {
    try withMount("-t", "ramfs") { scene in
      try scene.folder.makeDirectories("elsewhere/sub")
      try scene.folder.write("elsewhere/a.txt", "some text")
      let bookmark = try bookmark("elsewhere/a.txt", in: scene)
      try #require(bookmark.identity == .inode, "ramfs keeps tags by now")
      let again = try FileBookmark(parsing: bookmark.description)
      #expect(again == bookmark && again.traits.content != nil)
      #expect(try resolve(bookmark, in: scene).path == "elsewhere/a.txt")
      try scene.folder.rename("elsewhere/a.txt", "elsewhere/sub/b.txt")
      #expect(try resolve(bookmark, in: scene, "elsewhere").path == "elsewhere/sub/b.txt")
      // Renamed and edited: nothing tells that the number was not given to another file.
      try scene.folder.append("elsewhere/sub/b.txt")
      let error = #expect(throws: FileBookmarkError.self) { try resolve(bookmark, in: scene, "elsewhere") }
      #expect(error?.code == .notFound)
    }
  }

  @Test func aMountForReadingOnly() throws {
    let scene = try BookmarkScene(writingTag: false)
    let (backing, place) = (scene.folder["home"], scene.folder["elsewhere"])
    try Command.run("mount", "--bind", backing, place)
    defer { try? Command.run("umount", "-l", place) }
    try Command.run("mount", "-o", "remount,bind,ro", place)
    let bookmark = try bookmark("elsewhere/letter.txt", in: scene)
    #expect(bookmark.identity == .inode)
    try scene.folder.rename("home/letter.txt", "home/sub/note.txt")
    #expect(try resolve(bookmark, in: scene, "elsewhere").path == "elsewhere/sub/note.txt")
    let byHandle = try resolve(bookmark, in: scene, usesHandles: true)
    #expect(byHandle.path.hasSuffix("sub/note.txt") && byHandle.evidence.isSuperset(of: [.inode, .handle]))
  }

  /// Small inodes of ext4 have no birth time: the handle tells them apart.
  @Test func aFileSystemWithoutBirthTimes() throws {
    let disk = try DiskImage(options: ["-I", "128"])
    let folder = Folder(disk.path.string)
    try folder.write("a.txt")
    let bookmark = try FileBookmark(forFileAt: disk.path.appending("a.txt"), writingTag: false)
    #expect(!bookmark.traits.hasBirthTime && bookmark.traits.handle != nil && bookmark.traits.content == nil)
    func resolve() throws(FileBookmarkError) -> FilePath {
      try BookmarkSearch(bookmark, usesHandles: false).resolve(in: [.folder(disk.path)]).path
    }
    try folder.rename("a.txt", "b.txt")
    #expect(try resolve() == disk.path.appending("b.txt"))
    let number = try folder.status("b.txt").inode
    try folder.unlink("b.txt")
    for index in 0..<20 { try folder.write("new\(index)") }
    let isReused = try (0..<20).contains { try folder.status("new\($0)").inode == number }
    #expect(isReused)
    let error = #expect(throws: FileBookmarkError.self) { try resolve() }
    #expect(error?.code == .notFound)
  }

  /// A file that is only in the lower layer of an overlay is known by what does not change when it is copied up.
  @Test(.enabled(if: OverlayFolder.isPossible)) func anOverlay() throws {
    let overlay = try OverlayFolder { lower, upper in
      try lower.write("lower.txt")
      try upper.write("upper.txt")
      try upper.mkdir("sub")
    }
    let root = overlay.folder.watched
    for name in ["lower.txt", "upper.txt"] {
      let bookmark = try FileBookmark(forFileAt: FilePath(root[name]), writingTag: false)
      #expect(try BookmarkSearch(bookmark).resolve(in: []).path.string == root[name])
      try root.rename(name, "sub/\(name)")
      let found = try BookmarkSearch(bookmark).resolve(in: [.folder(FilePath(root.path))])
      #expect(found.path.string == root["sub/\(name)"], "\(name)")
    }
  }

  /// A disk that is mounted at another place by now.
  @Test func aFileSystemThatWasMountedElsewhere() throws {
    let scene = try BookmarkScene()
    let (first, second) = (scene.folder["elsewhere"], scene.folder["second"])
    try scene.folder.makeDirectories("second")
    try Command.run("mount", "-t", "tmpfs", "none", first)
    defer { for place in [first, second] { try? Command.run("umount", "-l", place) } }
    try scene.folder.write("elsewhere/a.txt")
    let bookmark = try bookmark("elsewhere/a.txt", in: scene)
    try Command.run("mount", "--bind", first, second)
    try Command.run("umount", "-l", first)
    #expect(try resolve(bookmark, in: scene, "second").path == "second/a.txt")
    #expect(try resolve(bookmark, in: scene, usesHandles: true).path == "second/a.txt")
  }

  /// A search leaves out what does not answer, and says so; who asks for a file there is told.
  @Test(.undisturbed, .enabled(if: HangingMount.isPossible, "needs root and /dev/fuse"))
  func aMountThatDoesNotAnswer() throws {
    let scene = try BookmarkScene()
    try scene.folder.makeDirectories("home/mnt")
    let mount = try HangingMount(at: scene.folder["home/mnt"])
    defer { mount.release() }
    let bookmark = try bookmark("home/mnt/a.txt", in: scene)
    mount.hang(.everything)
    let error = #expect(throws: FileBookmarkError.self) { try resolve(bookmark, in: scene, "home") }
    #expect(error?.code == .notAnswering)
    #expect(throws: FileBookmarkError.self) { try self.bookmark("home/mnt/d/b.txt", in: scene) }
    try scene.folder.rename(BookmarkScene.file, "home/sub/letter.txt")
    #expect(try resolve(scene.bookmark, in: scene, "home").path == "home/sub/letter.txt")
    try scene.folder.unlink("home/sub/letter.txt")
    let missing = #expect(throws: FileBookmarkError.self) { try resolve(scene.bookmark, in: scene, "home") }
    #expect(missing?.code == .notFound && missing?.message.contains("could not be searched") == true)
  }
}
