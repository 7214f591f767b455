import Dispatch
import FileSystemObservation
import FileTestSupport
import Foundation
import ObservationCompatibility
import SystemPackage
import Testing

/// Batches of added and removed files, on real files.
@Suite(.timeLimit(.minutes(10))) struct DirectoryWatcherTests {
  private let folder: ScratchFolder
  private let outside: ScratchFolder
  private let log = Log<String>()
  private let queue = DispatchQueue(label: "DirectoryWatcherTests")

  init() throws {
    folder = try ScratchFolder()
    outside = try ScratchFolder()
    try write("here", to: "a.txt")
    try PlainFiles.makeFolder(at: folder.path("d"))
  }

  private func write(_ text: String, to name: String) throws { try PlainFiles.write(text.utf8, to: folder.path(name)) }

  private static func names(_ paths: [FilePath]) -> String {
    paths.compactMap { $0.lastComponent?.string }.joined(separator: ",")
  }

  private func watcher(startImmediately: Bool = true) -> DirectoryWatcher {
    let watcher = DirectoryWatcher(
      at: folder.path, startImmediately: startImmediately, on: queue,
      changesStarted: { [log] in log.append("started") },
      filesAdded: { [log] in log.append("added \(Self.names($0))") },
      filesRemoved: { [log] in log.append("removed \(Self.names($0))") },
      changesEnded: { [log] in log.append("ended") })
    return watcher
  }

  /// Awaits the end of so many batches.
  private func batches(_ count: Int) async -> [String] {
    #expect(await log.become { $0.count { $0 == "ended" } >= count })
    return log.entries
  }

  private func begin() -> DirectoryWatcher {
    let watcher = watcher()
    #expect(watcher.isWatching && watcher.failure == nil)
    return watcher
  }

  /// What is added to and removed from the directory, whatever the batches.
  private func told(_ word: String) -> [String] {
    log.entries.filter { $0.hasPrefix(word) }.flatMap { $0.dropFirst(word.count + 1).split(separator: ",") }
      .map(String.init).sorted()
  }

  /// Whether blocks come only between the beginning and the end of a batch.
  private func expectOrder(_ location: SourceLocation = #_sourceLocation) {
    var isOpen = false
    for entry in log.entries {
      switch entry {
      case "started":
        #expect(!isOpen, sourceLocation: location)
        isOpen = true
      case "ended":
        #expect(isOpen, sourceLocation: location)
        isOpen = false
      default: #expect(isOpen, "\(log.entries)", sourceLocation: location)
      }
    }
  }
}

// MARK: - Batches

extension DirectoryWatcherTests {
  @Test func aFileComesAndGoes() async throws {
    let watcher = begin()
    try write("new", to: "b.txt")
    #expect(await batches(1) == ["started", "added b.txt", "ended"])
    try PlainFiles.remove(folder.path("b.txt"))
    _ = await batches(2)
    #expect(told("removed") == ["b.txt"] && told("added") == ["b.txt"])
    expectOrder()
    watcher.stopWatching()
  }

