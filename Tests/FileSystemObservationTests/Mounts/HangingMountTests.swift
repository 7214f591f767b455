import FileSystemObservation
import FoundationEssentials
import Glibc
import LinuxFileSystem
import ObservationTestSupport
import TestTraits
import Testing

/// A mount that does not answer (FUSE, NFS) is in nobody's way.
@Suite(
  .light, .undisturbed, .enabled(if: HangingMount.isPossible, "needs root and /dev/fuse"),
  .enabled(if: TestSource.named == nil, "only an observer that may choose polls a FUSE file system"))
struct HangingMountTests {
  /// A folder `mnt` in the observed one, and an ordinary one beside it.
  private final class Scene: Sendable {
    let folder: TestFolder
    let mount: HangingMount
    let observed: ObservedFolder

    init(hanging operation: HangingMount.Operation? = nil, onlyFor owner: UInt32? = nil) throws {
      folder = try TestFolder("hanging")
      try folder.watched.mkdir("mnt")
      try folder.watched.makeDirectories("near")
      try folder.watched.write("near/doc")
      mount = try HangingMount(at: folder.watched["mnt"], hanging: operation, onlyFor: owner)
      observed = ObservedFolder(folder)
    }

    deinit {
      mount.release()
      observed.observer.stop()
    }

    /// How long something took, which must be less than a time; what hangs would take for ever, and a busy machine
    /// several times as long.
    func expect(_ what: String, _ time: Duration, within limit: Duration) {
      print("hanging mount: \(what): \(time)")
      #expect(time < limit * 4, "\(what)")
    }

    /// Starts the observer; the first scan must not take long.
    func expectStart(_ what: String) async throws {
      let start = Moment.now
      try await observed.observer.start()
      let end = try await observed.recorder.await("the first scan") {
        if case .didCompleteFullScan = $0 { true } else { false }
      }
      expect("\(what): the first scan", observed.recorder.entries[end].time - start, within: .seconds(3))
    }

    /// Renames something that has been known for a while.
    func expectOthersToBeTold(_ old: String, _ new: String) async throws {
      try await Task.sleep(for: .milliseconds(600))
      let mark = observed.recorder.position
      let path = folder.watched[new]
      let start = Moment.now
      try folder.watched.rename(old, new)
      let told = try await observed.recorder.await(new, from: mark) { notification in
        guard case .didChange(let set) = notification else { return false }
        return set.contains { $0.kind == .renamed && $0.path.string == path }
      }
      expect("a rename elsewhere", observed.recorder.entries[told].time - start, within: .seconds(1))
    }

    func expectDiagnostic(_ code: FileSystemObserver.Diagnostic.Code, from mark: Int = 0) async throws {
      let path = mount.path
      try await observed.recorder.await("\(code)", from: mark, within: .seconds(10)) {
        if case .diagnostic(let diagnostic) = $0 {
          diagnostic.code == code && diagnostic.path?.string == path
        } else {
          false
        }
      }
    }

    func expectContent(_ names: [String]) async throws {
      for name in names {
        let path = folder.watched[name]
        try await observed.recorder.awaitChange(name, within: .seconds(30)) { $0.path.string == path }
      }
    }

    func expectEnd() {
      let start = Moment.now
      observed.observer.stop()
      expect("stop()", Moment.now - start, within: .seconds(2))
    }
  }

  /// The first scan is done without it, and what is on it is told when it answers.
  @Test(arguments: HangingMount.Operation.allCases)
  func itHangsFromTheBeginning(_ operation: HangingMount.Operation) async throws {
    let scene = try Scene(hanging: operation)
    try await scene.expectStart("\(operation)")
    #expect(scene.observed.recorder.changes().contains { $0.path.string == scene.folder.watched["near/doc"] })
    try await scene.expectOthersToBeTold("near/doc", "near/renamed")
    try await scene.expectDiagnostic(.mountNotAnswering)
    #expect(scene.mount.waiting > 0)
    scene.mount.release()
    try await scene.expectContent(["mnt", "mnt/a.txt", "mnt/d", "mnt/d/b.txt"])
  }

  @Test(arguments: HangingMount.Operation.allCases)
  func theObserverIsStoppedWhileItHangs(_ operation: HangingMount.Operation) async throws {
    let scene = try Scene(hanging: operation)
    try await scene.observed.observer.start()
    try await scene.observed.recorder.awaitScan()
    scene.expectEnd()
  }

  /// In the middle of the first scan, before anybody has given up.
  @Test func theObserverIsStoppedAtOnce() throws {
    let scene = try Scene(hanging: .everything)
    try scene.observed.observer.start()
    scene.expectEnd()
  }

