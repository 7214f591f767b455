#if Store
import FileTestSupport
import Foundation
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation
@testable import ObservationStore

/// The observed folder is a file system of its own, as a stick is, which is not mounted in one run.
@Suite(.light, .enabled(if: MemoryMount.isPossible, "only root may mount")) final class UnmountedRootTests: Sendable {
  private let stored: StoredFolder
  private let memory: MemoryMount
  private var folder: FilePath { stored.folder }

  init() throws {
    stored = try StoredFolder()
    memory = try MemoryMount()
    try PlainFiles.write("a photo".utf8, to: memory.path.appending("photo"))
    try mount()
  }

  deinit {
    try? Command.run("umount", "--quiet", "-l", folder.string)
  }

  private func mount() throws { try Command.run("mount", "--bind", memory.path.string, folder.string) }
  private func unmount() throws { try Command.run("umount", folder.string) }

  private func observer(_ policy: FileSystemObserver.RootLossPolicy) -> FileSystemObserver {
    var configuration = stored.configuration
    configuration.rootLossPolicy = policy
    return FileSystemObserver(configuration, store: stored.store)
  }

  /// Runs an observer until its scan is complete and everything is announced; what it has announced.
  @discardableResult
  private func run(_ policy: FileSystemObserver.RootLossPolicy = .end) async throws -> [FileSystemObserver.Event] {
    let observer = observer(policy)
    let events = try await stored.started(observer)
    await observer.synchronize()
    await observer.stop()
    return events
  }

  private func isResumed(_ events: [FileSystemObserver.Event]) -> Bool {
    events.contains { if case .willBeginFullScan(.resumed) = $0 { true } else { false } }
  }

  private func problems(_ events: [FileSystemObserver.Event]) -> [FileSystemObserver.Diagnostic.Code] {
    events.compactMap { if case .diagnostic(let diagnostic) = $0 { diagnostic.code } else { nil } }
  }

  private var asides: [String] {
    let state = stored.scratch.path("state").string
    return ((try? FileManager.default.contentsOfDirectory(atPath: state)) ?? []).filter { $0.contains("unusable") }
  }

  /// The empty folder below has another store meanwhile.
  @Test func theStoreIsBackWithItsFileSystem() async throws {
    try await run()
    try unmount()
    for _ in 0..<2 {
      let empty = try await run()
      #expect(stored.said(empty) == [])
      #expect(asides.count == 1)
      try mount()
      try Command.run("mv", stored.path("photo"), stored.path("picture"))
      let back = try await run()
      #expect(isResumed(back) && problems(back) == [])
      #expect(stored.said(back) == ["renamed photo -> picture"])
      #expect(asides.count == 1)
      try Command.run("mv", stored.path("picture"), stored.path("photo"))
      try await run()
      try unmount()
    }
  }

  @Test func observationBeginsWhenItIsMounted() async throws {
    try await run(.waitForReturn)
    try Command.run("mv", stored.path("photo"), stored.path("picture"))
    try unmount()
    let observer = observer(.waitForReturn)
    let events = observer.events(startingWith: .now)
    try await observer.start()
    #expect(observer.isRunning)
    var seen: [FileSystemObserver.Event] = []
    for try await event in events {
      seen.append(event)
      if case .diagnostic = event { try mount() }
      if case .didCompleteFullScan = event { break }
    }
    await observer.stop()
    #expect(problems(seen) == [.rootLost])
    #expect(isResumed(seen))
    #expect(stored.said(seen) == ["renamed photo -> picture"])
    #expect(asides == [])
  }

  /// A folder with something in it is another one, and is observed.
  @Test func aFolderThatIsNotEmptyIsAnother() async throws {
    try await run(.waitForReturn)
    try unmount()
    try stored.write("letter.odt", "letter")
    let other = try await run(.waitForReturn)
    #expect(problems(other) == [.storeUnavailable])
    #expect(stored.said(other) == ["discovered letter.odt"])
  }
}
#endif
