#if Store
import FileTestSupport
import Foundation
import FoundationEssentials
import GRDB
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation
@testable import ObservationStore

/// An app keeps a copy of the tree with its cursor, and goes on from there, whatever has happened in between.
@Suite(.light) struct CursorTests {
  let scratch: ScratchFolder
  let store: ObservationStore
  var folder: FilePath { scratch.path("documents") }

  init() throws {
    scratch = try ScratchFolder()
    store = try ObservationStore(at: scratch.path("state/store"))
    try PlainFiles.makeFolder(at: folder)
    for number in 0..<8 { try PlainFiles.write([UInt8(number)], to: file(number)) }
  }

  func file(_ number: Int) -> FilePath { folder.appending("\(number).txt") }

  private func makeObserver() -> FileSystemObserver {
    var configuration = FileSystemObserver.Configuration(directory: folder)
    configuration.warnsWithoutListeners = false
    return FileSystemObserver(configuration, store: store)
  }

  /// Runs an observer; its scan is complete, and nothing is in doubt.
  @discardableResult
  func run<Result>(_ body: (FileSystemObserver) async throws -> Result) async throws -> Result {
    let observer = makeObserver()
    try await observer.start()
    await observer.synchronize()
    let result = try await body(observer)
    await observer.stop()
    return result
  }

  /// Renames a file to and fro, each time in a set of its own.
  func change(_ numbers: Range<Int>, _ observer: FileSystemObserver) async throws {
    for number in numbers {
      let aside = folder.appending("aside \(number)")
      try PlainFiles.rename(file(number % 8), to: aside)
      await observer.synchronize()
      try PlainFiles.rename(aside, to: file(number % 8))
      await observer.synchronize()
    }
  }

  /// A copy of an app's that takes events until it has those of a cursor.
  private struct Copy {
    var tree: FileSystemTree
    var resets: [FileSystemObserver.ResetReason] = []
    var sets: [UInt64] = []

    init(_ snapshot: FileSystemSnapshot) { tree = FileSystemTree(snapshot) }

    mutating func take(_ events: FileSystemObserver.Events, through cursor: FileSystemObserver.Cursor) async throws {
      for try await event in events {
        take(event)
        if tree.cursor == cursor { return }
      }
    }

    mutating func take(_ event: FileSystemObserver.Event) {
      tree.apply(event)
      if case .reset(_, let reason) = event { resets.append(reason) }
      if case .didChange(let changes) = event { sets.append(changes.sequence) }
    }
  }

  func cursor(_ observer: FileSystemObserver) throws -> FileSystemObserver.Cursor {
    try #require(observer.snapshot().cursor)
  }

  // MARK: - Cases

