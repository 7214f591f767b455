import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Live items with events of their own.
@Suite(.light) struct ItemTests {
  private func begin(
    _ options: FileSystemObserver.Configuration = FileSystemObserver.Configuration()
  ) async throws -> ObservedFolder {
    let observed = try await ObservedFolder.begin(options: options) { folder in
      try folder.watched.mkdir("d")
      for name in ["a.txt", "d/x.txt"] { try folder.watched.write(name) }
    }
    await observed.observer.synchronize()
    return observed
  }

  private func item(_ name: String, _ observed: ObservedFolder) throws -> FileSystemItem {
    try #require(observed.observer.item(at: FilePath(observed.root[name])))
  }

  @Test func anItemFollowsItsFile() async throws {
    let observed = try await begin()
    let item = try item("d/x.txt", observed)
    let snapshot = try #require(observed.observer[FilePath(observed.root["d/x.txt"])])
    #expect(item.snapshot == snapshot && item.uuid == snapshot.uuid && item.id == snapshot.id)
    #expect(item.kind == .file && item.size == 8 && item.bytesSoFar == nil && item.childCount == nil)
    #expect(item.url == snapshot.url && item.names == [snapshot.path] && !item.isDeleted)
    var told: [FileSystemChange.Kind?] = []
    // Without an actor, nothing happens before `update()`.
    let token = item.addNotificationBlock(isolation: nil) { told.append($1?.kind) }
    _ = item.update()
    told = []
    try observed.root.rename("d/x.txt", "d/y.txt")
    await observed.observer.synchronize()
    #expect(item.name == "x.txt" && told == [] && isReadable(item.fileDescriptor))
    #expect(item.update() && item.name == "y.txt" && told == [.renamed] && !item.update())
    // A folder above moves.
    try observed.root.rename("d", "e")
    await observed.observer.synchronize()
    #expect(item.update() && item.relativePath == "e/y.txt" && told == [.renamed, .moved])
    try observed.root.unlink("e/y.txt")
    try await observed.settle()
    #expect(item.update() && item.isDeleted && told.last == .deleted && item.relativePath == "e/y.txt")
    #expect(item.description.hasSuffix("(deleted)"))
    withExtendedLifetime(token) {}
  }

  @Test func anItemThatReturnsIsNoLongerDeleted() async throws {
    let observed = try await begin()
    let item = try item("a.txt", observed)
    item.update()
    try observed.root.rename("a.txt", "../outside/a.txt")
    try await observed.settle()
    #expect(item.update() && item.isDeleted)
    try observed.root.rename("../outside/a.txt", "d/a.txt")
    try await observed.settle()
    #expect(item.update() && !item.isDeleted && item.relativePath == "d/a.txt")
  }

  /// The first scan of another run does not have the item yet.
  @Test func anItemOutlivesARestart() async throws {
    let observed = try await begin()
    let item = try item("a.txt", observed)
    var told: [Bool] = []
    let token = item.addNotificationBlock(isolation: nil) { item, _ in told.append(item.isDeleted) }
    await observed.observer.stop()
    try observed.root.rename("a.txt", "b.txt")
    try await observed.start()
    item.update()
    #expect(!told.contains(true) && !item.isDeleted && item.name == "b.txt")
    withExtendedLifetime(token) {}
  }

  @Test func anItemKeepsItsNameWhenAnotherNameGoes() async throws {
    let observed = try await begin()
    try observed.root.link("a.txt", "d/b.txt")
    try await observed.settle()
    let list = try #require(observed.observer.itemList(below: nil))
    let (one, other) = (try item("a.txt", observed), try item("d/b.txt", observed))
    one.update()
    other.update()
    try observed.root.unlink("d/b.txt")
    try await observed.settle()
    list.update()
    one.update()
    other.update()
    #expect(one.relativePath == "a.txt" && !one.isDeleted && one.names == [one.path] && other.isDeleted)
    #expect(list.index(of: one.id).map { list[$0].relativePath } == "a.txt")
  }

