import FileSystemObservation
import Foundation
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@Suite(.light) struct RootTests {
  private func awaitEnd(_ observed: ObservedFolder) async throws -> FileSystemObserverError? {
    let index = try await observed.recorder.await("the end") { if case .didEnd = $0 { true } else { false } }
    guard case .didEnd(let error) = observed.recorder.entries[index].event else { return nil }
    return error
  }

  @Test func theDirectoryIsRemoved() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    observed.root.removeTree()
    let error = try await awaitEnd(observed)
    #expect(error?.code == .rootLost)
    #expect(error?.path?.string == observed.root.path)
    #expect(!observed.observer.isRunning)
  }

  @Test func theDirectoryIsMovedAway() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    try observed.root.rename(observed.root.path, "\(observed.outside.path)/gone")
    #expect(try await awaitEnd(observed)?.code == .rootLost)
    #expect(!observed.observer.isRunning)
    try observed.root.rename("\(observed.outside.path)/gone", observed.root.path)
    try await observed.observer.start()
    #expect(observed.observer.isRunning)
  }

  @Test func aFolderAboveTheDirectoryIsRenamed() async throws {
    let folder = try TestFolder()
    try folder.watched.makeDirectories("above/root")
    try folder.watched.write("above/root/a.txt")
    let observer = FileSystemObserver(directory: URL(filePath: folder.watched["above/root"]))
    let recorder = Recorder(observer)
    try await observer.start()
    try await recorder.awaitScan()
    try folder.watched.rename("above", "elsewhere")
    try folder.watched.mkdir("elsewhere/root/new")
    // The paths that the app knows are wrong from now on. It may be told so at once, or when something happens below.
    try await recorder.await("a word about it") { notification in
      switch notification {
      case .didEnd, .didChange: true
      default: false
      }
    }
    await observer.stop()
  }

  private func waiting() async throws -> ObservedFolder {
    var options = FileSystemObserver.Configuration()
    options.rootLossPolicy = .waitForReturn
    return try await ObservedFolder.begin(options: options) {
      try $0.watched.mkdir("d")
      try $0.watched.write("d/a.txt")
    }
  }

  private func awaitReturn(_ observed: ObservedFolder, from mark: Int) async throws {
    try await observed.recorder.await("the scan", from: mark) {
      if case .willBeginFullScan(.rootReturned) = $0 { true } else { false }
    }
    try await observed.recorder.awaitScan(from: mark)
    try await observed.expectAgreement()
  }

  @Test func theDirectoryIsMovedAwayAndBack() async throws {
    let observed = try await waiting()
    let before = try observed.uuids("d", "d/a.txt")
    let mark = observed.recorder.position
    try observed.root.rename(observed.root.path, "\(observed.outside.path)/gone")
    try await observed.recorder.await("a diagnostic", from: mark) {
      if case .diagnostic(let diagnostic) = $0 { diagnostic.code == .rootLost } else { false }
    }
    #expect(observed.observer.isRunning)
    try observed.root.rename("\(observed.outside.path)/gone", observed.root.path)
    try await awaitReturn(observed, from: mark)
    #expect(try observed.uuids("d", "d/a.txt") == before)
    try await observed.saysExactly(["renamed d/a.txt -> d/b.txt"]) { try $0.rename("d/a.txt", "d/b.txt") }
  }

  /// Hints of the time in between are left out: a rescan finds what happened, and nobody waits for them.
  @Test(.timeLimit(.minutes(10))) func whatHappensWhileItIsAwayIsNotAwaitedForEver() async throws {
    let observed = try await waiting()
    let mark = observed.recorder.position
    let away = "\(observed.outside.path)/gone"
    try observed.root.rename(observed.root.path, away)
    try await awaitDiagnostic(.rootLost, observed, from: mark)
    await observed.observer.synchronize()
    try observed.outside.unlink("gone/d/a.txt")
    try observed.outside.write("gone/d/b.txt")
    await observed.observer.synchronize()
    try observed.root.rename(away, observed.root.path)
    try await awaitReturn(observed, from: mark)
    await observed.observer.synchronize()
    #expect(observed.observer.snapshot().map(\.relativePath.string).sorted() == ["d", "d/b.txt"])
  }

  private func awaitDiagnostic(_ code: FileSystemObserver.Diagnostic.Code, _ observed: ObservedFolder, from mark: Int)
    async throws
  {
    try await observed.recorder.await("\(code)", from: mark) {
      if case .diagnostic(let diagnostic) = $0 { diagnostic.code == code } else { false }
    }
  }

  /// It may be anyone's, and nobody has asked for it to be observed.
  @Test func anotherDirectoryInItsPlaceIsNotLookedInto() async throws {
    let observed = try await waiting()
    let mark = observed.recorder.position
    observed.root.removeTree()
    try await awaitDiagnostic(.rootLost, observed, from: mark)
    try observed.root.makeDirectory()
    try observed.root.write("new.txt")
    try await awaitDiagnostic(.rootReplaced, observed, from: mark)
    #expect(observed.observer.isRunning)
    #expect(try observed.root.tag("new.txt") == nil)
  }

  /// A backup that is put back has the tags.
  @Test(.enabled(if: Ability.tags.isPossible, "the file system keeps no tags"))
  func theDirectoryIsRestoredWithItsTag() async throws {
    let observed = try await waiting()
    let before = try observed.uuids("d", "d/a.txt")
    let backup = "\(observed.outside.path)/backup"
    try Command.run("cp", "-a", observed.root.path, backup)
    let mark = observed.recorder.position
    observed.root.removeTree()
    try await awaitDiagnostic(.rootLost, observed, from: mark)
    try observed.root.rename(backup, observed.root.path)
    try await awaitReturn(observed, from: mark)
    #expect(try observed.uuids("d", "d/a.txt") == before)
  }

  @Test func theObserverIsStoppedWhileItWaits() async throws {
    let observed = try await waiting()
    observed.root.removeTree()
    try await observed.recorder.await("a diagnostic") {
      if case .diagnostic(let diagnostic) = $0 { diagnostic.code == .rootLost } else { false }
    }
    await observed.observer.stop()
    #expect(!observed.observer.isRunning)
  }
}

