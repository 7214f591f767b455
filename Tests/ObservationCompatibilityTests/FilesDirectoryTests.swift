import FileSystemObservation
import FileTestSupport
import Foundation
import ObservationCompatibility
import SystemPackage
import Testing

/// The contents of one directory, and operations on them, on real files.
@Suite(.timeLimit(.minutes(10))) struct FilesDirectoryTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    for name in ["b 10.txt", "B 9.txt", "a.txt", ".hidden"] { try write(name, to: name) }
    try PlainFiles.makeFolder(at: folder.path("d"))
    try write("deep", to: "d/deep.txt")
  }

  private func write(_ text: String, to name: String) throws { try PlainFiles.write(text.utf8, to: folder.path(name)) }

  private func text(_ name: String) throws -> String {
    String(decoding: try PlainFiles.read(folder.path(name)), as: UTF8.self)
  }

  private func names(_ items: [FilesDirectory.Item]) -> [String] { items.map(\.name) }
}

// MARK: - Contents

extension FilesDirectoryTests {
  @Test func contentsAreSortedAndFiltered() async throws {
    let directory = try FilesDirectory(folder.path)
    #expect(names(directory.contents()) == ["a.txt", "B 9.txt", "b 10.txt", "d"])
    directory.sortedBy = .nameDescending
    #expect(names(directory.contents()) == ["d", "b 10.txt", "B 9.txt", "a.txt"])
    directory.filteredBy = [{ $0.kind == .file }, { !$0.name.hasPrefix("B") }]
    #expect(names(directory.contents()) == ["b 10.txt", "a.txt"] && directory.contentsCount() == 2)
    let item = try #require(directory.item(at: 1))
    #expect(item.name == "a.txt" && directory.index(ofItemWith: item.uuid) == 1)
    #expect(directory.item(at: 2) == nil && directory.item(at: -1) == nil)
    #expect(directory.index(ofItemWith: UUID()) == nil)
    try write("new", to: "c.txt")
    await directory.forceUpdate()
    #expect(names(directory.contents()) == ["c.txt", "b 10.txt", "a.txt"])
  }

  @Test func datesAreOrders() async throws {
    let times = ["a.txt": 3, "B 9.txt": 1, "b 10.txt": 2, "d": 4]
    for (name, time) in times {
      let date = Date(timeIntervalSince1970: Double(1_000_000_000 + time))
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path(name).string)
    }
    let directory = try FilesDirectory(folder.path, sortedBy: .modificationDateOldestFirst)
    #expect(names(directory.contents()) == ["B 9.txt", "b 10.txt", "a.txt", "d"])
    directory.sortedBy = .modificationDateNewestFirst
    #expect(names(directory.contents()) == ["d", "a.txt", "b 10.txt", "B 9.txt"])
    directory.sortedBy = .creationDateOldestFirst
    let dates = directory.contents().map { $0.creationNanoseconds ?? .min }
    #expect(dates == dates.sorted())
    directory.sortedBy = .creationDateNewestFirst
    let reversed = directory.contents().map { $0.creationNanoseconds ?? .min }
    #expect(reversed == dates.reversed())
  }

  @Test func oneListingWritesNothing() async throws {
    let items = try await FilesDirectory.contentsOfDirectory(
      at: folder.path, sortedBy: .nameDescending, filteredBy: [{ $0.kind == .file }])
    #expect(names(items) == ["b 10.txt", "B 9.txt", "a.txt"])
    let tag = FileSystemObserver.Configuration().tagName
    #expect(try PlainFiles.attribute(tag, of: folder.path("a.txt")) == nil)
    await #expect(throws: FileSystemObserverError.self) {
      try await FilesDirectory.contentsOfDirectory(at: folder.path("missing"))
    }
  }

  @Test func aMissingDirectoryIsMadeIfNeeded() throws {
    let path = folder.path("x/y/z")
    #expect(throws: FileSystemObserverError.self) { try FilesDirectory(path) }
    let directory = try FilesDirectory(path, createIfNeeded: true)
    #expect(directory.contents().isEmpty && directory.directory == path)
    #expect(folder.names().contains("x"))
    _ = try FilesDirectory(path, createIfNeeded: true)
    do throws(FileSystemObserverError) {
      _ = try FilesDirectory(folder.path("a.txt"), createIfNeeded: true)
      Issue.record("a file is no directory")
    } catch {
      #expect(error.code == .rootNotDirectory)
    }
  }
}

// MARK: - Operations

