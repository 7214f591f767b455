import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Lists of real folders, updated by hand.
@Suite(.light) struct ListTests {
  typealias Changes = FileSystemItemList.Changes

  private func begin() async throws -> ObservedFolder {
    let observed = try await ObservedFolder.begin { folder in
      try folder.watched.makeDirectories("d/e")
      for name in ["b10.txt", "B2.txt", "a.txt", "d/x.txt", "d/e/y.txt"] { try folder.watched.write(name) }
    }
    await observed.observer.synchronize()
    return observed
  }

  private func path(_ name: String, _ observed: ObservedFolder) -> FilePath { FilePath(observed.root[name]) }

  private func names(_ list: FileSystemItemList) -> [String] { list.map(\.name) }

  private func places(_ list: FileSystemItemList) -> [String] { list.map(\.relativePath.string) }

  /// The changes of everything done so far.
  private func changes(_ list: FileSystemItemList, _ observed: ObservedFolder) async -> Changes? {
    await observed.observer.synchronize()
    return list.update()
  }

  @Test func aListIsCompleteAndInOrderFromTheBeginning() async throws {
    let observed = try await begin()
    let list = try #require(observed.observer.itemList())
    #expect(names(list) == ["a.txt", "B2.txt", "b10.txt", "d"])
    #expect(list.update() == nil)
    let whole = try #require(observed.observer.itemList(below: nil))
    #expect(places(whole) == ["a.txt", "B2.txt", "b10.txt", "d", "d/e", "d/x.txt", "d/e/y.txt"])
    let inner = try #require(
      observed.observer.itemList(forDirectoryAt: path("d", observed), sortedBy: .name.reversed()))
    #expect(names(inner) == ["x.txt", "e"])
    #expect(inner.folder?.relativePath == "d" && list.folder?.relativePath == "" && list.folder?.childCount == 4)
    #expect(observed.observer.itemList(forDirectoryAt: path("a.txt", observed)) == nil)
    #expect(observed.observer.itemList(forDirectoryAt: path("none", observed)) == nil)
    #expect(observed.observer.itemList(below: "/elsewhere") == nil)
    let item = try #require(observed.observer[path("B2.txt", observed)])
    #expect(list.index(of: item.uuid) == 1 && list.index(of: item.id) == 1 && list.snapshot(at: 1) == item)
    #expect(inner.index(of: item.uuid) == nil && list.index(of: UUID()) == nil)
  }

  /// Before the start, what is at a path is looked up on disk.
  @Test func beforeTheStartAFileHasNoList() throws {
    let folder = try TestFolder()
    try folder.watched.makeDirectories("d/e")
    try folder.watched.write("a.txt")
    try folder.watched.symlink("d", "link")
    let observer = FileSystemObserver(directory: FilePath(folder.watched.path))
    for name in ["a.txt", "link", "none"] {
      #expect(observer.itemList(forDirectoryAt: FilePath(folder.watched[name])) == nil)
      #expect(observer.itemList(below: FilePath(folder.watched[name])) == nil)
    }
    let list = try #require(observer.itemList(forDirectoryAt: FilePath(folder.watched["d"])))
    #expect(list.isEmpty && observer.itemList() != nil)
  }

  @Test func manyRowsThatGoLeaveTheOthersInOrder() async throws {
    let observed = try await ObservedFolder.begin { folder in
      for name in ["d", "kept"] { try folder.watched.mkdir(name) }
      for number in 0..<600 { try folder.watched.write("d/\(number)") }
      for number in 0..<30 { try folder.watched.write("kept/\(number)") }
    }
    await observed.observer.synchronize()
    let list = try #require(observed.observer.itemList(below: nil))
    let before = places(list)
    #expect(before.count == 632)
    try await observed.observer.removeItem(at: path("d", observed))
    let changes = try #require(list.update())
    let isKept = before.map { $0.hasPrefix("kept") }
    #expect(places(list) == before.filter { $0.hasPrefix("kept") })
    #expect(changes.deletions == before.indices.filter { !isKept[$0] } && changes.moves.isEmpty)
    #expect(changes.insertions.isEmpty)
  }

  @Test func aRowKeepsItsObject() async throws {
    let observed = try await begin()
    let list = try #require(observed.observer.itemList(below: nil))
    let row = try #require(list.first { $0.name == "a.txt" })
    let uuid = row.uuid
    // Renamed.
    try observed.root.rename("a.txt", "z.txt")
    let renamed = try #require(await changes(list, observed))
    #expect(renamed.moves == [Changes.Move(from: 0, to: 6)] && renamed.modifications == [6])
    #expect(row.name == "z.txt" && list[6] === row && renamed.deletions == [] && renamed.insertions == [])
    // Moved into a folder.
    try observed.root.rename("z.txt", "d/z.txt")
    #expect(try #require(await changes(list, observed)).modifications.count > 0)
    #expect(row.relativePath == "d/z.txt" && list.index(of: uuid).map { list[$0] === row } == true)
    // Saved as editors do.
    try observed.root.write("d/.z.tmp", "another version")
    try observed.root.rename("d/.z.tmp", "d/z.txt")
    try await observed.settle()
    _ = await changes(list, observed)
    #expect(row.size == 15 && !row.isDeleted && list.index(of: uuid).map { list[$0] === row } == true)
    // Deleted.
    try observed.root.unlink("d/z.txt")
    try await observed.settle()
    let deleted = try #require(await changes(list, observed))
    #expect(
      deleted.deletions.count == 1 && row.isDeleted && list.index(of: uuid) == nil && row.relativePath == "d/z.txt")
  }

  @Test func aRenamedFolderCostsNothingForTheRowsBelow() async throws {
    let observed = try await begin()
    let list = try #require(observed.observer.itemList(below: nil))
    let row = try #require(list.first { $0.name == "y.txt" })
    try observed.root.rename("d", "c")
    let changes = try #require(await changes(list, observed))
    #expect(changes.modifications.count == 1 && changes.deletions == [] && changes.insertions == [])
    #expect(changes.pathsChanged && row.relativePath == "c/e/y.txt" && row.path == path("c/e/y.txt", observed))
    #expect(places(list) == ["a.txt", "B2.txt", "b10.txt", "c", "c/e", "c/x.txt", "c/e/y.txt"])
  }

  /// The folder is no row, so that no row changes.
  @Test func aListTellsThatAFolderAboveItsRowsIsRenamed() async throws {
    let observed = try await begin()
    let filter: @Sendable (FileSystemItem.Snapshot) -> Bool = { $0.kind == .file }
    let list = try #require(observed.observer.itemList(below: nil, matching: filter))
    var updates = list.updates().makeAsyncIterator()
    try observed.root.rename("d", "c")
    let renamed = await updates.next()
    #expect(renamed == Changes(pathsChanged: true) && renamed?.isEmpty == false)
    #expect(places(list) == ["a.txt", "B2.txt", "b10.txt", "c/x.txt", "c/e/y.txt"])
    // Nothing is below this one, and no path changes by writing.
    try observed.root.mkdir("empty")
    try observed.root.rename("empty", "void")
    #expect(await changes(list, observed) == nil)
    try observed.root.write("a.txt", "more")
    try await observed.settle()
    let written = try #require(await changes(list, observed))
    #expect(written.modifications == [0] && !written.pathsChanged)
    try observed.root.rename("c/e", "e")
    observed.observer.loseEvents(of: list)
    let anew = try #require(await changes(list, observed))
    #expect(anew.isReset && anew.pathsChanged && anew.modifications == [])
  }

  @Test func aFilterThatLooksAtThePathIsAskedAgain() async throws {
    let observed = try await begin()
    let filter: @Sendable (FileSystemItem.Snapshot) -> Bool = { $0.relativePath.starts(with: "d") && $0.kind == .file }
    let list = try #require(observed.observer.itemList(below: nil, matching: filter))
    #expect(names(list) == ["x.txt", "y.txt"])
    try observed.root.rename("d/e", "e")
    let left = try #require(await changes(list, observed))
    #expect(left.deletions == [1] && left.insertions == [] && names(list) == ["x.txt"])
    try observed.root.rename("e", "d/f")
    #expect(try #require(await changes(list, observed)).insertions == [1])
    #expect(places(list) == ["d/x.txt", "d/f/y.txt"])
  }

  @Test func aListFollowsItsFolder() async throws {
    let observed = try await begin()
    let list = try #require(observed.observer.itemList(forDirectoryAt: path("d", observed)))
    let folder = try #require(list.folder)
    let row = try #require(list.first { $0.name == "x.txt" })
    try observed.root.mkdir("new")
    try observed.root.rename("d", "new/q")
    let moved = try #require(await changes(list, observed))
    #expect(moved.folderEvent == .moved && moved.pathsChanged && moved.deletions == [] && moved.insertions == [])
    #expect(folder.relativePath == "new/q" && list.folder === folder && row.relativePath == "new/q/x.txt")
    try observed.root.write("new/q/z.txt")
    #expect(try #require(await changes(list, observed)).insertions == [2] && names(list) == ["e", "x.txt", "z.txt"])
    // Out of the tree and back.
    try observed.root.rename("new/q", "../outside/q")
    try await observed.settle()
    let deleted = try #require(await changes(list, observed))
    #expect(deleted.folderEvent == .deleted && deleted.deletions == [0, 1, 2] && list.isEmpty)
    #expect(list.folder == nil && folder.isDeleted && row.isDeleted)
    try observed.root.rename("../outside/q", "back")
    try await observed.settle()
    let returned = try #require(await changes(list, observed))
    #expect(returned.folderEvent == .returned && returned.insertions == [0, 1, 2])
    #expect(list.folder === folder && !folder.isDeleted && list[1] === row && row.relativePath == "back/x.txt")
  }

  @Test func anItemThatLeavesAListIsNotDeleted() async throws {
    let observed = try await begin()
    let list = try #require(observed.observer.itemList())
    let row = list[0]
    try observed.root.rename("a.txt", "d/a.txt")
    let changes = try #require(await changes(list, observed))
    #expect(changes.deletions == [0] && !row.isDeleted && row.relativePath == "d/a.txt")
  }

  @Test func anotherOrderMovesOnlyWhatMustMove() async throws {
    let observed = try await begin()
    try observed.root.write("b10.txt", "the longest of all contents")
    try await observed.settle()
    let filter: @Sendable (FileSystemItem.Snapshot) -> Bool = { $0.kind == .file }
    let list = try #require(observed.observer.itemList(filteredBy: filter))
    #expect(names(list) == ["a.txt", "B2.txt", "b10.txt"])
    try observed.root.write("a.txt", "long, and the second")
    try await observed.settle()
    #expect(list.update()?.modifications == [0])
    list.order = .size
    #expect(names(list) == ["a.txt", "B2.txt", "b10.txt"] && list.order == .size)
    let sorted = try #require(list.update())
    #expect(sorted.moves.count == 1 && sorted.deletions == [] && sorted.insertions == [] && sorted.modifications == [])
    #expect(names(list) == ["B2.txt", "a.txt", "b10.txt"] && list.update() == nil)
    list.order = .size.reversed()
    list.filter = { $0.name != "a.txt" }
    let filtered = try #require(list.update())
    #expect(names(list) == ["d", "b10.txt", "B2.txt"] || names(list) == ["b10.txt", "B2.txt", "d"])
    #expect(filtered.deletions == [1] && filtered.insertions.count == 1 && list.update() == nil)
  }

  /// The app holds what it knows on its own actor, and says of which documents that has changed.
  @Test @MainActor func aListIsInTheOrderOfTheAppsOwnValues() async throws {
    let observed = try await begin()
    let ratings = Ratings()
    func uuid(_ name: String) throws -> UUID { try #require(observed.observer[path(name, observed)]).uuid }
    ratings.stars[try uuid("B2.txt")] = 3
    let order = FileSystemItemList.Order.number { uuid in MainActor.assumeIsolated { ratings.stars[uuid] } }.reversed()
    let list = try #require(
      observed.observer.itemList(sortedBy: order) { item in
        MainActor.assumeIsolated { ratings.stars[item.uuid] != 0 }
      })
    #expect(names(list) == ["B2.txt", "a.txt", "b10.txt", "d"])
    ratings.stars[try uuid("a.txt")] = 5
    ratings.stars[try uuid("d")] = 0
    #expect(list.update() == nil)
    list.reloadItems(with: [try uuid("a.txt"), try uuid("d"), UUID()])
    let changes = try #require(list.update())
    #expect(changes.moves.count == 1 && changes.deletions == [3] && changes.modifications == [0])
    #expect(names(list) == ["a.txt", "B2.txt", "b10.txt"] && list.update() == nil)
    // What is not reloaded keeps its place.
    ratings.stars[try uuid("b10.txt")] = 9
    try observed.root.rename("a.txt", "new.txt")
    _ = await self.changes(list, observed)
    #expect(names(list) == ["new.txt", "B2.txt", "b10.txt"])
    try observed.root.write("b10.txt", "another content")
    try await observed.settle()
    #expect(list.update()?.moves.count == 1 && names(list) == ["b10.txt", "new.txt", "B2.txt"])
  }

  @Test func hardLinksAreRowsOfTheirOwn() async throws {
    let observed = try await begin()
    let list = try #require(observed.observer.itemList())
    try observed.root.link("a.txt", "a2.txt")
    #expect(try #require(await changes(list, observed)).insertions == [1])
    #expect(list[0].id != list[1].id && list[0].uuid == list[1].uuid && list[0] !== list[1])
    #expect(list[0].names == list[1].names && list[1].names.count == 2)
    #expect(list.index(of: list[1].id) == 1)
  }

  /// The other names are in a folder that is not listed.
  @Test func aRowLearnsOfTheOtherNamesOfItsFile() async throws {
    let observed = try await begin()
    let list = try #require(observed.observer.itemList(forDirectoryAt: path("d", observed)))
    let uuid = try observed.uuid("a.txt")
    func isAsInTheTree() -> Bool {
      let (row, item) = (list.snapshot(at: 0), observed.observer[path("d/b.txt", observed)])
      return row.id == item?.id && row.nameCount == item?.nameCount && row.relativePath == item?.relativePath
    }
    try observed.root.link("a.txt", "d/b.txt")
    #expect(try #require(await changes(list, observed)).insertions == [0] && isAsInTheTree())
    #expect(list[0].uuid == uuid && list.snapshot(at: 0).nameCount == 2)
    try observed.root.link("a.txt", "c.txt")
    #expect(try #require(await changes(list, observed)).modifications == [0] && isAsInTheTree())
    #expect(list.snapshot(at: 0).nameCount == 3)
    // The oldest name goes, and then the next.
    try observed.root.unlink("a.txt")
    #expect(await changes(list, observed) != nil && isAsInTheTree())
    try observed.root.unlink("c.txt")
    #expect(await changes(list, observed) != nil && isAsInTheTree())
    #expect(list.snapshot(at: 0).nameCount == 1 && list.index(of: uuid) == 0 && list[0].relativePath == "d/b.txt")
  }

  /// Tags of a burst of new files are written after their announcement.
  @Test(.enabled(if: Ability.tags.isPossible)) func rowsLearnOfTagsThatAreWrittenLater() async throws {
    let observed = try await begin()
    let list = try #require(observed.observer.itemList(forDirectoryAt: path("d", observed)))
    for number in 0..<60 { try observed.root.write("d/new \(number)") }
    #expect(
      try await comesTrue {
        list.update()
        return list.count == 62 && list.indices.allSatisfy { list.snapshot(at: $0).identity == .tag }
      })
  }

  /// The tag of a file is written through one of its names.
  @Test(.enabled(if: Ability.tags.isPossible)) func rowsOfAllNamesLearnOfTheTagOfTheirFile() async throws {
    let observed = try await begin()
    let list = try #require(observed.observer.itemList(forDirectoryAt: path("d", observed)))
    for number in 0..<30 {
      try observed.root.write("d/new \(number)")
      try observed.root.link("d/new \(number)", "d/further \(number)")
    }
    #expect(
      try await comesTrue {
        list.update()
        return list.count == 62 && list.indices.allSatisfy { list.snapshot(at: $0).identity == .tag }
      })
    #expect(observed.observer.snapshot().allSatisfy { $0.identity == .tag })
  }

  @Test func childCountsAndFolderDatesAreAsOnDisk() async throws {
    let observed = try await begin()
    let list = try #require(observed.observer.itemList())
    let folder = list[3]
    #expect(folder.childCount == 2)
    func isAsOnDisk() throws -> Bool {
      folder.snapshot.modificationNanoseconds == (try observed.root.status("d").modified)
    }
    #expect(try isAsOnDisk())
    try observed.root.write("d/new.txt")
    try await observed.settle()
    #expect(try #require(await changes(list, observed)).modifications == [3])
    #expect(try folder.childCount == 3 && isAsOnDisk())
    try observed.root.unlink("d/x.txt")
    try observed.root.rename("d/e", "e")
    try await observed.settle()
    #expect(try #require(await changes(list, observed)).insertions == [4])
    #expect(try folder.childCount == 1 && isAsOnDisk())
    #expect(list.folder?.childCount == 5)
  }

  @Test func aDescriptorSaysWhenToUpdate() async throws {
    let observed = try await begin()
    let list = try #require(observed.observer.itemList())
    #expect(!isReadable(list.fileDescriptor))
    try observed.root.rename("a.txt", "c.txt")
    await observed.observer.synchronize()
    #expect(isReadable(list.fileDescriptor))
    #expect(list.update() != nil)
    #expect(!isReadable(list.fileDescriptor))
    list.order = .size
    #expect(isReadable(list.fileDescriptor))
  }

  @Test func aListWaitsForTheStartAndSurvivesARestart() async throws {
    let folder = try TestFolder("test")
    try folder.watched.write("a.txt")
    let observed = ObservedFolder(folder)
    let list = try #require(observed.observer.itemList())
    let whole = try #require(observed.observer.itemList(below: nil))
    #expect(list.isEmpty && list.folder == nil)
    try await observed.start()
    #expect(list.update()?.insertions == [0] && names(list) == ["a.txt"] && list.folder != nil)
    #expect(whole.update()?.insertions == [0] && names(whole) == ["a.txt"])
    let row = list[0]
    await observed.observer.stop()
    try observed.root.rename("a.txt", "b.txt")
    try observed.root.write("c.txt")
    try await observed.start()
    let changes = try #require(list.update())
    #expect(changes.isReset && changes.insertions == [1] && changes.modifications == [0] && changes.deletions == [])
    #expect(list[0] === row || !Ability.tags.isPossible)
    #expect(row.name == "b.txt" || !Ability.tags.isPossible)
    #expect(names(list) == ["b.txt", "c.txt"])
    await observed.observer.stop()
    for name in ["b.txt", "c.txt"] { try observed.root.unlink(name) }
    // Nothing is said of a run that finds nothing.
    try await observed.observer.start()
    #expect(try await comesTrue { list.update() != nil || list.isEmpty })
    #expect(list.isEmpty && row.isDeleted)
  }

  @Test func aListThatFellBehindIsReadAnew() async throws {
    let observed = try await begin()
    let list = try #require(observed.observer.itemList(forDirectoryAt: path("d", observed)))
    let row = try #require(list.first { $0.name == "x.txt" })
    observed.observer.loseEvents(of: list)
    try observed.root.write("d/w.txt")
    try await observed.settle()
    let changes = try #require(list.update())
    #expect(changes.isReset && changes.insertions == [1] && changes.deletions == [] && list.last === row)
  }
}

/// What an app knows of its documents.
@MainActor private final class Ratings: Sendable {
  var stars: [UUID: Double] = [:]
}
