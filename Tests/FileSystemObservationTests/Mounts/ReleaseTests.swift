import FileSystemObservation
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// An app ejects a stick.
@Suite(.light, .enabled(if: geteuid() == 0, "only root may mount"))
struct ReleaseTests {
  private func mounted(_ name: String) throws -> TestFolder {
    let folder = try TestFolder(name)
    try folder.outside.mkdir("stick")
    try Command.run("mount", "-t", "tmpfs", "none", folder.outside["stick"])
    try folder.outside.makeDirectories("stick/d")
    try folder.outside.write("stick/d/photo")
    return folder
  }

  private func observer(_ folder: TestFolder, _ source: TestSource, _ policy: FileSystemObserver.RootLossPolicy)
    -> FileSystemObserver
  {
    var configuration = source.applied(to: FileSystemObserver.Configuration())
    configuration.directory = FilePath(folder.outside["stick/d"])
    configuration.rootLossPolicy = policy
    return FileSystemObserver(configuration)
  }

  @Test(arguments: TestSource.toTest)
  func theFileSystemOfTheDirectoryCanBeUnmounted(_ source: TestSource) async throws {
    let folder = try mounted("release")
    let stick = folder.outside["stick"]
    defer { _ = try? Command.run("umount", "-q", stick) }
    let observer = observer(folder, source, .end)
    let recorder = Recorder(observer)
    try await observer.start()
    await observer.synchronize()
    try await observer.release(mountedAt: FilePath(stick))
    try Command.run("umount", stick)
    try await recorder.await("the end") { if case .didEnd(let error) = $0 { error.code == .rootLost } else { false } }
  }

  @Test func itIsObservedAgainWhenItIsBack() async throws {
    let folder = try mounted("release")
    let stick = folder.outside["stick"]
    try folder.outside.mkdir("kept")
    try Command.run("mount", "--bind", stick, folder.outside["kept"])
    defer { for name in [stick, folder.outside["kept"]] { _ = try? Command.run("umount", "-q", name) } }
    let observer = observer(folder, .inotify, .waitForReturn)
    let recorder = Recorder(observer)
    try await observer.start()
    await observer.synchronize()
    let photo = try #require(observer[FilePath(stick + "/d/photo")]?.uuid)
    try await observer.release(mountedAt: FilePath(stick))
    try Command.run("umount", stick)
    let mark = recorder.position
    try Command.run("mount", "--bind", folder.outside["kept"], stick)
    try await recorder.await("the return", from: mark) { if case .didCompleteFullScan = $0 { true } else { false } }
    #expect(observer[photo]?.path.string == stick + "/d/photo")
    await observer.stop()
  }

  @Test func whereNothingIsMountedIsAnError() async throws {
    let observed = try await ObservedFolder.begin()
    let error = await #expect(throws: FileSystemObserverError.self) {
      try await observed.observer.release(mountedAt: FilePath(observed.root.path))
    }
    #expect(error?.code == .invalidArgument)
  }
}
