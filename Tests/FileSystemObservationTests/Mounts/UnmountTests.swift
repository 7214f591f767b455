import FileSystemObservation
import Foundation
import Glibc
import ObservationTestSupport
import TestTraits
import Testing

/// A file system below the observed folder, as of a stick: it can be unmounted while it is observed, and nothing on it
/// counts as removed.
@Suite(.light, .enabled(if: geteuid() == 0, "only root may mount"))
struct UnmountTests {
  /// A folder in memory that is mounted at `stick` of the observed folder when a test says so.
  private final class Stick: Sendable {
    let folder: TestFolder
    let observed: ObservedFolder
    var top: Folder { folder.watched.folder("stick") }

    init(_ source: TestSource, isMounted: Bool) async throws {
      folder = try TestFolder("stick")
      try folder.watched.mkdir("stick")
      try folder.outside.mkdir("memory")
      try Command.run("mount", "-t", "tmpfs", "none", folder.outside["memory"])
      observed = ObservedFolder(folder, options: source.applied(to: FileSystemObserver.Configuration()))
      if isMounted {
        try folder.outside.makeDirectories("memory/d/e")
        try folder.outside.write("memory/d/e/photo")
        try mount()
      }
      try await observed.start()
    }

    deinit {
      observed.observer.stop()
      for name in [top.path, folder.outside["memory"]] where isMountPoint(name) {
        try? Command.run("umount", "-l", name)
      }
    }

    private func isMountPoint(_ name: String) -> Bool { (try? Command.run("mountpoint", "-q", name)) != nil }

    func mount() throws { try Command.run("mount", "--bind", folder.outside["memory"], top.path) }

    /// Changes what is on it while it is not mounted; the command `new` prints another content each time.
    ///
    /// - Returns: The UUID of the photo, and the position after which its return is announced.
    func changeElsewhere(_ script: String) async throws -> (photo: UUID, mark: Int) {
      let photo = try observed.uuids("stick/d/e/photo")[0]
      var mark = observed.recorder.position
      try await unmount()
      _ = try await expect(.deleted, "stick/d/e/photo", .unmounted, from: mark)
      mark = observed.recorder.position
      let content = "new() { head -c 64 /dev/urandom; }; cd '\(folder.outside["memory"])' && "
      try Command.run("sh", "-c", content + script)
      try mount()
      return (photo, mark)
    }

    /// Whoever happens to look at it makes it busy for a moment.
    func unmount() async throws {
      do {
        try Command.run("umount", "--quiet", top.path)
      } catch {
        try await Task.sleep(for: .milliseconds(500))
        try Command.run("umount", top.path)
      }
    }

    func expect(
      _ kind: FileSystemChange.Kind, _ name: String, _ reason: DeletionReason? = nil, isReturned: Bool = false,
      from mark: Int
    ) async throws -> FileSystemChange {
      let path = folder.watched[name]
      let told = try await observed.recorder.awaitChange("\(name) to be \(kind)", from: mark) {
        $0.kind == kind && $0.path.string == path
      }
      #expect(told.deletionReason == reason && told.isReturned == isReturned, "\(name)")
      return told
    }
  }

  /// What is on a file system is announced when the wait for changes ends, and so is its absence.
  @Test(arguments: TestSource.toTest) func aMountAndAnUnmountAreWaitedFor(_ source: TestSource) async throws {
    let stick = try await Stick(source, isMounted: true)
    let observer = stick.observed.observer
    for _ in 0..<3 {
      try await stick.unmount()
      await observer.synchronize()
      #expect(observer.snapshot().map(\.name).sorted() == ["stick"])
      try stick.mount()
      await observer.synchronize()
      #expect(observer.snapshot().map(\.name).sorted() == ["d", "e", "photo", "stick"])
    }
  }

  @Test(arguments: TestSource.toTest)
  func aMountThatIsInUseByNobodyElseCanBeUnmounted(_ source: TestSource) async throws {
    let stick = try await Stick(source, isMounted: false)
    var mark = stick.observed.recorder.position
    try stick.mount()
    try await stick.observed.settle()
    try stick.top.makeDirectories("d/e")
    try stick.top.write("d/e/photo")
    let photo = try await stick.expect(.copyFinished, "stick/d/e/photo", nil, from: mark)
    mark = stick.observed.recorder.position
    try await stick.unmount()
    let gone = try await stick.expect(.deleted, "stick/d/e/photo", .unmounted, from: mark)
    #expect(gone.uuid == photo.uuid)
    try await stick.observed.expectAgreement()
  }

  @Test(arguments: TestSource.toTest)
  func whatIsMountedAgainIsBackWithItsIdentity(_ source: TestSource) async throws {
    let stick = try await Stick(source, isMounted: true)
    let names = ["stick/d/e/photo", "stick/d/e", "stick/d"]
    let before = try stick.observed.uuids(names[0], names[1], names[2])
    var mark = stick.observed.recorder.position
    try await stick.unmount()
    for name in names { _ = try await stick.expect(.deleted, name, .unmounted, from: mark) }
    mark = stick.observed.recorder.position
    try stick.mount()
    for (name, uuid) in zip(names, before) {
      let back = try await stick.expect(.discovered, name, isReturned: true, from: mark)
      #expect(back.uuid == uuid)
    }
    mark = stick.observed.recorder.position
    try stick.top.unlink("d/e/photo")
    _ = try await stick.expect(.deleted, "stick/d/e/photo", .removed, from: mark)
    try await stick.observed.expectAgreement()
  }

