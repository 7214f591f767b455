import FileIdentity
import FileSystemObservation
import FileTestSupport
import FoundationEssentials
import Glibc
import LinuxFileSystem
import SystemPackage
import TestTraits
import Testing

/// Trashing and restoring in the trash of the home folder.
@Suite(.busy) struct TrashTests {
  private let operations = DocumentOperations(tag: FileTag())
  private let fixture: DocumentFixture
  private let home: ScratchFolder
  private let places: TrashPlaces
  private var folder: ScratchFolder { fixture.folder }
  private var trash: FilePath { home.path("data/Trash") }

  init() throws {
    fixture = try DocumentFixture()
    home = try ScratchFolder()
    places = TrashPlaces(home: home.path("data/Trash"))
  }

  private func info(_ name: String) throws -> String {
    String(decoding: try PlainFiles.read(trash.appending("info").appending(name)), as: UTF8.self)
  }

  @Test func aTrashedFileIsRestored() throws {
    let before = try TreeSnapshot(of: folder.path)
    let outcome = try operations.trash(fixture.path, places: places)
    let item = try #require(outcome.trashedItem)
    #expect(folder.names() == [])
    #expect(item.originalPath == fixture.path && item.uuid.map { UUIDBits($0) } == DocumentFixture.uuid)
    #expect(item.path == trash.appending("files/document.txt"))
    #expect(item.infoPath == trash.appending("info/document.txt.trashinfo"))
    #expect(try TreeSnapshot(of: trash.appending("files")).items["document.txt"] == before.items["document.txt"])
    #expect(try info("document.txt.trashinfo").hasPrefix("[Trash Info]\nPath=\(fixture.path)\nDeletionDate=20"))
    for name in ["", "files", "info"] {
      #expect(try PlainFiles.status(of: trash.appending(name)).st_mode & 0o777 == 0o700)
    }
    #expect(operations.trashedItems(onFileSystemsOf: [], places: places).items == [item])
    let restored = try operations.restore(item)
    #expect(try TreeSnapshot(of: folder.path) == before)
    #expect(try restored.item.status == FileStatus.of(path: fixture.path))
    #expect(try TreeSnapshot(of: trash).items.keys.sorted() == ["files", "info"])
  }

