#if Store
import FileTestSupport
import Foundation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation
@testable import ObservationStore

// What an app asks an observer for: changes since a cursor, and the history of an item.

extension CursorTests {
  @Test func theChangesSinceACursorAndTheHistoryOfADocument() async throws {
    let uuid = try await run { observer in
      let uuid = try #require(observer.uuid(forItemAt: file(3)))
      try await change(3..<4, observer)
      return uuid
    }
    try PlainFiles.rename(file(3), to: folder.appending("renamed while away"))
    try await run { observer in
      let cursor = try cursor(observer)
      #expect(try observer.changes(since: cursor).sets?.isEmpty == true)
      try PlainFiles.rename(folder.appending("renamed while away"), to: file(3))
      await observer.synchronize()
      #expect(try observer.changes(since: cursor).sets?.flatMap { $0.map(\.kind) } == [.renamed])
      let names = try observer.history(of: uuid).map { $0.change.item.name }
      #expect(names == ["aside 3", "3.txt", "renamed while away", "3.txt"])
      #expect(try observer.history(of: UUID()).isEmpty)
    }
  }

  /// A store that was restored from a backup knows less than the tags: no document gets another identity.
  @Test func aStoreFromABackupChangesNoIdentity() async throws {
    let past = Date(timeIntervalSinceNow: -3_600)
    for number in 0..<8 {
      try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: file(number).string)
    }
    let old = try await run { $0.snapshot().cursor }
    let backup = scratch.path("backup").string
    try FileManager.default.copyItem(atPath: store.path.string, toPath: backup)
    let (tree, later) = try await run { observer in
      // A save with a backup, a move with a new document at the old name, and a copy.
      try PlainFiles.rename(file(0), to: folder.appending("0.txt~"))
      try PlainFiles.write([0, 1], to: file(0))
      try PlainFiles.rename(file(1), to: folder.appending("moved.txt"))
      try PlainFiles.write([1, 1], to: file(1))
      try Command.run("cp", "-a", file(2).string, folder.appending("copy.txt").string)
      await observer.synchronize()
      return (FileSystemTree(observer.snapshot()), try cursor(observer))
    }
    try FileManager.default.removeItem(atPath: store.path.string)
    try FileManager.default.copyItem(atPath: backup, toPath: store.path.string)
    try await run { observer in
      #expect(FileSystemTree(observer.snapshot()) == tree)
      // What the backup has not is not known; what it has is.
      #expect(try observer.changes(since: later).state?.reason == .resumed)
      let since = try #require(old)
      #expect(try observer.changes(since: since).sets?.isEmpty == false)
    }
  }

  /// Several directories have one store and one cursor; another directory is added while away.
  @Test func severalDirectories() async throws {
    let paths = ["a", "b", "c"].map { scratch.path("group/\($0)") }
    try PlainFiles.makeFolder(at: scratch.path("group"))
    for path in paths { try PlainFiles.makeFolder(at: path) }
    for name in ["1", "2"] { try PlainFiles.write([1], to: paths[0].appending(name)) }
    func run(_ paths: some Sequence<FilePath>, _ body: (FileSystemObserver) async throws -> Void) async throws {
      var configuration = FileSystemObserver.Configuration(directories: Array(paths))
      configuration.warnsWithoutListeners = false
      let observer = FileSystemObserver(configuration, store: store)
      try await observer.start()
      await observer.synchronize()
      try await body(observer)
      await observer.stop()
    }
    var cursor: FileSystemObserver.Cursor?
    try await run(paths.prefix(2)) { cursor = $0.snapshot().cursor }
    try PlainFiles.rename(paths[0].appending("1"), to: paths[1].appending("1"))
    try PlainFiles.write([1], to: paths[2].appending("3"))
    let since = try #require(cursor)
    try await run(paths) { observer in
      let sets = try #require(try observer.changes(since: since).sets)
      let said = sets.flatMap { $0.filter { $0.kind != .copyFinished }.map { "\($0.kind) \($0.item.name)" } }
      // Only parents come before what is in them.
      #expect(said.sorted() == ["discovered 3", "discovered c", "moved 1"])
      #expect(said.filter { $0 != "moved 1" } == ["discovered c", "discovered 3"])
    }
  }

  /// So it is among more changes than are read at once, in the same set or in the sets after it.
  @Test(arguments: [true, false]) func whatAMovedFolderTookAlongAmongManyChanges(isOneSet: Bool) async throws {
    try PlainFiles.makeFolder(at: folder.appending("old"))
    for name in ["x", "y"] { try PlainFiles.write([1], to: folder.appending("old/\(name)")) }
    let since = try await run { try cursor($0) }
    try PlainFiles.rename(folder.appending("old"), to: folder.appending("new"))
    if !isOneSet { try await run { _ in } }
    // Each is discovered and finished.
    try PlainFiles.makeFolder(at: folder.appending("many"))
    for number in 0..<2_100 { try PlainFiles.write([], to: folder.appending("many/\(number)")) }
    try await run { _ in }
    try await run { observer in
      let queue = try observer.makeEventQueue(startingWith: .after(since))
      var sets: [FileSystemChanges] = []
      while let event = queue.next() { if case .didChange(let changes) = event { sets.append(changes) } }
      #expect(sets.count == (isOneSet ? 1 : 2))
      let first = try #require(sets.first)
      let move = try #require(first.first { $0.kind == .renamed })
      #expect(Set(first.movesBelow(move).map(\.item.relativePath)) == ["new/x", "new/y"])
      #expect(sets.reduce(0) { $0 + $1.count } > 4_200)
    }
  }

  /// What a moved folder took along is listed, as it is live.
  @Test func whatAMovedFolderTookAlong() async throws {
    try PlainFiles.makeFolder(at: folder.appending("old"))
    for name in ["x", "y"] { try PlainFiles.write([1], to: folder.appending("old/\(name)")) }
    let since = try await run { try cursor($0) }
    try await run { observer in
      try PlainFiles.rename(folder.appending("old"), to: folder.appending("new"))
      await observer.synchronize()
      try PlainFiles.rename(folder.appending("new/x"), to: folder.appending("x"))
      await observer.synchronize()
      let queue = try observer.makeEventQueue(startingWith: .after(since))
      let asked = try #require(try observer.changes(since: since).sets?.first)
      let live: FileSystemChanges? = if case .didChange(let changes)? = queue.next() { changes } else { nil }
      for set in [try #require(live), asked] {
        let move = try #require(set.first)
        #expect(Set(set.movesBelow(move).map(\.item.relativePath)) == ["new/x", "new/y"])
      }
    }
  }

  @Test func withoutAStoreOrARun() async throws {
    let observer = FileSystemObserver(directory: folder)
    let some = FileSystemObserver.Cursor(epoch: 1, number: 1)
    #expect(throws: FileSystemObserverError.self) { try observer.changes(since: some) }
    let token = observer.addNotificationBlock { _, _ in }
    try await observer.start()
    await observer.synchronize()
    let current = try cursor(observer)
    #expect(try observer.changes(since: current).sets?.isEmpty == true && observer.changes(since: some).sets == nil)
    let error = #expect(throws: FileSystemObserverError.self) { try observer.history(of: UUID()) }
    #expect(error?.code == .storeUnavailable)
    await observer.stop()
    token.invalidate()
  }
}

extension FileSystemObserver.Catchup {
  /// The sets, if they are known.
  fileprivate var sets: [FileSystemChanges]? { if case .changes(let sets) = self { sets } else { nil } }
}
#endif
