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

/// What is announced of what happened while no observer was running.
@Suite(.light) struct ResumeTests {
  private let scratch: ScratchFolder
  private let store: ObservationStore
  private var folder: FilePath { scratch.path("documents") }

  init() throws {
    scratch = try ScratchFolder()
    store = try ObservationStore(at: scratch.path("state/store"))
    try FileManager.default.createDirectory(atPath: scratch.path("documents").string, withIntermediateDirectories: true)
  }

  // MARK: - Helpers

  private func path(_ name: String) -> String { folder.appending(name).string }

  private func write(_ name: String, _ text: String = "text") throws {
    let url = URL(filePath: path(name))
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try PlainFiles.write(text.utf8, to: FilePath(path(name)))
  }

  private func move(_ old: String, _ new: String) throws {
    #expect(unsafe rename(path(old), path(new)) == 0)
  }

  /// Makes what is on disk older than any window.
  private func rest() throws {
    let past = Date(timeIntervalSinceNow: -3_600)
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.string) {
      try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path(name))
    }
  }

  /// Starts an observer; everything that it announces until its scan is complete.
  private func started(_ observer: FileSystemObserver) async throws -> [FileSystemObserver.Event] {
    let events = observer.events(startingWith: .now)
    try await observer.start()
    var (seen, isScanned): ([FileSystemObserver.Event], Bool) = ([], false)
    for try await event in events {
      seen.append(event)
      if case .didCompleteFullScan = event { isScanned = true }
      // A process that other tests start may hold a file open for a moment.
      if isScanned, !observer.snapshot().contains(where: \.isCopying) { break }
    }
    return seen
  }

  /// Runs an observer until its scan is announced; everything that it announces, and its tree in the end.
  @discardableResult
  private func run(
    adjusting adjust: (inout FileSystemObserver.Configuration) -> Void = { _ in },
    then body: (FileSystemObserver) async throws -> Void = { _ in }
  ) async throws -> (events: [FileSystemObserver.Event], snapshot: FileSystemSnapshot) {
    var configuration = FileSystemObserver.Configuration(directory: folder)
    configuration.warnsWithoutListeners = false
    adjust(&configuration)
    let observer = FileSystemObserver(configuration, store: store)
    let seen = try await started(observer)
    try await body(observer)
    let snapshot = observer.snapshot()
    await observer.stop()
    return (seen, snapshot)
  }

  /// Changes in a few words, but for the ends of copies.
  private func said(_ events: [FileSystemObserver.Event]) -> [String] {
    events.flatMap { event -> [String] in
      guard case .didChange(let changes) = event else { return [] }
      return changes.filter { $0.kind != .copyFinished }.map { change in
        let name = change.item.relativePath.string
        guard let previous = change.previousPath else { return "\(change.kind) \(name)" }
        return "\(change.kind) \(previous.string.dropFirst(folder.string.count + 1)) -> \(name)"
      }
    }
  }

  private func sets(_ events: [FileSystemObserver.Event]) -> Int {
    events.count { event in
      guard case .didChange(let changes) = event else { return false }
      return changes.contains { $0.kind != .copyFinished }
    }
  }

  /// Which item is where: tags are written a moment after an item is announced.
  private func places(_ snapshot: FileSystemSnapshot) -> [String] {
    snapshot.map { "\($0.path) \($0.uuid) \($0.size)" }
  }

  private func uuid(_ name: String, in snapshot: FileSystemSnapshot) throws -> UUID {
    try #require(snapshot[folder.appending(name)]).uuid
  }

  // MARK: - Cases

  @Test func whereNothingHappenedNothingIsSaid() async throws {
    try write("letter.odt")
    try write("folder/notes.txt")
    try rest()
    let before = try await run().snapshot
    let (events, after) = try await run()
    #expect(said(events) == [])
    #expect(Array(after) == Array(before) && after.sequence == before.sequence)
    guard case .willBeginFullScan(.resumed) = events.first, case .didCompleteFullScan(let summary) = events.last else {
      return #expect(Bool(false))
    }
    #expect(summary.itemCount == 3 && summary.reason == .resumed)
  }

  @Test func allThatHappenedIsSaidInOneSetInTheWordsOfTheLiveObserver() async throws {
    for name in ["renamed", "moved", "saved", "replaced", "removed", "copied", "same"] {
      try write("\(name).odt", name)
    }
    try write("folder/inside.odt")
    try write("old/deep.odt")
    try rest()
    let before = try await run().snapshot
    try move("renamed.odt", "new name.odt")
    try move("moved.odt", "folder/moved.odt")
    try write("saved.odt", "saved again")
    try write("replaced.odt~new", "written beside it")
    try move("replaced.odt~new", "replaced.odt")
    try FileManager.default.removeItem(atPath: path("removed.odt"))
    try Command.run("cp", "-a", path("copied.odt"), path("copy of it.odt"))
    try write("new.odt")
    try move("old", "new folder")
    let (events, after) = try await run()
    #expect(sets(events) == 1)
    for case .didChange(let changes) in events { #expect(changes.allSatisfy { $0.origin == .unknown }) }
    #expect(
      said(events).sorted() == [
        "deleted removed.odt", "discovered new.odt", "duplicated copy of it.odt", "modified replaced.odt",
        "modified saved.odt", "moved moved.odt -> folder/moved.odt", "renamed old -> new folder",
        "renamed renamed.odt -> new name.odt",
      ])
    for (old, new) in [
      ("renamed.odt", "new name.odt"), ("moved.odt", "folder/moved.odt"), ("saved.odt", "saved.odt"),
      ("replaced.odt", "replaced.odt"), ("copied.odt", "copied.odt"), ("old/deep.odt", "new folder/deep.odt"),
    ] {
      #expect(try uuid(new, in: after) == uuid(old, in: before), "\(new)")
    }
    #expect(after.sequence == before.sequence + 1)
    // The copy has a UUID of its own, and the store has it all.
    #expect(Set(after.map(\.uuid)).count == after.count)
    #expect(try places(store.snapshot()) == places(after))
    #expect(try said(await run().events) == [])
  }

  /// What the comparison finds leads to further looks, windows and copies: all of it is one set.
  @Test func whatFollowsFromTheComparisonIsInTheSameSet() async throws {
    for name in ["project/plan.txt", "project/deep/er/note.txt", "backed up.txt", "first.txt", "second.txt"] {
      try write(name)
    }
    try rest()
    try await run()
    try move("project", "venture")
    try FileManager.default.removeItem(atPath: path("venture/plan.txt"))
    try write("venture/deep/er/note.txt~new", "saved in a moved folder")
    try move("venture/deep/er/note.txt~new", "venture/deep/er/note.txt")
    try Command.run("sed", "-i.bak", "s/t/T/", path("backed up.txt"))
    try move("first.txt", "third")
    try move("second.txt", "first.txt")
    try move("third", "second.txt")
    try write("first.txt", "exchanged and saved")
    let (events, _) = try await run()
    #expect(sets(events) == 1)
    #expect(
      said(events).sorted() == [
        "deleted project/plan.txt", "duplicated backed up.txt.bak", "modified backed up.txt", "modified first.txt",
        "modified venture/deep/er/note.txt", "renamed first.txt -> second.txt", "renamed project -> venture",
        "renamed second.txt -> first.txt",
      ])
  }

  @Test func aListenerWithASnapshotBeginsWithTheStoredTreeAndItsCopyIsRight() async throws {
    for number in 0..<20 { try write("folder \(number % 3)/file \(number)") }
    try rest()
    try await run()
    try move("folder 1/file 1", "folder 2/another name")
    try FileManager.default.removeItem(atPath: path("folder 0/file 3"))
    let observer = FileSystemObserver(FileSystemObserver.Configuration(directory: folder), store: store)
    let events = observer.events()
    try await observer.start()
    var tree = FileSystemTree(directory: folder)
    for try await event in events {
      tree.apply(event)
      if case .didCompleteFullScan = event { break }
    }
    #expect(tree == FileSystemTree(observer.snapshot()))
    #expect(tree[folder.appending("folder 2/another name")] != nil && tree[folder.appending("folder 0/file 3")] == nil)
    await observer.stop()
  }

  @Test func changesWhileItRunsAreInTheStoreAndItsJournal() async throws {
    try write("letter.odt")
    try rest()
    let first = try await run(then: { observer in
      let events = observer.events(startingWith: .now)
      try move("letter.odt", "renamed.odt")
      for try await event in events { if case .didChange = event { break } }
    })
    let uuid = try uuid("renamed.odt", in: first.snapshot)
    #expect(try places(store.snapshot()) == places(first.snapshot))
    #expect(try store.history(of: uuid).map(\.change.kind) == [.renamed])
    let cursor = try #require(first.snapshot.cursor)
    guard case .changes(let none) = try store.changes(since: cursor) else { return #expect(Bool(false)) }
    #expect(none.isEmpty)
    try move("renamed.odt", "again.odt")
    try await run()
    guard case .changes(let sets) = try store.changes(since: cursor) else { return #expect(Bool(false)) }
    #expect(sets.flatMap { $0.map(\.kind) } == [.renamed])
    #expect(try store.history(of: uuid).map(\.change.item.path.lastComponent?.string) == ["renamed.odt", "again.odt"])
  }

  @Test func whatIsExcludedByNowHasMovedOut() async throws {
    try write("letter.odt")
    try write("build.tmp")
    try rest()
    try await run()
    let (events, _) = try await run(adjusting: { $0.excludedPatterns = ["*.tmp"] })
    #expect(said(events) == ["deleted build.tmp"])
    let again = try await run()
    #expect(said(again.events) == ["discovered build.tmp"])
  }

  @Test func theStoreOfAnotherFolderIsPutAside() async throws {
    try write("letter.odt")
    try rest()
    try await run()
    try FileManager.default.moveItem(atPath: folder.string, toPath: scratch.path("elsewhere").string)
    try write("other.odt")
    let (events, snapshot) = try await run()
    #expect(snapshot.map(\.path.lastComponent?.string) == ["other.odt"])
    let problems = events.compactMap { event -> FileSystemObserver.Diagnostic.Code? in
      if case .diagnostic(let diagnostic) = event { diagnostic.code } else { nil }
    }
    #expect(problems == [.storeUnavailable])
  }

  @Test func aFolderThatWasMovedAsAWholeIsTheSame() async throws {
    try write("letter.odt")
    try rest()
    let before = try await run().snapshot
    try FileManager.default.moveItem(atPath: folder.string, toPath: scratch.path("elsewhere").string)
    let observer = FileSystemObserver(
      FileSystemObserver.Configuration(directory: scratch.path("elsewhere")), store: store)
    let seen = try await started(observer)
    #expect(sets(seen) == 0 && observer.snapshot().map(\.uuid) == before.map(\.uuid))
    await observer.stop()
  }

  @Test func aTagThatWasRemovedMeanwhileIsPutBack() async throws {
    try write("letter.odt")
    try rest()
    let before = try await run().snapshot
    let uuid = try uuid("letter.odt", in: before)
    try Command.run("setfattr", "-x", "user.fsobserver.uuid", path("letter.odt"))
    let (events, after) = try await run()
    #expect(said(events) == [])
    #expect(try self.uuid("letter.odt", in: after) == uuid)
    try FileManager.default.removeItem(atPath: store.path.string)
    // The tag alone says which file it is.
    #expect(try await self.uuid("letter.odt", in: run().snapshot) == uuid)
  }

  /// Such a run ends with a write of its own, and must not put a gap in the place of the last set.
  @Test func aRunWithoutChangesLeavesTheJournalAlone() async throws {
    try write("letter.odt")
    try rest()
    let first = try await run().snapshot
    try move("letter.odt", "renamed.odt")
    try await run()
    for _ in 0..<2 { #expect(try await said(run().events) == []) }
    let cursor = try #require(first.cursor)
    guard case .changes(let sets) = try store.changes(since: cursor) else { return #expect(Bool(false)) }
    #expect(sets.flatMap { $0.map(\.kind) } == [.renamed])
  }

  @Test func aSecondObserverIsToldThatTheStoreIsInUse() async throws {
    try write("letter.odt")
    try await run(then: { _ in
      let other = FileSystemObserver(FileSystemObserver.Configuration(directory: folder), store: store)
      #expect(throws: FileSystemObserverError.self) { try other.start() }
    })
  }
}
#endif