  @Test func nothingStaysOfATrashFolderThatWasMadeInVain() throws {
    let path = folder.path("d")
    try PlainFiles.makeFolder(at: path)
    // A folder cannot be put into itself.
    #expect(throws: FileSystemObserverError.self) {
      try operations.trash(path, places: TrashPlaces(home: path.appending("data/Trash")))
    }
    #expect(try TreeSnapshot(of: path).items.keys.sorted() == [])
  }

  /// A call that fails removes the empty folders that it made, which the other calls may just have opened.
  @Test func filesAreTrashedWhileOthersFail() async throws {
    for round in 0..<40 {
      let d = folder.path("d\(round)")
      let places = TrashPlaces(home: d.appending("data/Trash"))
      try PlainFiles.makeFolder(at: d)
      let paths = try (0..<4).map { number in
        let path = folder.path("\(round)-\(number)")
        try PlainFiles.write("text".utf8, to: path)
        return path
      }
      let trashed = await withTaskGroup { [operations] group in
        for path in paths {
          group.addTask { Result { try operations.trash(path, places: places) } }
          group.addTask { Result { try operations.trash(d, places: places) } }
        }
        return await group.reduce(into: 0) { count, result in count += (try? result.get()) == nil ? 0 : 1 }
      }
      #expect(trashed == paths.count)
    }
  }

  /// All of them find the folder missing, and one of them may remove it after an error.
  @Test func filesOfAMissingFolderAreRestoredTogether() async throws {
    for round in 0..<40 {
      let parent = folder.path("\(round)")
      try PlainFiles.makeFolder(at: parent)
      let items = try (0..<4).map { number in
        let path = parent.appending("\(number)")
        try PlainFiles.write("text".utf8, to: path)
        return try #require(try operations.trash(path, places: places).trashedItem)
      }
      try PlainFiles.removeFolder(parent)
      let restored = await withTaskGroup { [operations] group in
        for item in items {
          group.addTask { Result { try operations.restore(item) } }
          // No file can have this name.
          let impossible = parent.appending(String(repeating: "n", count: 300))
          group.addTask { Result { try operations.restore(item, to: impossible) } }
        }
        return await group.reduce(into: 0) { count, result in count += (try? result.get()) == nil ? 0 : 1 }
      }
      #expect(restored == items.count)
    }
  }

  @Test func aTrashedItemIsKeptByTheApp() throws {
    let item = try #require(try operations.trash(fixture.path, places: places).trashedItem)
    let data = try JSONEncoder().encode(item)
    #expect(try JSONDecoder().decode(FileSystemObserver.TrashedItem.self, from: data) == item)
    #expect(item.description.contains("document.txt"))
  }

  @Test func foldersAndLinksAreTrashedThemselves() throws {
    let tree = try TreeFixture(in: folder)
    try PlainFiles.makeSymlink(at: folder.path("link"), to: fixture.path)
    let before = try TreeSnapshot(of: folder.path)
    let items = try [tree.path, folder.path("link")].map { path in
      try #require(try operations.trash(path, places: places).trashedItem)
    }
    #expect(folder.names() == ["document.txt"])
    for item in items { _ = try operations.restore(item) }
    #expect(try TreeSnapshot(of: folder.path) == before)
  }

  /// The file `directorysizes`, which file managers read.
  @Test func theSizeOfATrashedFolderIsNoted() throws {
    let (tree, sizes) = (try TreeFixture(in: folder), trash.appending("directorysizes"))
    let item = try #require(try operations.trash(tree.path, places: places).trashedItem)
    _ = try operations.trash(fixture.path, places: places)
    let other = try operations.createFolder(at: folder.path("a b"))
    #expect(other.item.status.kind == .directory)
    _ = try operations.trash(folder.path("a b"), places: places)
    let lines = String(decoding: try PlainFiles.read(sizes), as: UTF8.self).split(separator: "\n")
    #expect(lines.map { $0.split(separator: " ").last } == ["tree", "a%20b"])
    let words = lines[0].split(separator: " ")
    #expect(try #require(Int(words[0])) >= 100_000)
    #expect(try Int(words[1]) == PlainFiles.status(of: item.infoPath).st_mtim.tv_sec)
    _ = try operations.restore(item)
    #expect(try PlainFiles.read(sizes).split(separator: 10).count == 1)
  }

  @Test func namesThatClashGetNumbers() throws {
    for number in 0..<3 {
      try PlainFiles.write([UInt8(number)], to: folder.path("same.txt"))
      let item = try #require(try operations.trash(folder.path("same.txt"), places: places).trashedItem)
      #expect(item.path.lastComponent?.string == ["same.txt", "same.2.txt", "same.3.txt"][number])
      #expect(item.infoPath.lastComponent?.string == (item.path.lastComponent?.string ?? "") + ".trashinfo")
    }
    // An item without its info file is in the way, too.
    try PlainFiles.write([7], to: trash.appending("files/other"))
    try PlainFiles.write([8], to: folder.path("other"))
    let item = try #require(try operations.trash(folder.path("other"), places: places).trashedItem)
    #expect(item.path.lastComponent == "other.2")
    #expect(try PlainFiles.read(trash.appending("files/other")) == [7])
    #expect(try TreeSnapshot.names(in: trash.appending("info")).count == 4)
  }

  @Test(arguments: [
    [UInt8](repeating: 0xff, count: 255), Array("with % space\nand line".utf8),
    Array((String(repeating: "ä", count: 120) + ".extension").utf8),
  ])
  func strangeNamesComeBack(_ name: [UInt8]) throws {
    let path = folder.path.appending(bytes: name)
    try PlainFiles.write([1], to: path)
    let item = try #require(try operations.trash(path, places: places).trashedItem)
    #expect(item.originalPath == path)
    let listed = operations.trashedItems(onFileSystemsOf: [], places: places)
    #expect(listed.problems == [] && listed.items == [item])
    _ = try operations.restore(try #require(listed.items.first))
    #expect(try PlainFiles.read(path) == [1])
  }

  /// The local time, as the specification wants it.
  @Test func theDateIsThatOfTheTimeZone() async throws {
    await #expect(processExitsWith: .exitCode(0)) {
      [path = fixture.path.string as String, trash = trash.string as String] in
      unsafe setenv("TZ", "XYZ-14", 1)
      let (path, trash) = (FilePath(path), FilePath(trash))
      let item = try DocumentOperations(tag: FileTag()).trash(path, places: TrashPlaces(home: trash)).trashedItem
      guard let item, let date = item.deletionDate else { exit(1) }
      unsafe setenv("TZ", "UTC", 1)
      let expected = LocalTime(seconds: Int64(date.timeIntervalSince1970) + 14 * 3600)
      let info = String(decoding: try PlainFiles.read(item.infoPath), as: UTF8.self)
      let hour = expected.hour < 10 ? "0\(expected.hour)" : "\(expected.hour)"
      exit(info.contains("T\(hour):") ? 0 : 2)
    }
  }

  @Test func whatIsThereIsNotReplaced() throws {
    let item = try #require(try operations.trash(fixture.path, places: places).trashedItem)
    try PlainFiles.write([5], to: fixture.path)
    let before = try TreeSnapshot(of: home.path)
    try folder.expectUnchanged(.fileExists) { _ = try operations.restore(item) }
    #expect(try TreeSnapshot(of: home.path) == before)
    _ = try operations.restore(item, to: folder.path("elsewhere"))
    #expect(try PlainFiles.read(folder.path("elsewhere")) == DocumentFixture.oldContents)
  }

  @Test func withoutItsFolderItStaysInTheTrash() throws {
    let item = try #require(try operations.trash(fixture.path, places: places).trashedItem)
    let before = try TreeSnapshot(of: home.path)
    let error = try folder.expectUnchanged(.noSuchFileOrDirectory) {
      _ = try operations.restore(item, to: folder.path("missing/document.txt"), createsIntermediates: false)
    }
    #expect(error?.message.contains("the item is still in the trash: create the folder first") == true)
    #expect(try TreeSnapshot(of: home.path) == before)
  }

  @Test func missingFoldersAreMadeAgain() throws {
    let path = folder.path("a/b/document.txt")
    _ = try operations.createFolder(at: folder.path("a/b"), withIntermediates: true)
    try PlainFiles.rename(fixture.path, to: path)
    let item = try #require(try operations.trash(path, places: places).trashedItem)
    try operations.remove(folder.path("a"))
    try folder.expectUnchanged(.noSuchFileOrDirectory) {
      _ = try operations.restore(item, createsIntermediates: false)
    }
    let failing = DocumentOperations(tag: FileTag()) { [folder] (step) throws(Errno) in
      if step == .publish, folder.names() == ["a"] { throw .ioError }
    }
    try folder.expectUnchanged(.ioError) { _ = try failing.restore(item) }
    let outcome = try operations.restore(item)
    #expect(outcome.createdFolders.map(\.path) == ["", "b"])
    #expect(try PlainFiles.read(path) == DocumentFixture.oldContents)
  }

  @Test func whatIsGoneCannotBeRestored() throws {
    let item = try #require(try operations.trash(fixture.path, places: places).trashedItem)
    try PlainFiles.remove(item.path)
    try folder.expectUnchanged(.noSuchFileOrDirectory) { _ = try operations.restore(item) }
    let listed = operations.trashedItems(onFileSystemsOf: [], places: places)
    #expect(listed.items == [] && listed.problems.map(\.path) == [item.infoPath])
  }

  /// Dates in the trash are those of whole seconds.
  @Test func whatIsTrashedLaterIsListedLater() throws {
    var trashed: [FileSystemObserver.TrashedItem] = []
    for round in 0..<12 {
      try PlainFiles.write([UInt8(round)], to: fixture.path)
      trashed.append(try #require(try operations.trash(fixture.path, places: places).trashedItem))
    }
    #expect(operations.trashedItems(onFileSystemsOf: [], places: places).items.map(\.path) == trashed.map(\.path))
  }

  @Test func badInfoFilesAreReported() throws {
    let item = try #require(try operations.trash(fixture.path, places: places).trashedItem)
    let info = trash.appending("info")
    try PlainFiles.write(Array("nonsense".utf8), to: info.appending("bad.trashinfo"))
    try PlainFiles.write(Array("[Trash Info]\nPath=relative\n".utf8), to: info.appending("relative.trashinfo"))
    try PlainFiles.write(Array("[Trash Info]\nPath=/a/../../b\n".utf8), to: info.appending("dots.trashinfo"))
    try PlainFiles.makePipe(at: info.appending("pipe.trashinfo"))
    try PlainFiles.makeSymlink(at: info.appending("link.trashinfo"), to: item.infoPath)
    try PlainFiles.write([], to: info.appending("unrelated"))
    let listed = operations.trashedItems(onFileSystemsOf: [], places: places)
    #expect(listed.items == [item])
    #expect(listed.problems.count == 5)
    #expect(listed.problems.allSatisfy { $0.message.contains("passed over") })
  }

  @Test(arguments: [DocumentOperations.Step.checkItem, .createFile, .writeContents, .publish])
  func aStepThatFailsLeavesEverythingAsItWas(_ step: DocumentOperations.Step) throws {
    try operations.remove(try #require(try operations.trash(fixture.path, places: places).trashedItem).path)
    let path = try DocumentFixture.make(in: folder)
    let before = try TreeSnapshot(of: home.path)
    let failing = DocumentOperations(failingBefore: step, with: .noSpace)
    try folder.expectUnchanged(.noSpace) { _ = try failing.trash(path, places: places) }
    #expect(try TreeSnapshot(of: home.path).items.keys == before.items.keys)
    #expect(try TreeSnapshot(of: home.path).leftOvers == [])
    let item = try #require(try operations.trash(path, places: places).trashedItem)
    if step == .publish || step == .checkItem {
      #expect(throws: FileSystemObserverError.self) { try failing.restore(item) }
      #expect(try PlainFiles.read(item.path) == DocumentFixture.oldContents)
    }
  }

  @Test func theInfoFileComesFirstAndTheItemLeavesInTheCommit() throws {
    let operations = DocumentOperations(
      tag: FileTag(),
      committing: { [folder, trash] (_, commit) throws(Errno) in
        #expect(folder.names() == ["document.txt"])
        try commit()
        #expect(folder.names() == [])
        #expect((try? TreeSnapshot(of: trash).items.count) == 4)
      })
    _ = try operations.trash(fixture.path, places: places)
  }

  @Test func aFolderWithTheTrashInItIsNotTrashed() throws {
    let item = try #require(try operations.trash(fixture.path, places: places).trashedItem)
    let error = #expect(throws: FileSystemObserverError.self) { try operations.trash(home.path, places: places) }
    #expect(error?.code == .invalidArgument)
    #expect(try PlainFiles.read(item.path) == DocumentFixture.oldContents)
  }
}

extension DocumentFixture {
  /// A plain document.
  static func make(in folder: ScratchFolder) throws -> FilePath {
    let path = folder.path("document.txt")
    try PlainFiles.write(oldContents, to: path)
    return path
  }
}
