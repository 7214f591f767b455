import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Moves by the app between two file systems of one observer: a copy, one identity, and one announcement.
@Suite(.light, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags"))
struct ObservedMoveTests {
  private let disk: TestFolder
  private let memory: TestFolder

  init() throws {
    disk = try TestFolder("moved")
    guard let memory = try? TestFolder("moved", in: "/dev/shm") else {
      try Test.cancel("there is no file system in memory with tags here")
    }
    self.memory = memory
  }

  private func path(_ name: String) -> FilePath { FilePath(disk.watched[name]) }
  private func there(_ name: String) -> FilePath { FilePath(memory.watched[name]) }

  /// Observes both folders, makes one operation, and checks what is announced of it before it returns.
  private func expect(
    _ told: Set<String>, _ source: TestSource,
    of operation: (FileSystemObserver) throws -> FileSystemObserver.Operation
  ) async throws {
    var configuration = FileSystemObserver.Configuration(directories: [
      FilePath(disk.watched.path), FilePath(memory.watched.path),
    ])
    configuration.warnsWithoutListeners = false
    let observer = FileSystemObserver(source.applied(to: configuration))
    try await observer.start()
    await observer.synchronize()
    let uuids = Dictionary(uniqueKeysWithValues: observer.snapshot().map { ($0.path, $0.uuid) })
    let queue = try observer.makeEventQueue(startingWith: .now)
    let done = try now(observer, operation)
    #expect(Set(changes(queue)) == told)
    let item = try #require(observer[done.item.path])
    #expect(item.uuid == done.item.uuid && uuids.values.contains(item.uuid))
    #expect(try FileSystemIdentity().uuid(ofItemAt: done.item.path).uuid == item.uuid)
    await observer.synchronize()
    #expect(changes(queue) == [])
    #expect(observer[item.uuid]?.path == done.item.path)
    await observer.stop()
  }

  /// Calls the synchronous operations, also in an asynchronous test.
  private func now<Result>(
    _ observer: FileSystemObserver, _ body: (FileSystemObserver) throws -> Result
  ) rethrows -> Result { try body(observer) }

  private func changes(_ queue: FileSystemObserver.EventQueue) -> [String] {
    var lines: [String] = []
    queue.drain { event in
      guard case .didChange(let set) = event else { return }
      lines += set.map { change in
        let from = change.previousPath.map { "\(name($0)) -> " } ?? ""
        return "\(change.origin == .thisProcess ? "own " : "")\(change.kind) \(from)\(name(change.path))"
      }
    }
    return lines
  }

  private func name(_ path: FilePath) -> String {
    for (folder, place) in [(disk, "disk"), (memory, "memory")] where path.starts(with: FilePath(folder.watched.path)) {
      return place + path.string.dropFirst(folder.watched.path.count)
    }
    return path.string
  }

  @Test(arguments: TestSource.toTest) func aFile(_ source: TestSource) async throws {
    try disk.watched.write("a.txt")
    try await expect(["own moved disk/a.txt -> memory/b.txt"], source) {
      try $0.moveItem(at: path("a.txt"), to: there("b.txt"))
    }
  }

  @Test(arguments: TestSource.toTest) func aFileOverAnother(_ source: TestSource) async throws {
    try disk.watched.write("a.txt")
    try memory.watched.write("b.txt")
    try await expect(["own deleted memory/b.txt", "own moved disk/a.txt -> memory/b.txt"], source) {
      try $0.moveItem(at: path("a.txt"), to: there("b.txt"), overwriting: true)
    }
  }

  @Test(arguments: TestSource.toTest) func aFolderWithEverythingInIt(_ source: TestSource) async throws {
    try disk.watched.makeDirectories("d/e/f")
    for name in ["d/a.txt", "d/e/b.txt", "d/e/f/c.txt"] { try disk.watched.write(name) }
    try disk.watched.symlink("a.txt", "d/link")
    let known = ["d/a.txt", "d/e", "d/e/b.txt", "d/e/f/c.txt"]
    try await expect(["own moved disk/d -> memory/g"], source) { observer in
      let uuids = known.map { observer[path($0)]?.uuid }
      defer {
        let moved = known.map { observer[there("g" + $0.dropFirst())]?.uuid }
        #expect(uuids == moved && !uuids.contains(nil))
      }
      return try observer.moveItem(at: path("d"), to: there("g"))
    }
  }
}
