import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// What users of older libraries call, where no other test shows it; Documentation/Originals.md names the tests.
@Suite(.light) struct OriginalsTests {
  private func begin(prepare: (TestFolder) throws -> Void = { _ in }) async throws -> ObservedFolder {
    let observed = try await ObservedFolder.begin(prepare: prepare)
    await observed.observer.synchronize()
    return observed
  }

  private func path(_ name: String, in observed: ObservedFolder) -> FilePath { FilePath(observed.root[name]) }
}

// MARK: - The observer

extension OriginalsTests {
  @Test func itRunsFromTheStartToTheStop() async throws {
    let observed = ObservedFolder(try TestFolder())
    #expect(!observed.observer.isRunning)
    try await observed.observer.start()
    #expect(observed.observer.isRunning)
    await observed.observer.stop()
    #expect(!observed.observer.isRunning)
  }

  @Test func theDirectoryIsAPathAndAURL() throws {
    let folder = try TestFolder()
    let url = URL(filePath: folder.watched.path, directoryHint: .isDirectory)
    for observer in [FileSystemObserver(directory: url), FileSystemObserver(directory: FilePath(folder.watched.path))] {
      #expect(observer.directory == FilePath(folder.watched.path))
      #expect(observer.directoryURL == url)
    }
  }

  /// It is only looked at: an observer of this folder is never started here.
  @Test func withoutADirectoryItIsTheDocumentsFolder() {
    let directory = FileSystemObserver().directory
    #expect(directory.isAbsolute && directory == FileSystemObserver.Configuration().directory)
  }

  @Test func settingsOfTheOriginalTakeEffectAtTheNextStart() async throws {
    let observed = try await begin { folder in
      try folder.watched.makeDirectories("d/e")
      for name in ["Inbox", "a.txt", "d/Inbox", "d/e/b.txt"] { try folder.watched.write(name) }
    }
    observed.observer.excludedItems = ["/Inbox"]
    observed.observer.includedDirectoryLevels = 1
    #expect(observed.observer.snapshot().count == 6)
    await observed.observer.stop()
    #expect(observed.observer.excludedItems == ["/Inbox"] && observed.observer.includedDirectoryLevels == 1)
    try await observed.observer.start()
    await observed.observer.synchronize()
    let names = observed.observer.snapshot().map(\.relativePath)
    #expect(Set(names) == ["a.txt", "d", "d/e", "d/Inbox"], "\(names)")
  }

  @Test func anotherSharedObserverStopsTheFormer() async throws {
    let folders = [try TestFolder(), try TestFolder()]
    let observers = folders.map { FileSystemObserver(directory: FilePath($0.watched.path)) }
    FileSystemObserver.shared = observers[0]
    #expect(FileSystemObserver.shared === observers[0])
    let token = observers[0].addNotificationBlock { _, _ in }
    try await observers[0].start()
    FileSystemObserver.shared = observers[0]
    #expect(observers[0].isRunning)
    FileSystemObserver.shared = observers[1]
    #expect(FileSystemObserver.shared === observers[1] && !observers[0].isRunning)
    token.invalidate()
    withExtendedLifetime(folders) {}
  }

  @Test func theObservedDirectoryIsAnItem() async throws {
    let observed = try await begin { try $0.watched.write("a.txt") }
    let directory = try #require(observed.observer[observed.observer.directory])
    #expect(directory.kind == .directory && directory.childCount == 1 && directory.parent == nil)
    #expect(observed.observer[directory.uuid] == directory)
    #expect(observed.observer[path("a.txt", in: observed)]?.parent == directory.uuid)
  }

  @Test func anEmptyFolderIsScannedFromBeginningToEnd() async throws {
    let observed = ObservedFolder(try TestFolder())
    try await observed.observer.start()
    await observed.observer.synchronize()
    // A scan that takes long on a busy machine says how far it has come.
    let events = observed.recorder.entries.map(\.event).filter { if case .scanProgress = $0 { false } else { true } }
    guard case .willBeginFullScan(.start)? = events.first, case .didCompleteFullScan(let summary)? = events.last else {
      Issue.record("the scan is not announced: \(events)")
      return
    }
    #expect(summary.itemCount == 0)
    #expect(events.count == 2, "\(events)")
  }

