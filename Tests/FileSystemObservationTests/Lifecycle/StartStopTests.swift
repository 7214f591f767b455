import FileSystemObservation
import Foundation
import Glibc
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@Suite(.light) struct StartStopTests {
  private func expectError(
    _ code: FileSystemObserverError.Code, at path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let observer = FileSystemObserver(directory: URL(filePath: path))
    let error = #expect(throws: FileSystemObserverError.self, sourceLocation: sourceLocation) { try observer.start() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(error?.path?.string == path, sourceLocation: sourceLocation)
    #expect(error?.message.contains("\n") == false, sourceLocation: sourceLocation)
    #expect(!observer.isRunning, sourceLocation: sourceLocation)
  }

  @Test func theDirectoryIsMissing() throws {
    let folder = try TestFolder()
    expectError(.rootNotFound, at: folder.watched["missing"])
    expectError(.rootNotFound, at: folder.watched["missing/below"])
  }

  @Test func theDirectoryIsAFile() throws {
    let folder = try TestFolder()
    try folder.watched.write("a.txt")
    expectError(.rootNotDirectory, at: folder.watched["a.txt"])
  }

  @Test func linksLeadInACircle() throws {
    let folder = try TestFolder()
    try folder.watched.symlink("b", "a")
    try folder.watched.symlink("a", "b")
    expectError(.rootNotFound, at: folder.watched["a"])
  }

  @Test(.disabled(if: geteuid() == 0, "root may read everything"))
  func theDirectoryMayNotBeRead() throws {
    let folder = try TestFolder()
    try folder.watched.mkdir("d")
    try folder.watched.chmod("d", 0o000)
    expectError(.rootNotReadable, at: folder.watched["d"])
    try folder.watched.chmod("d", 0o755)
  }

  @Test func startingTwiceIsAnError() async throws {
    let observed = try await ObservedFolder.begin()
    let error = #expect(throws: FileSystemObserverError.self) { try observed.observer.start() }
    #expect(error?.code == .alreadyRunning)
    #expect(observed.observer.isRunning)
    try await observed.saysExactly(["discovered a.txt", "copyFinished a.txt"]) { try $0.write("a.txt") }
  }

  @Test func stoppingTwiceIsNone() async throws {
    let observed = try await ObservedFolder.begin()
    await observed.observer.stop()
    await observed.observer.stop()
    #expect(!observed.observer.isRunning)
  }

  /// What was tagged is known again, and what happened meanwhile is found.
  @Test func stoppedAndStartedAgain() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.write("a.txt")
      try $0.watched.mkdir("d")
    }
    let before = try observed.uuids("a.txt", "d")
    await observed.observer.stop()
    try observed.root.rename("a.txt", "d/b.txt")
    try observed.root.write("new.txt")
    let again = Recorder(observed.observer)
    try await observed.observer.start()
    try await again.awaitScan()
    try await observed.settle()
    try await again.awaitChange("the cookie to be deleted") { $0.kind == .deleted }
    #expect(try observed.uuids("d/b.txt", "d") == before)
    let replay = Replay(root: observed.root.path, again.entries)
    #expect(replay.contradictions == [])
    #expect(DiskInventory(of: observed.root).differences(from: replay.items) == [])
  }

  @Test func aScanIsToldFromBeginningToEnd() async throws {
    let observed = try await ObservedFolder.begin { folder in
      try folder.watched.makeDirectories("d/e")
      for number in 0..<10 { try folder.watched.write("d/\(number)") }
      try folder.watched.makeFIFO("pipe")
      try folder.watched.write(".hidden")
    }
    let entries = observed.recorder.entries
    guard case .willBeginFullScan(.start)? = entries.first?.event else {
      Issue.record("the first word is \(String(describing: entries.first))")
      return
    }
    let summary = try #require(observed.recorder.scans.first)
    #expect(summary.reason == .start)
    #expect(summary.directoryCount == 2)
    #expect(summary.skipped[.special] == 1)
    #expect(summary.skipped[.hidden] == 1)
    #expect(observed.recorder.scans.count == 1)
  }

  /// Nothing is told of what happens once `stop` has returned; of what was seen before it may be, even then.
  @Test func nothingIsToldOfWhatHappensAfterStop() async throws {
    for round in 0..<20 {
      let observed = try await quick()
      let other = try await quick(observed.folder)
      for number in 0..<50 { try observed.root.mkdir("\(round)-\(number)") }
      await observed.observer.stop()
      let path = "after\(round)"
      try observed.root.mkdir(path)
      // When another has told it, the first has had as much time.
      try await other.recorder.awaitChange(path) { $0.path.string == observed.root[path] }
      observed.recorder.end()
      #expect(!observed.recorder.changes().contains { $0.path.string == observed.root[path] })
      #expect(observed.observer.snapshot().allSatisfy { observed.relative($0.path) != path })
    }
  }

  /// An observer of a folder, a new one unless another is named, that has been scanned.
  private func quick(_ folder: TestFolder? = nil) async throws -> ObservedFolder {
    let observed = ObservedFolder(try folder ?? TestFolder())
    try await observed.observer.start()
    try await observed.recorder.awaitScan()
    return observed
  }

  @Test func stoppedFromManyThreadsAtOnce() async throws {
    let observed = try await quick()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { observed.observer.stop() }
      }
    }
    #expect(!observed.observer.isRunning)
    try await observed.observer.start()
    #expect(observed.observer.isRunning)
  }

  /// An observer that is let go of while it runs ends by itself.
  @Test func anObserverThatIsDroppedEnds() async throws {
    let folder = try TestFolder()
    weak var dropped: FileSystemObserver?
    do {
      let observer = FileSystemObserver(directory: URL(filePath: folder.watched.path))
      let recorder = Recorder(observer)
      try await observer.start()
      try await recorder.awaitScan()
      recorder.end()
      dropped = observer
    }
    // Blocks that are under way hold the observer for a moment.
    #expect(try await comesTrue { dropped == nil })
  }

  @Test func settingsTakeEffectAtTheNextStart() async throws {
    let observed = try await quick()
    let other = try TestFolder()
    try other.watched.write("a.txt")
    await observed.observer.stop()
    var configuration = observed.observer.configuration
    configuration.directory = FilePath(other.watched.path)
    try observed.observer.reconfigure(configuration)
    let mark = observed.recorder.position
    try await observed.observer.start()
    try await observed.recorder.awaitChange("a.txt", from: mark) { $0.path.string == other.watched["a.txt"] }
    await observed.observer.stop()
  }
}