  /// What is known of it is kept meanwhile.
  @Test(arguments: [HangingMount.Operation.getattr, .readdir, .everything])
  func itHangsWhileItIsObserved(_ operation: HangingMount.Operation) async throws {
    let scene = try Scene()
    try await scene.observed.start()
    try await scene.expectContent(["mnt/a.txt", "mnt/d/b.txt"])
    let mark = scene.observed.recorder.position
    scene.mount.hang(operation)
    scene.mount.addFile()
    try await scene.expectDiagnostic(.mountNotAnswering, from: mark)
    try await scene.expectOthersToBeTold("near/doc", "near/renamed")
    let gone = scene.observed.recorder.position
    try scene.folder.watched.unlink("near/renamed")
    let path = scene.folder.watched["near/renamed"]
    try await scene.observed.recorder.awaitChange("near/renamed to be deleted", from: gone, within: .seconds(10)) {
      $0.kind == .deleted && $0.path.string == path
    }
    scene.mount.release()
    try await scene.expectContent(["mnt/new.txt"])
    let told = scene.observed.recorder.changes(from: mark).filter { $0.path.string.hasPrefix(scene.mount.path) }
    #expect(!told.contains { $0.kind == .deleted })
    scene.expectEnd()
  }

  /// A name that is longer than those of most file systems is told whole, found in the first scan and later.
  @Test(arguments: [true, false]) func aNameOf765BytesIsToldWhole(_ isThereAtFirst: Bool) async throws {
    let scene = try Scene()
    var name = isThereAtFirst ? scene.mount.addFileWithLongName() : ""
    try await scene.observed.start()
    if !isThereAtFirst { name = scene.mount.addFileWithLongName() }
    try await scene.expectContent(["mnt/d/b.txt", "mnt/\(name)"])
    let path = scene.folder.watched["mnt/\(name)"]
    let item = try #require(scene.observed.observer.snapshot().first { $0.path.string == path })
    #expect(item.kind == .file)
    #expect(scene.observed.observer.snapshot().filter { $0.path.string.contains("/d/n") }.count == 1)
    scene.expectEnd()
  }

  /// A FUSE file system of another user's refuses even root.
  @Test func aMountPointThatRootMayNotLookAt() async throws {
    let scene = try Scene(onlyFor: 65534)
    try await scene.expectStart("a refusal")
    try await scene.expectDiagnostic(.unreadableFolder)
    try await scene.expectOthersToBeTold("near/doc", "near/renamed")
    #expect(scene.observed.observer.snapshot().count == 2)
    scene.expectEnd()
  }

  /// Who starts an observer is not kept waiting either.
  @Test func theObservedFolderItselfDoesNotAnswer() async throws {
    let scene = try Scene(hanging: .everything)
    let observer = FileSystemObserver(directory: URL(filePath: scene.mount.path))
    var start = Moment.now
    let error = #expect(throws: FileSystemObserverError.self) { try observer.start() }
    scene.expect("start()", Moment.now - start, within: .seconds(2))
    #expect(error?.code == .rootNotAnswering)
    scene.mount.release()
    let recorder = Recorder(observer)
    try await observer.start()
    try await recorder.awaitScan()
    scene.mount.hang(.everything)
    try await recorder.await("a word about it", within: .seconds(30)) {
      if case .diagnostic(let diagnostic) = $0 { diagnostic.code == .mountNotAnswering } else { false }
    }
    start = .now
    await observer.stop()
    scene.expect("stop()", Moment.now - start, within: .seconds(2))
  }

  @Test(
    .enabled(if: WatchingProcess.tool != nil, "fsobserve is not built"),
    arguments: [HangingMount.Operation.getattr, .opendir, .getxattr, .everything])
  func theToolIsToldToEnd(_ operation: HangingMount.Operation) async throws {
    let scene = try Scene(hanging: operation)
    let tool = try ChildProcess([
      try #require(WatchingProcess.tool), "watch", "--format", "jsonl", scene.folder.watched.path,
    ])
    _ = try await tool.awaitLine("the first scan") { $0.contains("didCompleteFullScan") }
    #expect(scene.mount.waiting > 0)
    let start = Moment.now
    #expect(tool.end() == 0)
    scene.expect("SIGTERM", Moment.now - start, within: .seconds(2))
    // Nor is its output kept open.
    #expect(tool.awaitEndOfOutput())
    scene.expect("the end of its output", Moment.now - start, within: .seconds(3))
  }

  /// Nothing is mounted because it is observed.
  @Test func anAutomountIsNotTriggered() async throws {
    let folder = try TestFolder("automount")
    try folder.watched.mkdir("auto")
    try folder.watched.write("doc")
    let point = try AutomountPoint(at: folder.watched["auto"])
    defer { point.end() }
    let observed = ObservedFolder(folder)
    try await observed.start()
    #expect(observed.observer.snapshot().count == 2)
    // Whoever walks through the folder, as tests do that compare it with what was told, would wait for the mount.
    let mark = observed.recorder.position
    try folder.watched.rename("doc", "renamed")
    try await observed.recorder.awaitChange("renamed", from: mark) { $0.kind == .renamed }
    await observed.observer.stop()
    #expect(!point.isTriggered)
  }
}