  @Test func theFirstScanGivesParentsFirst() async throws {
    let observed = try await begin { folder in
      for name in ["d/e/f", "a/b", "z"] { try folder.watched.makeDirectories(name) }
      for name in ["d/e/f/1", "a/2", "3"] { try folder.watched.write(name) }
    }
    var known: Set<FilePath> = [observed.observer.directory]
    for change in observed.recorder.changes().prefix(9) {
      #expect(change.kind == .discovered && known.contains(change.path.removingLastComponent()), "\(change)")
      known.insert(change.path)
    }
    #expect(known.count == 10)
  }

  @Test func aBlockIsKeptInAProperty() async throws {
    let observed = try await begin()
    let observers = Feed<FileSystemObserver>()
    let block: FileSystemObserver.NotificationBlock = { observer, _ in observers.append(observer) }
    let token = observed.observer.addNotificationBlock(block)
    try observed.root.mkdir("d")
    await observed.observer.synchronize()
    #expect(observers.elements.map { $0 === observed.observer } == [true])
    token.invalidate()
  }
}

// MARK: - Changes

extension OriginalsTests {
  @Test func aSetIsAskedByKindAndByIdentity() async throws {
    let observed = try await begin { for name in ["a.txt", "b.txt"] { try $0.watched.write(name) } }
    let first = try #require(observed.recorder.entries.lazy.compactMap { Self.set($0.event) }.first)
    #expect(first.isFirstScan && first.directory == observed.observer.directory)
    #expect(first.changes(ofKind: .discovered).count == 2 && first.changes(ofKind: .deleted).isEmpty)
    let uuid = try #require(observed.observer[path("a.txt", in: observed)]?.uuid)
    #expect(first[uuid].map(\.path) == [path("a.txt", in: observed)])
    let mark = observed.recorder.position
    try observed.root.rename("a.txt", "c.txt")
    await observed.observer.synchronize()
    let next = try #require(observed.recorder.entries[mark...].compactMap { Self.set($0.event) }.first)
    #expect(!next.isFirstScan && next.sequence > first.sequence)
    #expect(next.changes(ofKind: .renamed).map(\.previousPath) == [path("a.txt", in: observed)])
    #expect(next[uuid].map(\.kind) == [.renamed] && next[UUID()].isEmpty)
  }

  private static func set(_ event: FileSystemObserver.Event) -> FileSystemChanges? {
    if case .didChange(let set) = event { set } else { nil }
  }

  /// An app that is tested makes its own.
  @Test func anAppMakesWhatAnObserverGives() {
    let item = FileSystemItem.Snapshot(uuid: UUID(), relativePath: "d/a.txt", directory: "/T", size: 3)
    let change = FileSystemChange(.renamed(from: "/T/d/b.txt"), item)
    let set = FileSystemChanges([change], directory: "/T")
    #expect(set.count == 1 && set[item.uuid] == [change] && set.sequence == 1)
    #expect(FileSystemObserver.ScanSummary(itemCount: 1).reason == .start)
    let folder = FileSystemItem.Snapshot(uuid: UUID(), kind: .directory, relativePath: "d", directory: "/T")
    let snapshot = FileSystemSnapshot([folder, item], directory: "/T")
    #expect(snapshot["/T/d/a.txt"]?.uuid == item.uuid && snapshot[folder.uuid]?.childCount == 1)
  }
}

// MARK: - Items and identities