  /// Of this run, some of which the store does not have yet.
  @Test func whatWasMissedInThisRun() async throws {
    try await run { observer in
      let before = observer.snapshot()
      try await change(0..<3, observer)
      let events = observer.events(startingWith: .after(try #require(before.cursor)))
      try await change(3..<5, observer)
      var copy = Copy(before)
      try await copy.take(events, through: try cursor(observer))
      #expect(copy.resets == [] && copy.tree == FileSystemTree(observer.snapshot()))
      #expect(copy.sets == Array(before.sequence + 1...observer.snapshot().sequence))
    }
  }

  /// The app listens before the start; the cursor is of the run before the last one.
  @Test(arguments: [true, false]) func whatWasMissedSinceAnEarlierRun(_ listensBeforeTheStart: Bool) async throws {
    let before = try await run { observer in
      let snapshot = observer.snapshot()
      try await change(0..<2, observer)
      return snapshot
    }
    try PlainFiles.rename(file(0), to: folder.appending("renamed while away"))
    try await run { observer in try await change(2..<4, observer) }
    try PlainFiles.write([1, 2, 3], to: folder.appending("new while away"))
    let observer = makeObserver()
    let start = FileSystemObserver.Start.after(try #require(before.cursor))
    let early = listensBeforeTheStart ? observer.events(startingWith: start) : nil
    try await observer.start()
    let events = early ?? observer.events(startingWith: start)
    await observer.synchronize()
    try await change(4..<5, observer)
    var copy = Copy(before)
    try await copy.take(events, through: try cursor(observer))
    #expect(copy.resets == [] && copy.tree == FileSystemTree(observer.snapshot()))
    #expect(copy.sets == Array(before.sequence + 1...observer.snapshot().sequence))
    await observer.stop()
  }

  /// A listener keeps its place when the observer is stopped and started again.
  @Test func aListenerOutlastsTheRun() async throws {
    let observer = makeObserver()
    try await observer.start()
    await observer.synchronize()
    let before = observer.snapshot()
    let queue = try observer.makeEventQueue(startingWith: .after(try #require(before.cursor)))
    try await change(0..<2, observer)
    await observer.stop()
    try PlainFiles.rename(file(5), to: folder.appending("renamed while away"))
    try await observer.start()
    await observer.synchronize()
    var tree = FileSystemTree(before)
    queue.drain { event in
      if case .reset = event { Issue.record("it begins anew") }
      tree.apply(event)
    }
    #expect(tree == FileSystemTree(observer.snapshot()))
    await observer.stop()
  }

  /// A short command: it starts, waits, stops, and takes everything only then.
  @Test(arguments: [true, false]) func whatIsTakenAfterTheStop(_ listensBeforeTheStart: Bool) async throws {
    let before = try await run { observer in
      let snapshot = observer.snapshot()
      try await change(0..<2, observer)
      return snapshot
    }
    try PlainFiles.rename(file(5), to: folder.appending("renamed while away"))
    let observer = makeObserver()
    let start = FileSystemObserver.Start.after(try #require(before.cursor))
    let early = listensBeforeTheStart ? observer.events(startingWith: start) : nil
    let queue = try observer.makeEventQueue(startingWith: start)
    try await observer.start()
    let events = early ?? observer.events(startingWith: start)
    await observer.synchronize()
    try await change(2..<3, observer)
    let end = observer.snapshot()
    await observer.stop()
    // Another run with the store is not of this observer's.
    try await run { try await change(6..<7, $0) }
    var copy = Copy(before)
    var scans = 0
    for try await event in events {
      copy.take(event)
      if case .didCompleteFullScan = event { scans += 1 }
    }
    #expect(copy.resets == [] && copy.tree == FileSystemTree(end) && copy.tree.cursor == end.cursor)
    #expect(copy.sets == Array(before.sequence + 1...end.sequence))
    if listensBeforeTheStart { #expect(scans == 1) }
    var other = Copy(before)
    queue.drain { other.take($0) }
    #expect(other.resets == [] && other.sets == copy.sets && other.tree == copy.tree)
  }

  /// What was taken after the stop is not taken again after the next start, and nothing is left out.
  @Test func aQueueGoesOnAfterWhatItTookWhileStopped() async throws {
    let observer = makeObserver()
    try await observer.start()
    await observer.synchronize()
    let before = observer.snapshot()
    try await change(0..<2, observer)
    let queue = try observer.makeEventQueue(startingWith: .after(try #require(before.cursor)))
    await observer.stop()
    var copy = Copy(before)
    queue.drain { copy.take($0) }
    #expect(copy.tree == FileSystemTree(observer.snapshot()) && copy.tree.cursor == observer.snapshot().cursor)
    try PlainFiles.rename(file(5), to: folder.appending("renamed while away"))
    try await observer.start()
    await observer.synchronize()
    queue.drain { copy.take($0) }
    #expect(copy.resets == [] && copy.tree == FileSystemTree(observer.snapshot()))
    #expect(copy.sets == Array(before.sequence + 1...observer.snapshot().sequence))
    await observer.stop()
  }

  /// Another store is at the path, with sets of the same numbers.
  @Test func aStoreThatWasReplacedSinceIsNotRead() async throws {
    let before = try await run { $0.snapshot() }
    let observer = makeObserver()
    let events = observer.events(startingWith: .after(try #require(before.cursor)))
    try await observer.start()
    try await change(0..<2, observer)
    let end = observer.snapshot()
    await observer.stop()
    try FileManager.default.removeItem(atPath: store.path.string)
    try await run { try await change(3..<6, $0) }
    var copy = Copy(before)
    for try await event in events { copy.take(event) }
    #expect(copy.resets == [.resumed] && copy.sets == [] && copy.tree == FileSystemTree(end))
  }

  /// More than is read at once, and more than fits into the listener's buffer.
  @Test func whatIsMissedIsReadInParts() async throws {
    let before = try await run { $0.snapshot() }
    let reader = try await run { observer -> FileSystemSnapshot in
      for part in 0..<4 {
        for number in 0..<1_500 { try PlainFiles.write([], to: folder.appending("\(part)-\(number)")) }
        await observer.synchronize()
      }
      let events = observer.events(startingWith: .after(try #require(before.cursor)), bufferLimit: 10)
      var copy = Copy(before)
      try await copy.take(events, through: try cursor(observer))
      #expect(copy.resets == [] && copy.tree == FileSystemTree(observer.snapshot()))
      return observer.snapshot()
    }
    #expect(reader.count == before.count + 6_000)
  }

  @Test func aCursorThatNobodyKnowsLeadsToTheState() async throws {
    try await run { observer in
      try await change(0..<1, observer)
      let unknown = FileSystemObserver.Cursor(epoch: 1, number: 1)
      var copy = Copy(FileSystemSnapshot(directory: folder))
      try await copy.take(observer.events(startingWith: .after(unknown)), through: try cursor(observer))
      #expect(copy.resets == [.resumed] && copy.tree == FileSystemTree(observer.snapshot()))
      let state = try #require(try observer.changes(since: unknown).state)
      #expect(state.reason == .resumed && state.snapshot == observer.snapshot())
    }
  }

  /// Takes a set out of the store.
  private func forget(_ number: UInt64) throws {
    let file = try StoreFile.open(at: store.path)
    try file.queue.write { try $0.execute(sql: "DELETE FROM changes WHERE number = ?", arguments: [Int64(number)]) }
    file.close()
  }

  @Test func changesThatAreNoLongerKept() async throws {
    let before = try await run { observer in
      let snapshot = observer.snapshot()
      try await change(0..<2, observer)
      return snapshot
    }
    try forget(before.sequence + 2)
    try await run { observer in
      let old = try #require(before.cursor)
      var copy = Copy(before)
      try await copy.take(observer.events(startingWith: .after(old)), through: try cursor(observer))
      #expect(copy.resets == [.tooOld] && copy.tree == FileSystemTree(observer.snapshot()))
      let error = #expect(throws: ObservationStoreError.self) { try store.forEachChange(since: old) { _ in } }
      #expect(error?.code == .tooOld)
      var count = 0
      try store.forEachChange { _ in count += 1 }
      #expect(count == 3)
      #expect(try observer.changes(since: old).state?.reason == .tooOld)
    }
  }

  /// What is stored is of the whole tree: a listener of a part begins anew, unless it missed nothing.
  @Test func aListenerOfAPartBeginsAnew() async throws {
    try await run { observer in
      let before = observer.snapshot()
      let scope = FileSystemObserver.Scope.folder(try #require(observer.uuid(forItemAt: folder)))
      let current = try observer.makeEventQueue(startingWith: .after(try #require(before.cursor)), of: scope)
      try await change(0..<1, observer)
      let late = try observer.makeEventQueue(startingWith: .after(try #require(before.cursor)), of: scope)
      if case .didChange? = current.next() {} else { Issue.record("it missed nothing") }
      if case .reset(_, .resumed)? = late.next() {} else { Issue.record("it missed something") }
    }
  }
}

extension FileSystemObserver.Catchup {
  /// The state in their place.
  var state: (snapshot: FileSystemSnapshot, reason: FileSystemObserver.ResetReason)? {
    if case .reset(let snapshot, let reason) = self { (snapshot, reason) } else { nil }
  }
}
#endif
