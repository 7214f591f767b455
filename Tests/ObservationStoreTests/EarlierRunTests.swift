#if Store
import FileSystemObservation
import FoundationEssentials
import ObservationStore
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// What an observer knows of the runs before the last one.
@Suite(.undisturbed) struct EarlierRunTests {
  private func tree(_ names: String...) throws -> OfflineTree {
    let tree = try OfflineTree("earlier")
    for name in names {
      try tree.root.makeDirectories(String(name[..<(name.lastIndex(of: "/") ?? name.startIndex)]))
      try tree.root.write(name)
    }
    return tree
  }

  @Test func aDocumentThatLeftInAnEarlierRunComesBackAsItself() async throws {
    let tree = try tree("letter.odt", "other.odt")
    let before = try await tree.run().snapshot
    let uuid = try #require(before[FilePath(tree.root["letter.odt"])]).uuid
    // It leaves while nobody observes, comes back three runs later, and once more while an observer runs.
    try tree.root.rename("letter.odt", tree.folder.outside["letter.odt"])
    #expect(try await tree.run().sets.joined().map(\.kind) == [.deleted])
    _ = try await tree.run()
    try tree.root.rename(tree.folder.outside["letter.odt"], "letter.odt")
    let returned = try await tree.run().sets.joined()
    #expect(returned.map(\.kind) == [.discovered, .copyFinished] && returned.first?.isReturned == true)
    #expect(returned.first?.item.uuid == uuid)
    try tree.root.rename("letter.odt", tree.folder.outside["letter.odt"])
    _ = try await tree.run()
    _ = try await tree.run(then: { observer in
      let events = observer.events(startingWith: .now)
      try tree.root.rename(tree.folder.outside["letter.odt"], "letter.odt")
      for try await event in events {
        guard case .didChange(let set) = event else { continue }
        #expect(set.first?.isReturned == true && set.first?.item.uuid == uuid)
        break
      }
    })
  }

  /// A process that is killed may have written tags of which its store does not know.
  @Test func tagsThatTheStoreDoesNotKnowAreFound() async throws {
    let tree = try tree("letter.odt", "folder/other.odt")
    let first = try await tree.run(adjusting: { $0.tagging = .never }).snapshot
    #expect(first.allSatisfy { $0.identity == .inode })
    for item in first { #expect(try FileSystemIdentity().claim(forItemAt: item.path).uuid == item.uuid) }
    for _ in 0..<2 {
      let run = try await tree.run()
      #expect(run.sets.isEmpty && run.snapshot.allSatisfy { $0.identity == .tag })
    }
  }

  @Test func aRunInWhichNothingHappensTakesNothingFromTheJournal() async throws {
    let tree = try tree("letter.odt")
    let cursor = try #require(try await tree.run().snapshot.cursor)
    try tree.root.append("letter.odt")
    _ = try await tree.run()
    for _ in 0..<3 { #expect(try await tree.run().sets.isEmpty) }
    guard case .changes(let sets) = try tree.store.changes(since: cursor) else { return #expect(Bool(false)) }
    #expect(sets.joined().map(\.kind) == [.modified])
  }

  @Test func aDocumentThatComesBackOverAnotherEndsThat() async throws {
    let tree = try tree("letter.odt", "other.odt")
    let uuid = try #require(try await tree.run().snapshot[FilePath(tree.root["letter.odt"])]).uuid
    try tree.root.rename("letter.odt", tree.folder.outside["letter.odt"])
    _ = try await tree.run()
    try tree.root.rename(tree.folder.outside["letter.odt"], "other.odt")
    let run = try await tree.run()
    #expect(run.sets.joined().map(\.kind) == [.deleted, .discovered, .copyFinished])
    #expect(run.snapshot[FilePath(tree.root["other.odt"])]?.uuid == uuid)
  }

  /// The sets of a store say of moved folders what the live ones say.
  @Test func storedSetsListWhatMovedFoldersTookAlong() async throws {
    let tree = try tree("d/x", "d/e/y", "d/e/z", "f/w")
    let first = try await tree.run()
    let cursor = try #require(first.snapshot.cursor)
    var live: [FileSystemChanges] = []
    let steps = [
      "mv d n", "mv n/e f/", "rm f/e/z; mv f g", "mkdir n/s; mv n/x n/s/x2; mv n o; echo more > o/s/new", "rm -r g",
      "mv o/s .; ln s/new s/link; rm s/new", "mv s t",
    ]
    for (number, step) in steps.enumerated() {
      let script = "cd '\(tree.root.path)' && \(step)"
      if number % 2 == 0 {
        try Command.run("sh", "-c", script)
        live += try await tree.run().sets
      } else {
        _ = try await tree.run(then: { observer in
          let events = observer.events(startingWith: .now)
          try Command.run("sh", "-c", script)
          await observer.synchronize()
          let end = observer.snapshot().sequence
          for try await event in events {
            guard case .didChange(let set) = event else { continue }
            live.append(set)
            if set.sequence == end { break }
          }
        })
      }
    }
    guard case .changes(let stored) = try tree.store.changes(since: cursor) else { return #expect(Bool(false)) }
    #expect(stored.map(\.sequence) == live.map(\.sequence))
    #expect(live.contains { set in set.contains { !set.movesBelow($0).isEmpty } })
    for (stored, live) in zip(stored, live) {
      for (change, other) in zip(stored, live) {
        #expect(words(stored.movesBelow(change)) == words(live.movesBelow(other)), "\(change)")
      }
    }
  }

  private func words(_ moves: [FileSystemChange]) -> [String] {
    moves.map { "\($0.item.uuid) \($0.item.kind) \($0.previousPath?.string ?? "") -> \($0.item.path)" }.sorted()
  }

  // MARK: - Clocks

  /// The date of a store counts for no more than which tags are read again.
  @Test(arguments: [-86_400, 86_400, 10 * 365 * 86_400]) func clocksMayBeSet(_ seconds: Int) async throws {
    let tree = try tree("saved", "renamed", "replaced", "same", "folder/same")
    let before = try await tree.run().snapshot
    // The clock was ahead of now, or behind it, when the tree was stored and the files were written.
    for name in ["saved", "renamed", "replaced", "same", "folder/same"] {
      try Command.run("touch", "-d", "@\(Int(Date().timeIntervalSince1970) + seconds)", tree.root[name])
    }
    #expect(try await tree.run().sets.joined().map(\.kind.rawValue).sorted() == Array(repeating: "modified", count: 5))
    try tree.setDate(Int64((Date().timeIntervalSince1970 + Double(seconds)) * 1e9))
    try tree.root.append("saved")
    try tree.root.removeTag("folder/same")
    try tree.root.rename("renamed", "other")
    try tree.root.write("new")
    try tree.root.rename("new", "replaced")
    let run = try await tree.run()
    #expect(run.sets.joined().map(\.kind.rawValue).sorted() == ["modified", "modified", "renamed"])
    #expect(Set(run.snapshot.map(\.uuid)) == Set(before.map(\.uuid)))
    #expect(tree.differences(from: run.snapshot) == [])
    #expect(try await tree.run().sets.isEmpty)
  }
}
#endif