extension OriginalsTests {
  @Test func anItemKnowsNameSizeTimesAndChildren() async throws {
    let observed = try await begin { folder in
      try folder.watched.mkdir("d")
      for name in ["d/a.txt", "d/b.txt"] { try folder.watched.write(name, "12345") }
    }
    let file = try #require(observed.observer[path("d/a.txt", in: observed)])
    #expect(file.name == "a.txt" && file.relativePath == "d/a.txt" && file.kind == .file && file.size == 5)
    #expect(file.url == URL(filePath: observed.root["d/a.txt"]) && file.childCount == nil)
    #expect(file.modificationNanoseconds == (try observed.root.status("d/a.txt").modified))
    #expect(abs(file.modificationDate.timeIntervalSince1970 - Double(file.modificationNanoseconds) / 1e9) < 0.001)
    #expect(file.creationDate.map { $0 <= file.modificationDate } ?? true)
    let folder = try #require(observed.observer[path("d", in: observed)])
    #expect(folder.kind == .directory && folder.childCount == 2 && folder.size == 0)
    let mark = observed.recorder.position
    try observed.root.append("d/a.txt", "678")
    await observed.observer.synchronize()
    #expect(observed.changes(from: mark).map { "\($0.kind) \($0.item.size)" } == ["modified 8"])
  }

  @Test func theItemsOfAFolderAreListed() async throws {
    let observed = try await begin { folder in
      try folder.watched.makeDirectories("d/e")
      for name in ["a.txt", "d/b.txt", "d/.hidden", "d/e/c.txt"] { try folder.watched.write(name) }
    }
    let children = observed.observer.children(of: path("d", in: observed))
    #expect(Set(children.map(\.relativePath)) == ["d/e", "d/b.txt"])
    let folder = try #require(observed.observer[path("d", in: observed)])
    #expect(Set(observed.observer.children(of: folder.uuid)) == Set(children))
    #expect(Set(observed.observer.snapshot().children(of: folder.uuid)) == Set(children))
    #expect(observed.observer.children(of: path("a.txt", in: observed)).isEmpty)
  }

  @Test func theIdentityOfAFolderIsThatOfTheParent() async throws {
    let observed = try await begin { folder in
      try folder.watched.mkdir("d")
      try folder.watched.write("d/a.txt")
    }
    let observer = observed.observer
    let file = path("d/a.txt", in: observed)
    #expect(observer.uuid(forParentOfItemAt: file) == observer.uuid(forItemAt: path("d", in: observed)))
    #expect(observer.uuid(forParentOfItemAt: file) == observer[file]?.parent)
    #expect(observer.uuid(forParentOfItemAt: URL(filePath: observed.root["d/missing"])) == observer[file]?.parent)
    #expect(observer.uuid(forParentOfItemAt: observer.directory) == nil)
    #expect(observer.uuid(forParentOfItemAt: "/") == nil)
  }

  @Test func aLookUpWritesNothing() throws {
    let folder = try TestFolder()
    try folder.watched.write("a.txt")
    let observer = FileSystemObserver(directory: FilePath(folder.watched.path))
    let uuid = try #require(observer.uuid(forItemAt: FilePath(folder.watched["a.txt"])))
    #expect(try folder.watched.tag("a.txt") == nil)
    #expect(try FileSystemIdentity().uuid(ofItemAt: FilePath(folder.watched["a.txt"])).uuid == uuid)
    #expect(try folder.watched.tag("a.txt") == nil)
  }

  /// From identities to places and back, at one moment.
  @Test func aSnapshotIsAskedByPathURLAndIdentity() async throws {
    let observed = try await begin { folder in
      try folder.watched.write("a.txt")
      try folder.watched.link("a.txt", "b.txt")
    }
    let snapshot = observed.observer.snapshot()
    let item = try #require(snapshot[path("a.txt", in: observed)])
    #expect(snapshot[URL(filePath: observed.root["a.txt"])] == item)
    #expect(snapshot[item.uuid]?.uuid == item.uuid && snapshot[UUID()] == nil)
    let names = [path("a.txt", in: observed), path("b.txt", in: observed)]
    #expect(Set(snapshot.names(of: item.uuid)) == Set(names) && Set(item.names) == Set(names))
    try observed.root.unlink("a.txt")
    await observed.observer.synchronize()
    #expect(observed.observer.names(of: item.uuid) == [path("b.txt", in: observed)])
    #expect(observed.observer.path(forItemWith: item.uuid) == path("b.txt", in: observed))
    #expect(observed.observer.url(forItemWith: item.uuid) == URL(filePath: observed.root["b.txt"]))
    #expect(snapshot.names(of: item.uuid).count == 2)
  }