/// Folders that may not be listed.
@Suite(.light, .disabled(if: geteuid() == 0, "root may read everything"))
struct UnreadableFolderTests {
  private func awaitDiagnostic(_ observed: ObservedFolder, _ name: String) async throws {
    try await observed.recorder.await("a diagnostic") { [root = observed.root] notification in
      guard case .diagnostic(let diagnostic) = notification else { return false }
      return diagnostic.code == .unreadableFolder && diagnostic.path?.string == root[name]
    }
  }

  @Test func aFolderBecomesReadable() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.makeDirectories("d/e")
      try $0.watched.write("d/e/a.txt")
      try $0.watched.chmod("d", 0o000)
    }
    try await awaitDiagnostic(observed, "d")
    #expect(observed.recorder.scans.first?.skipped[.unreadableFolder] == 1)
    let mark = observed.recorder.position
    try observed.root.chmod("d", 0o755)
    try await observed.recorder.awaitChange("d/e/a.txt", from: mark) { $0.path.string == observed.root["d/e/a.txt"] }
    try await observed.expectAgreement()
    try await observed.saysExactly(["renamed d/e/a.txt -> d/e/b.txt"]) { try $0.rename("d/e/a.txt", "d/e/b.txt") }
  }

  /// Of the observed directory nothing else is said than of any other: what is known is kept.
  @Test func theDirectoryItselfMayNotBeReadForAWhile() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.mkdir("d")
      try $0.watched.write("d/a.txt")
    }
    let before = try observed.uuids("d", "d/a.txt")
    let mark = observed.recorder.position
    try observed.root.chmod(observed.root.path, 0o000)
    try observed.root.chmod(observed.root.path, 0o755)
    try await observed.expectAgreement()
    #expect(try observed.uuids("d", "d/a.txt") == before)
    #expect(observed.said(from: mark) == [])
    try await observed.saysExactly(["moved d/a.txt -> a.txt"]) { try $0.rename("d/a.txt", "a.txt") }
  }

  @Test func aFolderThatIsMadeUnreadableKeepsWhatIsKnownOfIt() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.mkdir("d")
      try $0.watched.write("d/a.txt")
    }
    let uuid = try observed.uuid("d/a.txt")
    try observed.root.chmod("d", 0o000)
    try await observed.settle()
    try observed.root.chmod("d", 0o755)
    try await observed.expectAgreement()
    #expect(try observed.uuids("d/a.txt") == [uuid])
  }
}
