#if Store
import FileTestSupport
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import Testing

@testable import FileSystemObservation
@testable import ObservationStore

// The process was killed before its last sets were stored, and the app has the cursor of one of them.

extension CursorTests {
  /// A cursor whose set the store does not have: the store is put back to what it was before.
  private func cursorOfALostSet() async throws -> FileSystemObserver.Cursor {
    try await run { _ in }
    let (state, aside) = (scratch.path("state").string, scratch.path("aside").string)
    try Command.run("cp", "-a", state, aside)
    let lost = try await run { observer in
      try await change(0..<1, observer)
      return try cursor(observer)
    }
    try Command.run("rm", "-r", state)
    try Command.run("mv", aside, state)
    return lost
  }

  private func uuid(_ name: String, _ observer: FileSystemObserver) throws -> UUID {
    try #require(observer[folder.appending(name)]).uuid
  }

  /// The state says nothing of copies: those that were made meanwhile had no value.
  @Test(arguments: [true, false]) func copiesThatWereMadeSince(_ listensBeforeTheStart: Bool) async throws {
    let lost = try await cursorOfALostSet()
    try Command.run("cp", "-a", file(3).string, folder.appending("copy.txt").string)
    let observer = FileSystemObserver(.init(directory: folder), store: store)
    let early = listensBeforeTheStart ? observer.events(startingWith: .after(lost)) : nil
    try await observer.start()
    await observer.synchronize()
    try Command.run("mv", folder.appending("copy.txt").string, folder.appending("renamed.txt").string)
    await observer.synchronize()
    let events = early ?? observer.events(startingWith: .after(lost))
    let (original, copy) = (try uuid("3.txt", observer), try uuid("renamed.txt", observer))
    var values = DocumentValues<Int>()
    values[original] = 5
    var tree = FileSystemTree(directory: folder)
    var copies: [FileSystemChange] = []
    await observer.stop()
    for try await event in events {
      values.apply(event)
      tree.apply(event)
      if case .didChange(let changes) = event { copies += changes.filter { $0.kind == .duplicated } }
    }
    #expect(values[copy] == 5)
    #expect(copies.map(\.uuid) == [copy] && copies.first?.original?.uuid == original)
    #expect(tree == FileSystemTree(observer.snapshot()))
  }

  @Test func withoutCopiesThereIsOnlyTheState() async throws {
    let lost = try await cursorOfALostSet()
    let kinds = try await run { observer in
      let events = observer.events(startingWith: .after(lost))
      await observer.stop()
      var kinds: [String] = []
      for try await event in events {
        if case .reset = event { kinds.append("reset") }
        if case .didChange = event { kinds.append("set") }
      }
      return kinds
    }
    #expect(kinds == ["reset"])
  }
}
#endif
