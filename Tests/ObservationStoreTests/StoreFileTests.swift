#if Store
import FileTestSupport
import Foundation
import FoundationEssentials
import GRDB
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileSystemObservation
@testable import ObservationStore

/// The file of a store: made, locked, brought up to date, and put aside when it cannot be used.
struct StoreFileTests {
  private let folder: ScratchFolder
  private var path: FilePath { folder.path("state/notes/observation.sqlite") }

  init() throws {
    folder = try ScratchFolder()
  }

  /// A store with some sets.
  private func written(_ sets: Int = 3) throws -> StoredWorld {
    let file = try StoreFile.open(at: path)
    var world = StoredWorld(seed: 1)
    for _ in 0..<sets {
      world.change(20)
      try world.write(to: file)
    }
    file.close()
    return world
  }

  private func code(_ body: () throws -> Void) -> ObservationStoreError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? ObservationStoreError)?.code
    }
  }

  private var store: ObservationStore { get throws { try ObservationStore(at: path) } }

  private func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path.string))) }
  private func put(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path.string)) }

  // MARK: - Making

  @Test func aStoreIsMadeWithItsFoldersForItsOwnerOnly() throws {
    let world = try written()
    #expect(try FileSystemTree(store.snapshot()) == world.tree)
    let mode = try FileManager.default.attributesOfItem(atPath: path.string)[.posixPermissions] as? Int
    let folderMode =
      try FileManager.default.attributesOfItem(
        atPath: path.removingLastComponent().string)[.posixPermissions] as? Int
    #expect(mode == 0o600 && folderMode == 0o700)
    // Whoever may read the file beside it could read the store.
    let file = try StoreFile.open(at: path)
    var next = StoredWorld(seed: 2)
    try next.write(to: file)
    for name in try FileManager.default.contentsOfDirectory(atPath: path.removingLastComponent().string) {
      let other = path.removingLastComponent().appending(name).string
      #expect(try FileManager.default.attributesOfItem(atPath: other)[.posixPermissions] as? Int == 0o600)
    }
    file.close()
  }

  @Test func theUsualPlaceIsInTheFolderForState() throws {
    let store = try ObservationStore.standard(forApplication: "org.example.Notes")
    #expect(store.path.string.hasSuffix("/org.example.Notes/observation.sqlite"))
    for identifier in ["", "..", "a/b", "/"] {
      #expect(code { _ = try ObservationStore.standard(forApplication: identifier) } == .invalidArgument)
    }
    #expect(code { _ = try ObservationStore(at: "relative") } == .invalidArgument)
  }

  @Test func aStoreThatIsNotThereCannotBeRead() throws {
    #expect(code { _ = try store.snapshot() } == .notFound)
    // One that nothing was written to has no tree.
    try StoreFile.open(at: path).close()
    #expect(code { _ = try store.snapshot() } == .notFound)
  }

  // MARK: - Several programs

  @Test func aSecondWriterIsToldAndReadersAreWelcome() throws {
    let file = try StoreFile.open(at: path)
    #expect(code { _ = try StoreFile.open(at: path) } == .inUse)
    var world = StoredWorld(seed: 1)
    for _ in 0..<5 {
      world.change(10)
      try world.write(to: file)
      #expect(try FileSystemTree(store.snapshot()) == world.tree)
    }
    file.close()
    try StoreFile.open(at: path).close()
  }

  @Test func aReaderSeesOneStateWhileAnotherIsWritten() throws {
    let file = try StoreFile.open(at: path)
    var world = StoredWorld(seed: 1)
    world.change(10)
    try world.write(to: file)
    let before = world.tree
    let reader = try StoreFileReader(at: path)
    try reader.read { reading in
      _ = try reading.head()
      world.change(10)
      try world.write(to: file)
      #expect(FileSystemTree(try #require(try StoredTree.load(from: reading)).snapshot) == before)
    }
    #expect(try FileSystemTree(store.snapshot()) == world.tree)
    file.close()
  }

  @Test func theChangesAfterACursorAreRead() throws {
    let world = try written(5)
    let cursor = FileSystemObserver.Cursor(epoch: 7, number: 2)
    guard case .changes(let sets) = try store.changes(since: cursor) else { return #expect(Bool(false)) }
    #expect(sets.map(\.sequence) == [3, 4, 5])
    guard case .reset(let snapshot, .resumed) = try store.changes(since: .init(epoch: 8, number: 2)) else {
      return #expect(Bool(false))
    }
    #expect(FileSystemTree(snapshot) == world.tree && snapshot.cursor == .init(epoch: 7, number: 5))
    let item = try #require(sets.last?.last)
    let history = try store.history(of: item.uuid)
    #expect(history.last?.change == item && history.last?.cursor == .init(epoch: 7, number: 5))
  }

  @Test func oldSetsAreRemovedByAgeAndBySize() throws {
    _ = try written(10)
    let file = try StoreFile.open(at: path)
    func numbers() throws -> ClosedRange<UInt64>? { try file.read { try $0.setNumbers() } }
    #expect(try numbers() == 1...10)
    try file.write { try $0.removeSets(before: 4, keeping: .max) }
    #expect(try numbers() == 4...10)
    var sizes: [Int] = []
    try file.read { try $0.forEachSet(after: 7) { set in sizes.append(set.bytes.count) == () } }
    try file.write { try $0.removeSets(before: 0, keeping: sizes.reduce(0, +)) }
    #expect(try numbers() == 8...10)
    guard case .reset(_, .tooOld) = try store.changes(since: .init(epoch: 7, number: 5)) else {
      return #expect(Bool(false))
    }
    file.close()
  }

  @Test func aFullDiskIsAnErrorAndTheNextTransactionLacksNothing() throws {
    let file = try StoreFile.open(at: path)
    var world = StoredWorld(seed: 1)
    world.change(10)
    try world.write(to: file)
    let before = world.tree
    try file.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
    var next = world
    next.change(2_000)
    #expect(code { try next.write(to: file) } == .diskFull)
    #expect(try FileSystemTree(store.snapshot()) == before)
    try file.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
    world.change(2_000)
    try world.write(to: file)
    #expect(try FileSystemTree(store.snapshot()) == world.tree)
    file.close()
  }

  /// An app that begins anew does not know when the observer that it has released has ended.
  @Test func aWriterThatEndsIsWaitedFor() throws {
    let file = try StoreFile.open(at: path)
    let ending = try NativeThread(name: "ending") {
      usleep(50_000)
      file.close()
    }
    try StoreFile.openWithTree(at: path).0.close()
    ending.join()
  }

  @Test func aKilledWriterLeavesNoLock() throws {
    try StoreFile.open(at: path).close()
    let writer = Process()
    writer.executableURL = URL(filePath: "/usr/bin/flock")
    writer.arguments = ["--no-fork", path.string + "-lock", "sh", "-c", "echo; exec sleep 1000"]
    let output = Pipe()
    writer.standardOutput = output
    try writer.run()
    #expect(try output.fileHandleForReading.read(upToCount: 1)?.count == 1)
    #expect(code { _ = try StoreFile.open(at: path) } == .inUse)
    #expect(kill(writer.processIdentifier, SIGKILL) == 0)
    writer.waitUntilExit()
    try StoreFile.open(at: path).close()
  }

  @Test(arguments: [
    (Errno.readOnlyFileSystem, ObservationStoreError.Code.notWritable), (.permissionDenied, .notWritable),
    (.noSpace, .diskFull), (.diskQuotaExceeded, .diskFull), (.noSuchFileOrDirectory, .notFound), (.ioError, .failed),
  ])
  func eachErrorOfTheDiskHasACode(_ errno: Errno, _ code: ObservationStoreError.Code) {
    let error = ObservationStoreError(errno, at: path)
    #expect(error.code == code && error.path == path && error.message.contains("observation.sqlite"))
  }

  // MARK: - Versions

  @Test func aStoreOfTheFirstVersionIsBroughtUpToDate() throws {
    try FileManager.default.createDirectory(
      atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
    let old = try DatabaseQueue(path: path.string)
    try old.writeWithoutTransaction { try $0.execute(sql: "PRAGMA application_id = \(StoreSchema.applicationID)") }
    try StoreSchema.migrator.migrate(old, upTo: "1")
    try old.close()
    #expect(code { _ = try store.snapshot() } == .notReadable)
    let file = try StoreFile.open(at: path)
    #expect(file.problem == nil)
    var world = StoredWorld(seed: 1)
    world.change(10)
    try world.write(to: file)
    file.close()
    #expect(try FileSystemTree(store.snapshot()) == world.tree)
  }

  @Test func aStoreOfANewerVersionIsPutAside() throws {
    _ = try written()
    let newer = try DatabaseQueue(path: path.string)
    try newer.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('3')") }
    try newer.close()
    #expect(code { _ = try store.snapshot() } == .newerVersion)
    try expectAside(.newerVersion)
  }

  @Test func aPlaceBelowAFileIsExplained() throws {
    try PlainFiles.write([1], to: folder.path("file"))
    for name in ["file/observation.sqlite", "file/notes/observation.sqlite"] {
      let place = folder.path(name)
      let error = try #require(throws: ObservationStoreError.self) { try StoreFile.open(at: place) }
      #expect(error.message.contains("something above it is not a folder"))
      #expect(error.advice == "choose a place in a folder")
      let reading = try ObservationStore(at: place)
      #expect(throws: error) { try reading.snapshot() }
    }
  }

  /// What was stored can still be read by the one who wrote it.
  @Test func aClosedStoreIsRead() throws {
    let file = try StoreFile.open(at: path)
    var world = StoredWorld(seed: 1)
    world.change(20)
    try world.write(to: file)
    file.close()
    let tree = try file.read { try StoredTree.load(from: $0) }
    #expect(FileSystemTree(try #require(tree).snapshot) == world.tree)
    #expect(throws: (any Error).self) { try world.write(to: file) }
    #expect(throws: ObservationStoreError.self) {
      try file.read { _ in throw ObservationStoreError(code: .failed, message: "only once") }
    }
    // It can be opened again.
    try StoreFile.open(at: path).close()
  }

  // MARK: - Damage

  /// Opens the store, which must have been put aside, as it was, for a reason.
  private func expectAside(_ code: ObservationStoreError.Code) throws {
    let before = try bytes()
    let (file, tree) = try StoreFile.openWithTree(at: path)
    let problem = try #require(file.problem)
    #expect(tree == nil)
    #expect(problem.code == code)
    let aside = try #require(problem.asidePath)
    #expect(Array(try Data(contentsOf: URL(filePath: aside.string))) == before)
    var world = StoredWorld(seed: 3)
    world.change()
    try world.write(to: file)
    file.close()
    #expect(try FileSystemTree(store.snapshot()) == world.tree)
  }

  @Test(arguments: [100, 1_000, 4_096, 5_000]) func aTruncatedStoreIsPutAside(_ count: Int) throws {
    _ = try written()
    try put(Array(try bytes().prefix(count)))
    try expectAside(.corrupt)
  }

  @Test func aStoreOfZerosIsPutAside() throws {
    _ = try written()
    try put([UInt8](repeating: 0, count: try bytes().count))
    try expectAside(.corrupt)
  }

  @Test func severalStoresArePutAsideUnderDifferentNames() throws {
    for number in 1...3 {
      _ = try written()
      try put([UInt8](repeating: 0, count: 8_192 + number))
      try expectAside(.corrupt)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: path.removingLastComponent().string)
    #expect(names.filter { $0.contains("unusable") }.count == 3)
  }

  @Test func anEmptyFileBecomesAStore() throws {
    try FileManager.default.createDirectory(
      atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
    try put([])
    let file = try StoreFile.open(at: path)
    #expect(file.problem == nil)
    file.close()
  }

  @Test func anotherFileIsNotTouched() throws {
    try FileManager.default.createDirectory(
      atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
    let letter = Array("Dear reader, this is not a store, and it must stay as it is.\n".utf8)
    try put(letter)
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: path.removingLastComponent().string)
    }
    #expect(code { _ = try StoreFile.open(at: path) } == .notAStore)
    #expect(try names().count == 1)
    #expect(try bytes() == letter && code { _ = try store.snapshot() } == .notAStore)
    try FileManager.default.removeItem(atPath: path.string)
    let other = try DatabaseQueue(path: path.string)
    try other.write { try $0.execute(sql: "CREATE TABLE recipe (name TEXT)") }
    try other.close()
    let database = try bytes()
    #expect(code { _ = try StoreFile.open(at: path) } == .notAStore)
    #expect(try bytes() == database)
    try FileManager.default.removeItem(atPath: path.string)
    try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: false)
    #expect(code { _ = try StoreFile.open(at: path) } == .notAStore)
  }

  @Test func aDamagedPageIsAnErrorAndTheStoreCanBeBegunAnew() throws {
    _ = try written()
    let database = try DatabaseQueue(path: path.string)
    try database.write { try $0.execute(sql: "UPDATE chunk SET bytes = zeroblob(LENGTH(bytes)) WHERE kind = 0") }
    try database.close()
    #expect(code { _ = try store.snapshot() } == .corrupt)
    let file = try StoreFile.open(at: path)
    let problem = ObservationStoreError.corrupt(path, "a test says so")
    let next = try file.begin(anewBecause: problem)
    #expect(next.problem?.asidePath != nil && code { _ = try StoreFile.open(at: path) } == .inUse)
    next.close()
  }
}
#endif
