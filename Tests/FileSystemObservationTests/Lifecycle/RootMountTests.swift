import FileSystemObservation
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// The observed directory is where something is mounted, or its tree is mounted in itself.
@Suite(
  .light, .enabled(if: geteuid() == 0, "only root may mount"),
  .enabled(if: TestSource.named != .polling, "polling does not look at the table of mounts"))
struct RootMountTests {
  private func mount(_ arguments: [String], at folder: Folder) throws {
    try Command.run(arguments: ["mount"] + arguments + [folder.path])
  }

  /// As a user does who does not wait: what is open keeps the file system in existence, and the kernel tells no mark of
  /// it.
  private func unmount(_ folder: Folder) throws { try Command.run("umount", "-l", folder.path) }

  /// A folder where a file system in memory is mounted, observed.
  private func begin(_ rootLossPolicy: FileSystemObserver.RootLossPolicy) async throws -> ObservedFolder {
    var options = FileSystemObserver.Configuration()
    options.rootLossPolicy = rootLossPolicy
    let folder = try TestFolder("mounted")
    try folder.watched.write("below.txt")
    try mount(["-t", "tmpfs", "none"], at: folder.watched)
    do {
      try folder.watched.write("above.txt")
      let observed = ObservedFolder(folder, options: options)
      try await observed.start()
      return observed
    } catch {
      try unmount(folder.watched)
      throw error
    }
  }

  @Test func theDirectoryIsUnmounted() async throws {
    let observed = try await begin(.end)
    try unmount(observed.root)
    let index = try await observed.recorder.await("the end") { if case .didEnd = $0 { true } else { false } }
    guard case .didEnd(let error) = observed.recorder.entries[index].event else { return }
    #expect(error.code == .rootLost)
  }

  /// What is below a mount, or mounted in its place, is another folder; what is mounted again is known by its tag.
  @Test(.enabled(if: Ability.tags.isPossible, "the file system keeps no tags"))
  func theDirectoryIsUnmountedAndMountedAgain() async throws {
    let observed = try await begin(.waitForReturn)
    let kept = observed.outside.folder("kept")
    try observed.outside.mkdir("kept")
    try mount(["--bind", observed.root.path], at: kept)
    defer { try? unmount(kept) }
    let before = try observed.uuid("above.txt")
    var mark = observed.recorder.position
    try unmount(observed.root)
    for code in [FileSystemObserver.Diagnostic.Code.rootLost, .rootReplaced] {
      try await observed.recorder.await("\(code)", from: mark) {
        if case .diagnostic(let diagnostic) = $0 { diagnostic.code == code } else { false }
      }
    }
    #expect(try observed.root.tag("below.txt") == nil)
    mark = observed.recorder.position
    try mount(["--bind", kept.path], at: observed.root)
    defer { try? unmount(observed.root) }
    try await observed.recorder.await("the return", from: mark) {
      if case .willBeginFullScan(.rootReturned) = $0 { true } else { false }
    }
    try await observed.recorder.awaitScan(from: mark)
    try await observed.expectAgreement()
    #expect(try observed.uuid("above.txt") == before)
    await observed.observer.stop()
  }

  /// It is observed where it is found first, and the app is told of the other place.
  @Test func theTreeIsMountedInItself() async throws {
    let folder = try TestFolder("loop")
    try folder.watched.write("a.txt")
    try folder.watched.mkdir("again")
    try mount(["--bind", folder.watched.path], at: folder.watched.folder("again"))
    defer { try? unmount(folder.watched.folder("again")) }
    let observed = ObservedFolder(folder)
    try await observed.start()
    let told = observed.recorder.diagnostics.filter { $0.code == .directoryLoop }
    #expect(told.map { $0.path?.string } == [folder.watched["again"]])
    #expect(!observed.observer.snapshot().contains { observed.relative($0.path).hasPrefix("again/") })
    let mark = observed.recorder.position
    try folder.watched.rename("a.txt", "b.txt")
    try await observed.recorder.awaitChange("b.txt", from: mark) { $0.kind == .renamed }
    await observed.observer.stop()
  }

  /// The folder below the mount is gone until that is unmounted, and the app is told once.
  @Test func aFolderIsMountedAtASecondPlaceMeanwhile() async throws {
    let observed = try await ObservedFolder.begin { folder in
      for name in ["one", "two"] { try folder.watched.mkdir(name) }
      try folder.watched.write("one/a.txt")
    }
    let uuid = try observed.uuid("two")
    var mark = observed.recorder.position
    try mount(["--bind", observed.root["one"]], at: observed.root.folder("two"))
    try await observed.recorder.awaitChange("two goes", from: mark) { $0.kind == .deleted && $0.uuid == uuid }
    try await observed.settle()
    #expect(observed.said(from: mark) == ["deleted(unmounted) two"])
    #expect(observed.recorder.diagnostics.filter { $0.code == .directoryLoop }.count == 1)
    mark = observed.recorder.position
    try unmount(observed.root.folder("two"))
    try await observed.recorder.awaitChange("two is back", from: mark) { $0.kind == .discovered && $0.uuid == uuid }
    try await observed.expectAgreement()
  }

  /// A folder that is reached twice is observed once.
  @Test func aFolderIsMountedAtASecondPlace() async throws {
    let folder = try TestFolder("twice")
    for name in ["one", "two"] { try folder.watched.mkdir(name) }
    try folder.watched.write("one/a.txt")
    try mount(["--bind", folder.watched["one"]], at: folder.watched.folder("two"))
    defer { try? unmount(folder.watched.folder("two")) }
    let observed = ObservedFolder(folder)
    try await observed.start()
    #expect(observed.recorder.diagnostics.map(\.code).contains(.directoryLoop))
    #expect(observed.observer.snapshot().filter { $0.kind == .file }.count == 1)
    await observed.observer.stop()
  }
}