  /// The batch begins at once, and the file is added when it is complete.
  @Test func aFileThatIsWrittenForLongIsAddedAtItsEnd() async throws {
    let watcher = begin()
    let file = try FileDescriptor.open(
      folder.path("film.mp4"), .writeOnly, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
    _ = try file.writeAll("beginning".utf8)
    #expect(await log.gets("started"))
    try write("small", to: "b.txt")
    #expect(await log.gets("added b.txt"))
    #expect(log.entries == ["started", "added b.txt"])
    _ = try file.writeAll("end".utf8)
    try file.close()
    #expect(await batches(1) == ["started", "added b.txt", "added film.mp4", "ended"])
    watcher.stopWatching()
  }

  @Test func aFolderIsAddedWhenItsFilesAreComplete() async throws {
    let watcher = begin()
    try PlainFiles.makeFolder(at: folder.path("photos"))
    try PlainFiles.makeFolder(at: folder.path("photos/raw"))
    let file = try FileDescriptor.open(
      folder.path("photos/raw/1.raw"), .writeOnly, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
    _ = try file.writeAll("beginning".utf8)
    try write("small", to: "b.txt")
    #expect(await log.gets("added b.txt"))
    #expect(told("added") == ["b.txt"])
    try file.close()
    #expect(await log.gets("added photos"))
    _ = await batches(1)
    #expect(told("added") == ["b.txt", "photos"] && told("removed") == [])
    expectOrder()
    watcher.stopWatching()
  }

  @Test func manyFilesAreFewBatches() async throws {
    let watcher = begin()
    for number in 0..<50 { try write("\(number)", to: "\(number)") }
    #expect(await log.become { $0.contains("ended") })
    #expect(told("added").count == 50)
    expectOrder()
    watcher.stopWatching()
  }

  @Test func aRenameRemovesAndAdds() async throws {
    let watcher = begin()
    try PlainFiles.rename(folder.path("a.txt"), to: folder.path("b.txt"))
    #expect(await batches(1) == ["started", "removed a.txt", "added b.txt", "ended"])
    try PlainFiles.rename(folder.path("b.txt"), to: folder.path("d/b.txt"))
    #expect(await log.gets("removed b.txt"))
    _ = await batches(2)
    #expect(told("added") == ["b.txt"] && told("removed") == ["a.txt", "b.txt"])
    watcher.stopWatching()
  }

  /// A save is no file more or less.
  @Test func anAtomicSaveAddsNothing() async throws {
    let watcher = begin()
    try write("another version", to: "a.txt.tmp")
    try PlainFiles.rename(folder.path("a.txt.tmp"), to: folder.path("a.txt"))
    try write("more", to: "d/inside")
    try write("new", to: "b.txt")
    #expect(await log.gets("added b.txt"))
    _ = await batches(1)
    #expect(told("added") == ["b.txt"] && told("removed") == [])
    watcher.stopWatching()
  }

  @Test func theOlderCallbackComesWhenSomethingHasChanged() async throws {
    let watcher = DirectoryWatcher(at: folder.path, on: queue, callback: { [log] in log.append("changed") })
    try write("new", to: "b.txt")
    #expect(await log.gets("changed"))
    watcher.stopWatching()
  }

  @Test func blocksRunOnTheMainQueueByDefault() async throws {
    let threads = Log<Bool>()
    let watcher = DirectoryWatcher(at: folder.path, changesStarted: { threads.append(Thread.isMainThread) })
    try PlainFiles.remove(folder.path("a.txt"))
    #expect(await threads.become { !$0.isEmpty })
    watcher.stopWatching()
  }
}

// MARK: - Pauses

extension DirectoryWatcherTests {
  @Test func afterAPauseIsToldWhatChangedMeanwhile() async throws {
    try write("moves", to: "b.txt")
    try write("is replaced", to: "c.txt")
    let watcher = begin()
    #expect(watcher.stopWatching())
    #expect(!watcher.stopWatching() && !watcher.isWatching)
    try PlainFiles.remove(folder.path("a.txt"))
    try PlainFiles.rename(folder.path("b.txt"), to: folder.path("e.txt"))
    try write("another file", to: "x")
    try PlainFiles.rename(folder.path("x"), to: folder.path("c.txt"))
    try write("new", to: "n.txt")
    try write("more", to: "d/inside")
    #expect(watcher.startWatching())
    #expect(!watcher.startWatching())
    #expect(await batches(1).first == "started")
    #expect(told("removed") == ["a.txt", "b.txt", "c.txt"])
    #expect(told("added") == ["c.txt", "e.txt", "n.txt"])
    expectOrder()
    watcher.stopWatching()
  }

  @Test func afterAPauseWithoutChangesNothingIsTold() async throws {
    let watcher = begin()
    watcher.stopWatching()
    watcher.startWatching()
    try write("new", to: "b.txt")
    #expect(await batches(1) == ["started", "added b.txt", "ended"])
    watcher.stopWatching()
  }

  @Test func stoppingEndsABatch() async throws {
    let watcher = begin()
    let file = try FileDescriptor.open(
      folder.path("film.mp4"), .writeOnly, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
    _ = try file.writeAll("beginning".utf8)
    #expect(await log.gets("started"))
    watcher.stopWatching()
    #expect(await batches(1) == ["started", "ended"])
    try file.close()
    watcher.startWatching()
    #expect(await log.gets("added film.mp4"))
    #expect(await batches(2) == ["started", "ended", "started", "added film.mp4", "ended"])
  }

  @Test func theDirectoryIsRemoved() async throws {
    let watcher = begin()
    try FileManager.default.removeItem(atPath: folder.path.string)
    #expect(try await comesTrue { !watcher.isWatching })
    #expect(!watcher.startWatching() && watcher.failure?.code == .rootNotFound)
    try PlainFiles.makeFolder(at: folder.path)
    #expect(watcher.startWatching())
    // What was known before is gone, whether that was told before the directory went or is told now.
    #expect(try await comesTrue { told("removed") == ["a.txt", "d"] && log.entries.last == "ended" })
    #expect(told("added") == [])
    expectOrder()
    watcher.stopWatching()
  }

  @Test func theDirectoryIsFollowed() async throws {
    let watcher = begin()
    try PlainFiles.rename(folder.path, to: outside.path("moved"))
    try PlainFiles.write("new".utf8, to: outside.path("moved/b.txt"))
    #expect(await log.gets("added b.txt"))
    #expect(watcher.watchedPath == outside.path("moved"))
    watcher.stopWatching()
  }

  @Test func whatCannotStartSaysWhy() async throws {
    let watcher = DirectoryWatcher(at: folder.path("missing"), on: queue)
    #expect(!watcher.isWatching && watcher.failure?.code == .rootNotFound)
    #expect(watcher.watchedPath == folder.path("missing"))
    try PlainFiles.makeFolder(at: folder.path("missing"))
    #expect(watcher.startWatching() && watcher.failure == nil)
  }

  @Test func settingsTakeEffectAtTheNextStart() async throws {
    let watcher = watcher(startImmediately: false)
    #expect(!watcher.isWatching)
    watcher.fileChangesTimeout = .milliseconds(100)
    watcher.maxDepthWhenCopying = 0
    #expect(watcher.startWatching())
    // What is below the depth does not keep a folder from being added.
    try PlainFiles.makeFolder(at: folder.path("photos"))
    let file = try FileDescriptor.open(
      folder.path("photos/1.raw"), .writeOnly, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
    #expect(await log.gets("added photos"))
    try file.close()
    watcher.fileChangesTimeout = .seconds(-1)
    watcher.stopWatching()
    #expect(!watcher.startWatching() && watcher.failure?.code == .invalidArgument)
  }
}
