import FileSystemObservation
import FoundationEssentials
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Files that cannot have a tag because of where they are or whose they are: they are known by their inode, and the app
/// sees that.
@Suite(.light) struct UntaggedFileTests {
  private func kinds(_ observed: ObservedFolder) -> [String: FileSystemItem.IdentityKind] {
    var kinds: [String: FileSystemItem.IdentityKind] = [:]
    for item in observed.observer.snapshot() { kinds[observed.relative(item.path)] = item.identity }
    return kinds
  }

  /// Starts the observer where no file can be made, so that nothing can be awaited but the first scan.
  private func start(_ folder: TestFolder) async throws -> ObservedFolder {
    let observed = ObservedFolder(folder)
    try await observed.observer.start()
    try await observed.recorder.awaitScan()
    return observed
  }

  /// What others do to the same files where they may write is told; when all may, the tags are written.
  @Test(
    .enabled(if: geteuid() == 0 && Ability.tags.isPossible, "only root may mount"),
    .enabled(if: TestSource.named != .polling, "nothing that polling looks at changes with a mount"))
  func aMountForReadingOnly() async throws {
    let folder = try TestFolder("readonly")
    try folder.outside.makeDirectories("backing/sub")
    let backing = folder.outside.folder("backing")
    try backing.write("a.txt")
    try backing.write("sub/b.txt")
    try Command.run("mount", "--bind", backing.path, folder.watched.path)
    defer { try? Command.run("umount", "-l", folder.watched.path) }
    try Command.run("mount", "-o", "remount,bind,ro", folder.watched.path)
    let observed = try await start(folder)
    defer { observed.observer.stop() }
    #expect(kinds(observed) == ["a.txt": .inode, "sub": .inode, "sub/b.txt": .inode])
    #expect(observed.recorder.scans.first?.skipped[.readOnly] == 3)
    let uuid = try observed.knownUUID("a.txt")

    let mark = observed.recorder.position
    try backing.rename("a.txt", "sub/c.txt")
    let moved = try await observed.recorder.awaitChange("sub/c.txt", from: mark) { $0.kind == .moved }
    #expect(moved.uuid == uuid)
    #expect(try backing.tag("sub/c.txt") == nil)

    try Command.run("mount", "-o", "remount,bind,rw", folder.watched.path)
    try observed.root.chmod("sub/c.txt", 0o640)
    try await observed.expectTag(uuid, "sub/c.txt")
  }

  /// Where no file can have a tag, the app's own copies are copies all the same.
  @Test(.enabled(if: geteuid() == 0, "only root may mount"))
  func anOwnCopyOnAFileSystemWithoutAttributes() async throws {
    let folder = try TestFolder("ram")
    try Command.run("mount", "-t", "ramfs", "none", folder.watched.path)
    defer { try? Command.run("umount", "-l", folder.watched.path) }
    try folder.watched.makeDirectories("album/inner")
    for name in ["a.txt", "album/b.txt", "album/inner/c.txt"] { try folder.watched.write(name) }
    let observed = try await start(folder)
    defer { observed.observer.stop() }
    let mark = observed.recorder.position
    for (source, copy) in [("a.txt", "a2.txt"), ("album", "album2")] {
      try await observed.observer.duplicateItem(
        at: URL(filePath: observed.root[source]), to: URL(filePath: observed.root[copy]))
    }
    for (source, copy) in [
      ("a.txt", "a2.txt"), ("album", "album2"), ("album/inner", "album2/inner"), ("album/b.txt", "album2/b.txt"),
      ("album/inner/c.txt", "album2/inner/c.txt"),
    ] {
      let told = try await observed.recorder.awaitChange(copy, from: mark) {
        $0.kind == .duplicated && observed.relative($0.item.path) == copy
      }
      #expect(told.original?.uuid == (try observed.knownUUID(source)))
    }
  }

  /// A document keeps its identity while there is no room for a tag, and gets the tag when there is.
  @Test(.enabled(if: geteuid() == 0, "only root may mount"))
  func aFullFileSystem() async throws {
    let folder = try TestFolder("full")
    // One for the folder and one for each file; what is kept of a tag takes from what is left for inodes (Linux 6.6).
    try Command.run("mount", "-t", "tmpfs", "-o", "nr_inodes=5,size=1m", "none", folder.watched.path)
    defer { try? Command.run("umount", "-l", folder.watched.path) }
    let ballast = ["ballast1", "ballast2"]
    for name in ["a.txt", "b.txt"] + ballast { try folder.watched.write(name) }
    do {
      try folder.watched.setTag("a.txt", UUID())
      try Test.cancel("needs a kernel whose tmpfs counts attributes (6.6)")
    } catch Errno.noSpace {
      // As it should be.
    }
    let observed = try await start(folder)
    defer { observed.observer.stop() }
    #expect(kinds(observed) == ["a.txt": .inode, "b.txt": .inode, "ballast1": .inode, "ballast2": .inode])
    #expect(observed.recorder.scans.first?.skipped[.noRoomForTag] == 4)
    let uuid = try observed.knownUUID("a.txt")
    let mark = observed.recorder.position
    try observed.root.rename("a.txt", "c.txt")
    #expect(try await observed.recorder.awaitChange("c.txt", from: mark) { $0.kind == .renamed }.uuid == uuid)

    for name in ballast { try observed.root.unlink(name) }
    try observed.root.write("c.txt", "written when there is room")
    try await observed.expectTag(uuid, "c.txt")
  }

  /// Where an observer may read and not write.
  @Test(
    .disabled(if: geteuid() == 0, "root may write every file"),
    .enabled(
      if: FileManager.default.isReadableFile(atPath: "/usr/share/common-licenses"), "needs that folder of Debian"))
  func filesOfOthers() async throws {
    let observer = FileSystemObserver(directory: URL(filePath: "/usr/share/common-licenses"))
    let recorder = Recorder(observer)
    try await observer.start()
    try await recorder.awaitScan()
    defer { observer.stop() }
    let items = observer.snapshot()
    #expect(!items.isEmpty)
    #expect(items.allSatisfy { $0.identity == .inode })
    let taggable = items.count { $0.kind != .symlink }
    #expect(recorder.scans.first?.skipped[.tagNotPermitted] == taggable)
    for item in items { #expect(observer.uuid(forItemAt: item.path) == item.uuid) }
  }
}
