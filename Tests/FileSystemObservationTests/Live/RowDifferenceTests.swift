import FileIdentity
import FileTestSupport
import FoundationEssentials
import TestTraits
import Testing

@testable import FileSystemObservation

/// The changes of rows, against a plain list and a longest increasing subsequence found the long way.
@Suite(.busy) struct RowDifferenceTests {
  private typealias Changes = FileSystemItemList.Changes

  private static func id(_ number: Int) -> FileSystemItem.ID {
    FileSystemItem.ID(uuid: UUID(UUIDBits(high: 0, low: UInt64(number))))
  }

  /// A list before and after.
  fileprivate struct Case {
    var before: [Int]
    var after: [Int]
    /// Rows that were taken out and put in again, although their places may be the same.
    var placed: Set<Int>
    var modified: Set<Int>

    init(_ random: inout SplitMix64) {
      let count = Int.random(in: 0...30, using: &random)
      before = Array(0..<count).shuffled(using: &random)
      var rest = before
      placed = []
      for _ in 0..<Int.random(in: 0...6, using: &random) where !rest.isEmpty {
        let moved = rest.remove(at: Int.random(in: rest.indices, using: &random))
        if random.chance(2, of: 3) { placed.insert(moved) }
      }
      after = rest
      for row in placed.sorted() + (0..<Int.random(in: 0...4, using: &random)).map({ 100 + $0 }) {
        after.insert(row, at: Int.random(in: 0...after.count, using: &random))
      }
      modified = []
      for row in after where before.contains(row) && random.chance(1, of: 5) { modified.insert(row) }
    }

    var pairs: [RowDifference.Pair] {
      before.enumerated().compactMap { index, row in
        after.firstIndex(of: row).map { RowDifference.Pair(before: index, after: $0) }
      }
    }

    /// The length of a longest increasing subsequence of the rows that stay, in quadratic time.
    var longestRest: Int {
      let places = pairs.map(\.after)
      var lengths: [Int] = []
      for (index, place) in places.enumerated() {
        lengths.append(1 + (lengths.indices.filter { places[$0] < place && $0 < index }.map { lengths[$0] }.max() ?? 0))
      }
      return lengths.max() ?? 0
    }

    func changes(_ blocks: [RowDifference.Block]) -> FileSystemItemList.Changes {
      let deletions = before.enumerated().filter { !after.contains($1) }
      let insertions = after.enumerated().filter { !before.contains($1) }
      let modifications = after.enumerated().filter { modified.contains($1) }
      return FileSystemItemList.Changes(
        deletions: deletions.map { (index: $0, id: id($1)) }, insertions: insertions.map { (index: $0, id: id($1)) },
        modifications: modifications.map { (index: $0, id: id($1)) },
        moves: RowDifference.moves(blocks).map {
          (move: FileSystemItemList.Changes.Move(from: $0.before, to: $0.after), id: id(after[$0.after]))
        })
    }

    /// The blocks as a list finds them that knows only the rows that changed.
    var fewBlocks: [RowDifference.Block] {
      RowDifference.blocks(
        beforeCount: before.count, removed: before.indices.filter { !after.contains(before[$0]) },
        inserted: after.indices.filter { !before.contains(after[$0]) },
        placed: pairs.filter { placed.contains(before[$0.before]) })
    }
  }

  /// Applies changes in all three ways; whether each gives the list.
  static func gives(
    _ changes: FileSystemItemList.Changes, _ before: [FileSystemItem.ID], _ after: [FileSystemItem.ID]
  ) -> Bool {
    var batch = before
    for index in (changes.deletions + changes.moves.map(\.from)).sorted(by: >) { batch.remove(at: index) }
    for index in (changes.insertions + changes.moves.map(\.to)).sorted() { batch.insert(after[index], at: index) }
    var spliced = before.map(Optional.some)
    for splice in changes.splices {
      let rows = [FileSystemItem.ID?](repeating: nil, count: splice.added)
      spliced.replaceSubrange(splice.position..<splice.position + splice.removed, with: rows)
    }
    let isSpliced = spliced.count == after.count && zip(spliced, after).allSatisfy { $0 == nil || $0 == $1 }
    return batch == after && isSpliced && before.applying(changes.difference) == after
  }

  @Test(arguments: 0..<8) func changesGiveTheListWithTheFewestMoves(_ part: Int) {
    var random = SplitMix64(seed: UInt64(part))
    for number in 0..<1_500 {
      let list = Case(&random)
      let (before, after) = (list.before.map(Self.id), list.after.map(Self.id))
      let (few, all) = (list.changes(list.fewBlocks), list.changes(RowDifference.blocks(of: list.pairs)))
      let isRight = [few, all, few.splitModifications()].allSatisfy { Self.gives($0, before, after) }
      let moves = list.pairs.count - list.longestRest
      #expect(isRight && few.moves.count == moves && all.moves.count == moves, "\(part) \(number)")
      let split = few.splitModifications()
      #expect(split.modifications.isEmpty && split.insertions.count == few.insertions.count + list.modified.count)
    }
  }

  @Test func splicesAreJoined() {
    let ids = (0..<9).map(Self.id)
    let changes = Changes(
      deletions: (2..<5).map { (index: $0, id: ids[$0]) }, insertions: (2..<4).map { (index: $0, id: ids[$0]) })
    #expect(changes.splices == [Changes.Splice(position: 2, removed: 3, added: 2)])
    let move = Changes(moves: [(Changes.Move(from: 0, to: 3), ids[0])])
    #expect(
      move.splices == [
        Changes.Splice(position: 0, removed: 1, added: 0), Changes.Splice(position: 3, removed: 0, added: 1),
      ])
    #expect(move.description == "1 moved")
    #expect(Changes().isEmpty && !move.isEmpty && Changes().splices == [])
    #expect(!Changes(folderEvent: .deleted).isEmpty)
    let paths = Changes(pathsChanged: true)
    #expect(!paths.isEmpty && paths.splitModifications().pathsChanged && paths.splices == [])
    #expect(paths.description == "no rows (other paths)")
  }

  @Test func aFirstRowThatBecomesTheLastIsOneMoveAmongManyRows() {
    let count = 1_000_000
    let blocks = RowDifference.blocks(
      beforeCount: count, removed: [], inserted: [], placed: [RowDifference.Pair(before: 0, after: count - 1)])
    #expect(blocks.count == 2)
    #expect(RowDifference.moves(blocks) == [RowDifference.Pair(before: 0, after: count - 1)])
  }
}

extension RowDifferenceTests.Case {
  private func id(_ number: Int) -> FileSystemItem.ID {
    FileSystemItem.ID(uuid: UUID(UUIDBits(high: 0, low: UInt64(number))))
  }
}