extension FilesDirectoryTests {
  @Test func aFileIsWrittenAndKeepsItsIdentity() async throws {
    let directory = try FilesDirectory(folder.path)
    try directory.write("new".utf8, to: "c.txt")
    #expect(try text("c.txt") == "new" && names(directory.contents()).contains("c.txt"))
    let uuid = try #require(directory.contents().first { $0.name == "c.txt" }).uuid
    let (contents, version) = try directory.read("c.txt")
    #expect(contents == Array("new".utf8))
    try directory.write("newer".utf8, to: "c.txt", ifUnchangedSince: version)
    #expect(try text("c.txt") == "newer")
    #expect(directory.contents().first { $0.name == "c.txt" }?.uuid == uuid)
    do throws(FileSystemObserverError) {
      try directory.write("newest".utf8, to: "c.txt", ifUnchangedSince: version)
      Issue.record("another version is overwritten")
    } catch {
      #expect(error.code == .contentsChanged)
    }
    #expect(try text("c.txt") == "newer")
  }

  @Test func aFileIsTransformed() throws {
    let directory = try FilesDirectory(folder.path)
    try directory.readAndWrite("a.txt") { $0 + Array(" and more".utf8) }
    #expect(try text("a.txt") == "a.txt and more")
    #expect(throws: Errno.canceled) { try directory.readAndWrite("a.txt") { _ in throw Errno.canceled } }
    do {
      try directory.readAndWrite("a.txt") { contents in
        try write("by another program", to: "a.txt")
        return contents
      }
      Issue.record("what another program wrote is overwritten")
    } catch {
      #expect((error as? FileSystemObserverError)?.code == .contentsChanged)
    }
    #expect(try text("a.txt") == "by another program")
    #expect(throws: FileSystemObserverError.self) { try directory.read("missing") }
    #expect(throws: FileSystemObserverError.self) { try directory.read("d") }
  }

  @Test func itemsAreDeleted() throws {
    let directory = try FilesDirectory(folder.path)
    try directory.delete("d")
    #expect(folder.names() == [".hidden", "B 9.txt", "a.txt", "b 10.txt"])
    #expect(throws: FileSystemObserverError.self) { try directory.delete(["a.txt", "missing", "B 9.txt"]) }
    #expect(folder.names() == [".hidden", "B 9.txt", "b 10.txt"])
    #expect(names(directory.contents()) == ["B 9.txt", "b 10.txt"])
  }

  /// The contents are what the filters admit, and hidden items are none of them.
  @Test func contentsAreDeletedWithoutWhatIsFilteredOut() throws {
    let directory = try FilesDirectory(folder.path, filteredBy: [{ $0.name.contains("9") || $0.kind == .directory }])
    let paths = try directory.deleteContents()
    #expect(Set(paths) == [folder.path("B 9.txt"), folder.path("d")])
    #expect(folder.names() == [".hidden", "a.txt", "b 10.txt"])
    #expect(try directory.deleteContents().isEmpty)
  }

  @Test func directoriesAreMadeWithThoseAbove() throws {
    let directory = try FilesDirectory(folder.path)
    try directory.createDirectory("x/y")
    #expect(folder.names().contains("x") && names(directory.contents()).contains("x"))
    #expect(throws: FileSystemObserverError.self) { try directory.createDirectory("x/y") }
  }

  @Test func aBatchOfUpdatesIsToldAtItsEnd() async throws {
    let directory = try FilesDirectory(folder.path)
    await directory.forceUpdate()
    let log = Log<String>()
    let token = directory.observer.addNotificationBlock { _, event in
      if case .didChange(let changes) = event {
        log.append(changes.map { $0.path.lastComponent?.string ?? "" }.joined())
      }
    }
    try directory.performBatchUpdates {
      try directory.write("1".utf8, to: "one")
      try directory.write("2".utf8, to: "two")
      #expect(names(directory.contents()).contains("two") && log.entries.isEmpty)
    }
    #expect(await log.become { $0.joined().contains("two") })
    #expect(log.entries.joined().contains("one"))
    token.invalidate()
  }

  /// An own change is not told to a listener that knows it.
  @Test func aListenerThatKnowsIsNotTold() async throws {
    let directory = try FilesDirectory(folder.path)
    await directory.forceUpdate()
    let log = Log<String>()
    let token = directory.observer.addNotificationBlock { _, event in
      if case .didChange(let changes) = event, !changes.isForReplayOnly {
        log.append(contentsOf: changes.map { $0.path.lastComponent?.string ?? "" })
      }
    }
    try directory.write("1".utf8, to: "one", notifying: .others(than: token))
    try directory.write("2".utf8, to: "two")
    #expect(await log.gets("two"))
    #expect(!log.entries.contains("one"))
    token.invalidate()
  }
}
