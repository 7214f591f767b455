import FileSystemObservation
import FoundationEssentials
import Glibc
import ObservationTestSupport
import Testing

/// Mounts that differ within one tree: what happens behind a FUSE file system no kernel source tells, and is found by
/// looking.
@Suite(
  .enabled(if: FUSE.isPossible, "needs root, /dev/fuse and the package bindfs"),
  .enabled(if: TestSource.named == nil, "only an observer that may choose uses a mix"))
struct PolledMountTests {
  /// A folder `fuse` of the observed one that shows `backing`, which is outside, through bindfs.
  private final class Mounted {
    let folder: TestFolder
    let observed: ObservedFolder

    init(options: [String] = []) async throws {
      folder = try TestFolder("mount")
      try folder.watched.makeDirectories("fuse")
      try folder.watched.makeDirectories("near")
      try folder.outside.makeDirectories("backing/sub")
      try folder.outside.write("backing/a.txt", "a")
      try folder.watched.write("near/b.txt", "b")
      let places = [folder.outside["backing"], folder.watched["fuse"]]
      try Command.run(arguments: ["bindfs", "--no-allow-other"] + options + places)
      observed = ObservedFolder(folder)
      try await observed.start()
    }

    deinit {
      observed.observer.stop()
      try? Command.run("umount", "-l", folder.watched["fuse"])
    }

    /// Does something, and awaits that it is told.
    func expect(
      _ kind: FileSystemChange.Kind, _ name: String, from previous: String? = nil, when act: (TestFolder) throws -> Void
    ) async throws -> FileSystemChange {
      let mark = observed.recorder.position
      let path = folder.watched[name]
      let former = previous.map { folder.watched[$0] }
      try act(folder)
      do {
        return try await observed.recorder.awaitChange("\(name) to be \(kind)", from: mark) {
          $0.kind == kind && $0.path.string == path && (former == nil || $0.previousPath?.string == former)
        }
      } catch {
        let told = observed.changes(from: mark).map(observed.describe) + observed.recorder.diagnostics.map(\.message)
        throw TimedOut("\(name) to be \(kind); told was \(told)")
      }
    }
  }

  @Test func whatHappensBehindTheMountIsTold() async throws {
    let mounted = try await Mounted()
    let document = try mounted.observed.uuid("fuse/a.txt")
    let renamed = try await mounted.expect(.renamed, "fuse/c.txt", from: "fuse/a.txt") {
      try $0.outside.rename("backing/a.txt", "backing/c.txt")
    }
    #expect(renamed.uuid == document)
    let moved = try await mounted.expect(.moved, "fuse/sub/c.txt", from: "fuse/c.txt") {
      try $0.outside.rename("backing/c.txt", "backing/sub/c.txt")
    }
    #expect(moved.uuid == document)
    let modified = try await mounted.expect(.modified, "fuse/sub/c.txt") {
      try $0.outside.write("backing/sub/c.txt", "more than there was")
    }
    #expect(modified.uuid == document)
    _ = try await mounted.expect(.copyFinished, "fuse/new.txt") { try $0.outside.write("backing/new.txt", "new") }
    _ = try await mounted.expect(.discovered, "fuse/folder") { try $0.outside.mkdir("backing/folder") }
    _ = try await mounted.expect(.copyFinished, "fuse/folder/in.txt") {
      try $0.outside.write("backing/folder/in.txt", "in")
    }
    let deleted = try await mounted.expect(.deleted, "fuse/sub/c.txt") { try $0.outside.unlink("backing/sub/c.txt") }
    #expect(deleted.uuid == document)
  }

  /// FUSE keeps no birth times, and the file system behind it gives the number of a removed file to the next new one.
  @Test func aRecycledNumberIsNoRename() async throws {
    let mounted = try await Mounted()
    let document = try mounted.observed.uuid("fuse/a.txt")
    let former = try mounted.folder.outside.status("backing/a.txt").inode
    let newcomer = try await mounted.expect(.copyFinished, "fuse/new.txt") {
      try $0.outside.write("backing/temporary", "saved")
      try $0.outside.rename("backing/temporary", "backing/a.txt")
      try $0.outside.write("backing/new.txt", "new")
    }
    let isRecycled = try mounted.folder.outside.status("backing/new.txt").inode == former
    if !isRecycled { print("here: the file system does not give the number of a removed file to the next") }
    #expect(newcomer.uuid != document)
    // The save may be over later than the newcomer is finished.
    try await mounted.observed.expectTag(document, "fuse/a.txt")
    let folder = try await mounted.expect(.discovered, "fuse/first") { try $0.outside.mkdir("backing/first") }
    let next = try await mounted.expect(.discovered, "fuse/second") {
      try $0.outside.rmdir("backing/first")
      try $0.outside.mkdir("backing/second")
    }
    #expect(folder.uuid != next.uuid)
  }

  /// The kernel may keep the times of a folder for as long as its server says.
  @Test func whatTheKernelHasKeptOfAFolderIsNotBelieved() async throws {
    let mounted = try await Mounted(options: ["-o", "attr_timeout=120"])
    let document = try mounted.observed.uuid("fuse/a.txt")
    let start = Moment.now
    let moved = try await mounted.expect(.moved, "fuse/sub/c.txt", from: "fuse/a.txt") {
      try $0.outside.rename("backing/a.txt", "backing/sub/c.txt")
    }
    #expect(moved.uuid == document)
    #expect(Moment.now - start < .seconds(60))
  }

  @Test func theRestOfTheTreeIsToldByTheKernel() async throws {
    let mounted = try await Mounted()
    try await mounted.observed.saysExactly(["renamed near/b.txt -> near/c.txt"]) {
      try $0.rename("near/b.txt", "near/c.txt")
    }
    let moved = try await mounted.expect(.moved, "fuse/d.txt", from: "near/c.txt") {
      try Command.run("mv", $0.watched["near/c.txt"], $0.watched["fuse/d.txt"])
    }
    #expect(try mounted.observed.uuid("fuse/d.txt") == moved.uuid, "moved to another file system, tag and all")
  }
}

private enum FUSE {
  /// Whether a test may mount what it likes.
  static let isPossible =
    geteuid() == 0 && SavingProgram.isInstalled("bindfs") && FileManager.default.isReadableFile(atPath: "/dev/fuse")
}
