import FileIdentity
import FileTestSupport
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// Changes of several updates that are delivered as one.
@Suite(.light) struct MergedChangesTests {
  private typealias Changes = FileSystemItemList.Changes
  private typealias ID = FileSystemItem.ID

  private static func id(_ number: Int) -> ID { ID(uuid: UUID(UUIDBits(high: 0, low: UInt64(number)))) }

  /// A list after some rows have gone, moved, or come, perhaps again.
  private static func next(_ rows: [Int], _ random: inout SplitMix64) -> [Int] {
    var rows = rows
    for _ in 0..<Int.random(in: 0...4, using: &random) where !rows.isEmpty {
      let row = rows.remove(at: Int.random(in: rows.indices, using: &random))
      if random.chance(1, of: 2) { rows.insert(row, at: Int.random(in: 0...rows.count, using: &random)) }
    }
    for row in Set((0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0..<40, using: &random) })
    where !rows.contains(row) {
      rows.insert(row, at: Int.random(in: 0...rows.count, using: &random))
    }
    return rows
  }

  private static func changes(_ before: [Int], _ after: [Int], modified: Set<Int>) -> Changes {
    let pairs = before.enumerated().compactMap { index, row in
      after.firstIndex(of: row).map { RowDifference.Pair(before: index, after: $0) }
    }
    return Changes(
      deletions: before.enumerated().filter { !after.contains($1) }.map { ($0, id($1)) },
      insertions: after.enumerated().filter { !before.contains($1) }.map { ($0, id($1)) },
      modifications: after.enumerated().filter { modified.contains($1) && before.contains($1) }.map { ($0, id($1)) },
      moves: RowDifference.moves(RowDifference.blocks(of: pairs)).map {
        (Changes.Move(from: $0.before, to: $0.after), id(after[$0.after]))
      })
  }

  @Test(arguments: 0..<4) func twoChangesAreOne(_ part: Int) {
    var random = SplitMix64(seed: UInt64(part))
    for number in 0..<1_000 {
      let first = (0..<Int.random(in: 0...12, using: &random)).shuffled(using: &random)
      let second = Self.next(first, &random)
      let third = Self.next(second, &random)
      let modified = [Set(second.filter { $0 % 5 == 0 }), Set(third.filter { $0 % 7 == 0 })]
      let merged = Self.changes(first, second, modified: modified[0])
        .followed(by: Self.changes(second, third, modified: modified[1]), count: third.count) { Self.id(third[$0]) }
      #expect(RowDifferenceTests.gives(merged, first.map(Self.id), third.map(Self.id)), "\(part) \(number)")
      let stays = Set(first).intersection(third)
      let returned = stays.subtracting(second)
      let expected = modified[0].intersection(first).union(modified[1].intersection(second)).union(returned)
      #expect(Set(merged.modifications.map { third[$0] }) == stays.intersection(expected), "\(part) \(number)")
      #expect(merged.moves.count == Self.changes(first, third, modified: []).moves.count, "\(part) \(number)")
    }
  }

  @Test func whatElseHappenedIsKept() {
    let both = Changes(isReset: true, folderEvent: .moved).followed(by: Changes(pathsChanged: true), count: 0) { _ in
      Self.id(0)
    }
    #expect(both.isReset && both.folderEvent == .moved && both.pathsChanged)
  }

  private func begin() async throws -> (ObservedFolder, FileSystemItemList) {
    let observed = try await ObservedFolder.begin { folder in
      for name in ["a.txt", "b.txt", "c.txt"] { try folder.watched.write(name) }
    }
    await observed.observer.synchronize()
    return (observed, try #require(observed.observer.itemList()))
  }

  /// The app may update the list while an iterator has changes that it has not returned.
  @MainActor @Test func aTableThatFollowsASequenceAgreesWithTheList() async throws {
    let (observed, list) = try await begin()
    var table = list.map(\.id)
    var updates = list.updates().makeAsyncIterator()
    try observed.root.rename("a.txt", "d.txt")
    await observed.observer.synchronize()
    #expect(list.update()?.moves.count == 1)
    try observed.root.write("e.txt")
    try observed.root.unlink("b.txt")
    try await observed.settle()
    list.update()
    let changes = try #require(await updates.next(isolation: #isolation))
    for splice in changes.splices {
      let rows = list.map(\.id)
      table.replaceSubrange(
        splice.position..<splice.position + splice.removed, with: rows[splice.position..<splice.position + splice.added]
      )
    }
    #expect(table == list.map(\.id) && list.map(\.name) == ["c.txt", "d.txt", "e.txt"])
    withExtendedLifetime(observed) {}
  }

  /// A block may update the list; the others get what it finds after what they have not had yet.
  @MainActor @Test func aBlockThatUpdatesTheListIsNotAheadOfAnother() async throws {
    let (observed, list) = try await begin()
    var told: [[Int]] = []
    var isFirst = true
    let first = list.addNotificationBlock(isolation: nil) { list, _ in
      guard isFirst else { return }
      isFirst = false
      // Announced before it returns.
      do { try observed.observer.removeItem(at: FilePath(observed.root["b.txt"])) } catch { Issue.record(error) }
      list.update()
    }
    let second = list.addNotificationBlock(isolation: nil) { told.append($1.deletions) }
    try observed.root.unlink("a.txt")
    try await observed.settle()
    list.update()
    #expect(told == [[0, 1]] && list.map(\.name) == ["c.txt"])
    withExtendedLifetime((first, second)) {}
  }
}