  /// Another computer has had the stick: the identity stays with the name.
  @Test(arguments: TestSource.toTest, ["new > t && mv t photo", "mv photo photo~ && new > photo && rm photo~"])
  func whatWasSavedOnItMeanwhileIsTheSameDocument(_ source: TestSource, _ save: String) async throws {
    let stick = try await Stick(source, isMounted: true)
    let (photo, mark) = try await stick.changeElsewhere("cd d/e && \(save)")
    #expect(try await stick.expect(.discovered, "stick/d/e/photo", isReturned: true, from: mark).uuid == photo)
    try await stick.observed.expectAgreement()
    #expect(try stick.observed.uuids("stick/d/e/photo") == [photo])
  }

  /// The backup that a program has kept is a copy.
  @Test(arguments: TestSource.toTest) func aBackupThatWasKeptOnItIsACopy(_ source: TestSource) async throws {
    let stick = try await Stick(source, isMounted: true)
    let (photo, mark) = try await stick.changeElsewhere("cd d/e && mv photo photo~ && new > photo")
    #expect(try await stick.expect(.discovered, "stick/d/e/photo", isReturned: true, from: mark).uuid == photo)
    let backup = try await stick.expect(.duplicated, "stick/d/e/photo~", from: mark)
    guard case .duplicated(let original) = backup.event else { return }
    #expect(backup.uuid != photo && original.uuid == photo)
    try await stick.observed.expectAgreement()
  }

  /// A document that was moved is the same; what has its former name is another.
  @Test(arguments: TestSource.toTest) func whatWasMovedOnItMeanwhileIsItself(_ source: TestSource) async throws {
    let stick = try await Stick(source, isMounted: true)
    let (photo, mark) = try await stick.changeElsewhere("mv d/e/photo d/album && new > d/e/photo")
    #expect(try await stick.expect(.discovered, "stick/d/album", isReturned: true, from: mark).uuid == photo)
    #expect(try await stick.expect(.discovered, "stick/d/e/photo", from: mark).uuid != photo)
    try await stick.observed.expectAgreement()
  }

  /// Only what is found when the folder is back has a document's name by right.
  @Test(arguments: TestSource.toTest) func aNameIsFreeOnceTheFolderIsBack(_ source: TestSource) async throws {
    let stick = try await Stick(source, isMounted: true)
    let (photo, mark) = try await stick.changeElsewhere("rm d/e/photo")
    _ = try await stick.expect(.discovered, "stick/d/e", isReturned: true, from: mark)
    try await stick.observed.expectAgreement()
    try stick.top.write("d/e/photo", "another")
    #expect(try await stick.expect(.discovered, "stick/d/e/photo", from: mark).uuid != photo)
  }

  /// What is below a mount is there all the time.
  @Test(arguments: TestSource.toTest)
  func whatIsMountedOverIsNotRemoved(_ source: TestSource) async throws {
    let stick = try await Stick(source, isMounted: false)
    try stick.top.write("below")
    var mark = stick.observed.recorder.position
    let below = try await stick.expect(.copyFinished, "stick/below", nil, from: 0)
    mark = stick.observed.recorder.position
    try stick.mount()
    _ = try await stick.expect(.deleted, "stick/below", .unmounted, from: mark)
    mark = stick.observed.recorder.position
    try await stick.unmount()
    #expect(try await stick.expect(.discovered, "stick/below", isReturned: true, from: mark).uuid == below.uuid)
  }

  /// Neither is a version of the other.
  @Test(arguments: TestSource.toTest)
  func whatHasTheNameOfWhatIsBelowIsAnotherFile(_ source: TestSource) async throws {
    let stick = try await Stick(source, isMounted: false)
    try stick.top.write("photo", "below")
    try stick.folder.outside.write("memory/photo", "above")
    let below = try await stick.expect(.copyFinished, "stick/photo", nil, from: 0)
    var mark = stick.observed.recorder.position
    try stick.mount()
    #expect(try await stick.expect(.deleted, "stick/photo", .unmounted, from: mark).uuid == below.uuid)
    let above = try await stick.expect(.copyFinished, "stick/photo", nil, from: mark)
    #expect(above.uuid != below.uuid)
    mark = stick.observed.recorder.position
    try await stick.unmount()
    #expect(try await stick.expect(.deleted, "stick/photo", .unmounted, from: mark).uuid == above.uuid)
    #expect(try await stick.expect(.discovered, "stick/photo", isReturned: true, from: mark).uuid == below.uuid)
    try await stick.observed.expectAgreement()
  }
}