  @Test func aFileThatIsWrittenForLongIsKnownToBe() async throws {
    let observed = try await begin()
    let file = try observed.root.open("a.txt", .create)
    try file.write("some")
    try await observed.recorder.awaitChange("a.txt") { $0.item.isCopying }
    #expect(observed.observer[path("a.txt", in: observed)]?.isCopying == true)
    file.close()
    // A process that another test is starting may have the file open for a moment longer.
    try await observed.recorder.awaitChange("a.txt to be complete") {
      $0.kind == .copyFinished && $0.item.name == "a.txt"
    }
    #expect(observed.observer[path("a.txt", in: observed)]?.isComplete == true)
  }
}

// MARK: - Live items and lists

extension OriginalsTests {
  @MainActor @Test func anItemKnowsItsObserverAndItsList() async throws {
    let observed = try await begin { try $0.watched.write("a.txt") }
    var list = observed.observer.itemList()
    let row = try #require(list?.first)
    #expect(row.observer === observed.observer && list?.observer === observed.observer)
    #expect(row.list === list && list != nil)
    let further = try #require(observed.observer.itemList(below: nil))
    #expect(further.first === row && row.list === list)
    list = nil
    #expect(row.list == nil && row == further.first && Set([row]).contains(further[0]))
    #expect(row.description.contains("a.txt"))
  }

  @Test func theRowsOfAListAreRemoved() async throws {
    let observed = try await begin { folder in
      for name in ["a.txt", "b.txt", "c.md"] { try folder.watched.write(name) }
    }
    let filter: @Sendable (FileSystemItem.Snapshot) -> Bool = { $0.name.hasSuffix(".txt") }
    let list = try #require(observed.observer.itemList(filteredBy: filter))
    let batch = await observed.observer.removeItems(at: list.map(\.path))
    #expect(batch.completed.map(\.item.name) == ["a.txt", "b.txt"] && batch.failure == nil)
    #expect(list.update()?.deletions == [0, 1] && list.isEmpty)
    #expect(observed.observer.snapshot().map(\.name) == ["c.md"])
  }

  @Test func aFolderIsMadeIfNeeded() async throws {
    let folder = try TestFolder()
    let observer = FileSystemObserver(directory: FilePath(folder.watched["new/deep"]))
    try await observer.createDirectory(at: observer.directory, withIntermediateDirectories: true)
    try await observer.start()
    #expect(observer.isRunning)
    await observer.stop()
  }
}

// MARK: - The document

extension OriginalsTests {
  private static let package = Folder(
    (1...4).reduce(into: FilePath(#filePath)) { path, _ in path.removeLastComponent() }.string)

  private static func text(_ name: String) throws -> String { String(decoding: try package.read(name), as: UTF8.self) }

  /// A user who may not look into the sources cannot check that.
  @Test(.enabled(if: (try? text("Documentation/Originals.md")) != nil))
  func everyTestThatTheDocumentNamesExists() throws {
    let document = try Self.text("Documentation/Originals.md")
    let files = try Self.testFiles(in: "Tests")
    let names = Set(
      document.matches(of: #/`([A-Za-z]+Tests)\.([A-Za-z0-9_]+)`/#).map { "\($0.output.1) \($0.output.2)" })
    #expect(names.count > 60)
    for name in names.sorted() {
      let parts = name.split(separator: " ")
      let texts = try (files["\(parts[0]).swift"] ?? []).map(Self.text)
      #expect(texts.contains { $0.contains("func \(parts[1])(") }, "\(name): there is no such test")
    }
  }

  /// Files with tests, by their names.
  private static func testFiles(in folder: String) throws -> [String: [String]] {
    try Directory.list(package[folder]).reduce(into: [:]) { files, entry in
      let path = "\(folder)/\(entry.name)"
      if entry.kind == .directory {
        files.merge(try testFiles(in: path), uniquingKeysWith: +)
      } else if entry.name.hasSuffix("Tests.swift") {
        files[entry.name, default: []].append(path)
      }
    }
  }
}
