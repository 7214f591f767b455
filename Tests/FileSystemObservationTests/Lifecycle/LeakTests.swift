import FileSystemObservation
import Foundation
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Descriptors and threads are given back.
///
/// These tests count those of the whole process: nothing may run beside them.
@Suite(.alone) struct LeakTests {
  /// How the kernel calls what events are read from.
  private static let sources = ["[fanotify]", "inotify"]

  /// What the descriptors of this process stand for.
  private func descriptors() throws -> [String] {
    try Directory.list("/proc/self/fd").compactMap { entry in
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(entry.name)")
    }
  }

  /// The names of the observer's threads.
  private func threads() throws -> [String] {
    try Directory.list("/proc/self/task").compactMap { entry in
      try? String(contentsOfFile: "/proc/self/task/\(entry.name)/comm", encoding: .utf8)
    }.filter { $0.hasPrefix("fso") }
  }

  private func cycle(_ folder: TestFolder) async throws {
    let observed = ObservedFolder(folder)
    try await observed.observer.start()
    try await observed.recorder.awaitScan()
    try observed.root.rename("a.txt", "b.txt")
    try await observed.recorder.awaitChange("a rename") { $0.kind == .renamed }
    try observed.root.rename("b.txt", "a.txt")
    await observed.observer.stop()
  }

  @Test func descriptorsAndThreadsReturnToTheirStartingCount() async throws {
    let folder = try TestFolder()
    try folder.watched.write("a.txt")
    for name in ["d", "d/e", "d/e/f"] { try folder.watched.mkdir(name) }
    try await cycle(folder)
    let ours = { (list: [String]) in
      list.filter { path in
        Self.sources.contains { path.contains($0) } || path.hasPrefix(folder.watched.path)
      }.count
    }
    let before = (try descriptors(), try threads().count)
    for _ in 0..<50 { try await cycle(folder) }
    // The last to have the observer may be the thread on which it was stopped.
    #expect(try await comesTrue { try ours(descriptors()) <= ours(before.0) })
    #expect(try await comesTrue { try threads().count <= before.1 })
    // The runtime opens a few of its own.
    #expect(try await comesTrue { try descriptors().count <= before.0.count + 10 })
  }

  /// An app may keep an observer that it has stopped, for its last tree.
  @Test func aStoppedObserverKeepsNoDescriptors() async throws {
    let folder = try TestFolder()
    try folder.watched.write("a.txt")
    try await cycle(folder)
    let before = try descriptors().count
    var kept: [FileSystemObserver] = []
    for _ in 0..<20 {
      let observer = FileSystemObserver(directory: FilePath(folder.watched.path))
      try await observer.start()
      await observer.synchronize()
      await observer.stop()
      kept.append(observer)
    }
    #expect(try await comesTrue { try descriptors().count <= before + 10 })
    #expect(kept.allSatisfy { $0.snapshot().count == 1 })
  }

  /// The count would show a leak: an observer that runs has what the test above looks for.
  @Test func aRunningObserverShows() async throws {
    let folder = try TestFolder()
    let observed = ObservedFolder(folder)
    try await observed.observer.start()
    try await observed.recorder.awaitScan()
    let hasSource = try descriptors().contains { path in Self.sources.contains { path.contains($0) } }
    #expect(hasSource || TestSource.named == .polling)
    #expect(try !threads().isEmpty)
  }

  @Test func aStartThatFailsLeavesNothingBehind() async throws {
    let folder = try TestFolder()
    let observer = FileSystemObserver(directory: URL(filePath: folder.watched["missing"]))
    #expect(throws: FileSystemObserverError.self) { try observer.start() }
    let before = try descriptors().count
    for _ in 0..<50 { _ = try? await observer.start() }
    // What the tests of other targets have open goes, and what leaks stays.
    #expect(try await comesTrue { try descriptors().count <= before + 10 })
  }
}