  @Test func theFolderItselfIsAnItem() async throws {
    let observed = try await begin()
    let item = try #require(observed.observer.directoryItem())
    #expect(item.path == observed.observer.directory && item.kind == .directory && item.childCount == 2)
    item.update()
    try observed.root.write("b.txt")
    try await observed.settle()
    #expect(item.update() && item.childCount == 3)
    #expect(item.snapshot.modificationNanoseconds == (try observed.root.status(".").modified))
  }

  @Test func anItemFollowsAnObservedFolderThatMoves() async throws {
    var options = FileSystemObserver.Configuration()
    options.rootLossPolicy = .follow
    let observed = try await begin(options)
    let item = try item("d/x.txt", observed)
    let list = try #require(observed.observer.itemList())
    let root = try #require(observed.observer.directoryItem())
    try observed.root.mkdir("gone")
    try await observed.settle()
    let gone = try #require(observed.observer.itemList(forDirectoryAt: FilePath(observed.root["gone"])))
    gone.update()
    try observed.root.rmdir("gone")
    try await observed.settle()
    #expect(gone.update()?.folderEvent == .deleted)
    item.update()
    root.update()
    list.update()
    try observed.folder.outside.rename("../watched", "../elsewhere")
    defer { try? observed.folder.outside.rename("../elsewhere", "../watched") }
    #expect(try await comesTrue { item.update() })
    #expect(root.update() && root.path == observed.observer.directory && root.path.lastComponent == "elsewhere")
    #expect(item.path == observed.observer.directory.appending("d/x.txt") && item.relativePath == "d/x.txt")
    #expect(list.update()?.folderEvent == .moved && list[0].path == observed.observer.directory.appending("a.txt"))
    // A folder that is gone does not move.
    #expect(gone.update() == nil)
  }

  @Test func aGrowingCopyShowsItsSize() async throws {
    let observed = try await begin()
    let list = try #require(observed.observer.itemList())
    let file = try observed.root.open("copy.bin", .create)
    try file.write(Bytes.pattern(1_000))
    #expect(
      try await comesTrue {
        list.update()
        return list.contains { $0.name == "copy.bin" }
      })
    let row = try #require(list.first { $0.name == "copy.bin" })
    #expect(row.isCopying)
    for size in [50_000, 120_000] as [Int64] {
      try file.write(Bytes.pattern(Int(size - row.size)))
      #expect(
        try await comesTrue {
          list.update()
          return row.bytesSoFar == size
        })
    }
    let mark = observed.recorder.position
    file.close()
    try await observed.recorder.awaitChange("the end", from: mark) { $0.kind == .copyFinished }
    await observed.observer.synchronize()
    #expect(list.update() != nil && !row.isCopying && row.bytesSoFar == nil && row.size == 120_000)
    try await observed.settle()
    #expect(observed.changes(from: 0).count { $0.kind == .copyFinished && $0.item.name == "copy.bin" } == 1)
  }

  /// Only who asks for it hears of it, and it changes no number.
  @Test func propertiesAreADetail() async throws {
    let observed = try await begin()
    let queue = try observed.observer.makeEventQueue(startingWith: .now, including: .properties)
    let other = try observed.observer.makeEventQueue(startingWith: .now)
    await observed.observer.synchronize()
    let mark = observed.recorder.position
    try observed.root.write("d/new.txt")
    try await observed.settle()
    func sets(_ queue: FileSystemObserver.EventQueue) -> [FileSystemChanges] {
      var sets: [FileSystemChanges] = []
      queue.drain { if case .didChange(let set) = $0 { sets.append(set) } }
      return sets
    }
    let (told, others) = (sets(queue), sets(other))
    let properties = told.flatMap { $0 }.filter { $0.kind == .propertiesChanged }
    let folder = try #require(properties.last { observed.relative($0.path) == "d" })
    #expect(folder.item.childCount == 2 && properties.contains { $0.item.relativePath.isEmpty })
    #expect(others.flatMap { $0 }.allSatisfy { $0.kind != .propertiesChanged })
    #expect(zip(told, told.dropFirst()).allSatisfy { $0.sequence <= $1.sequence })
    #expect(observed.changes(from: mark).allSatisfy { $0.kind != .propertiesChanged })
  }
}
