// Changes of several updates as one, for whoever has not taken the earlier ones when the list goes on.

extension FileSystemItemList.Changes {
  /// These changes and later ones as one, as if there had been one update.
  ///
  /// - Parameters:
  ///   - later: The changes after these.
  ///   - count: The number of rows after both.
  ///   - id: The ID of a row after both.
  /// - Complexity: O(*k* log *k*) for *k* changes.
  func followed(by later: Self, count: Int, _ id: (Int) -> FileSystemItem.ID) -> Self {
    let (first, second) = (RowMap(self), RowMap(later))
    var removed = removals(before: later, first)
    var inserted = insertions(before: later, second)
    let beforeCount = count - inserted.count + removed.count
    // An item that comes back is one row.
    let returned = Self.pairs(&removed, &inserted)
    let blocks = RowDifference.blocks(
      beforeCount: beforeCount, removed: removed.map(\.index), inserted: inserted.map(\.index),
      placed: placements(first, later, second) + returned)
    let moves = RowDifference.moves(blocks).map { (move: Move(from: $0.before, to: $0.after), id: id($0.after)) }
    let modified = Set(later.modifications + modifications.compactMap(second.after) + returned.map(\.after))
    return Self(
      deletions: removed, insertions: inserted,
      modifications: modified.subtracting(inserted.map(\.index)).sorted().map { ($0, id($0)) }, moves: moves,
      isReset: isReset || later.isReset, folderEvent: later.folderEvent ?? folderEvent,
      pathsChanged: pathsChanged || later.pathsChanged)
  }

  private typealias Row = (index: Int, id: FileSystemItem.ID)

  /// The rows that existed before, and that either update removes.
  private func removals(before later: Self, _ first: RowMap) -> [Row] {
    let inFirst = zip(deletions, deletedIDs).map { (index: $0, id: $1) }
    let inSecond = zip(later.deletions, later.deletedIDs).compactMap { index, id in
      first.before(index).map { (index: $0, id: id) }
    }
    return (inFirst + inSecond).sorted { $0.index < $1.index }
  }

  /// The rows that either update inserts, and that exist afterwards.
  private func insertions(before later: Self, _ second: RowMap) -> [Row] {
    let inFirst = zip(insertions, insertedIDs).compactMap { index, id in
      second.after(index).map { (index: $0, id: id) }
    }
    return (inFirst + zip(later.insertions, later.insertedIDs).map { (index: $0, id: $1) })
      .sorted { $0.index < $1.index }
  }

  /// Takes the rows out of removed and inserted ones that are among both.
  private static func pairs(_ removed: inout [Row], _ inserted: inout [Row]) -> [RowDifference.Pair] {
    let places = Dictionary(inserted.map { ($0.id, $0.index) }) { first, _ in first }
    let pairs = removed.compactMap { row in
      places[row.id].map { RowDifference.Pair(before: row.index, after: $0) }
    }
    if pairs.isEmpty { return [] }
    let (before, after) = (Set(pairs.map(\.before)), Set(pairs.map(\.after)))
    removed.removeAll { before.contains($0.index) }
    inserted.removeAll { after.contains($0.index) }
    return pairs
  }

  /// The rows that either update moves, and that exist before and afterwards.
  private func placements(_ first: RowMap, _ later: Self, _ second: RowMap) -> [RowDifference.Pair] {
    var places: [Int: Int] = [:]
    for move in moves { places[move.from] = second.after(move.to) }
    for move in later.moves { if let before = first.before(move.from) { places[before] = move.to } }
    return places.map { RowDifference.Pair(before: $0, after: $1) }
  }
}

/// Where each row of a list is before and after an update.
private struct RowMap {
  private let deletions: Set<Int>
  private let insertions: Set<Int>
  private let ends: [Int: Int]
  private let starts: [Int: Int]
  private let former: RowDifference.Gaps
  private let new: RowDifference.Gaps

  init(_ changes: FileSystemItemList.Changes) {
    deletions = Set(changes.deletions)
    insertions = Set(changes.insertions)
    ends = Dictionary(changes.moves.map { ($0.from, $0.to) }) { first, _ in first }
    starts = Dictionary(changes.moves.map { ($0.to, $0.from) }) { first, _ in first }
    former = RowDifference.Gaps((changes.deletions + ends.keys).sorted())
    new = RowDifference.Gaps((changes.insertions + starts.keys).sorted())
  }

  /// The index after the update of a row before; `nil` if it is gone.
  func after(_ before: Int) -> Int? {
    if deletions.contains(before) { return nil }
    return ends[before] ?? new.index(ofUntouched: former.number(ofUntouched: before))
  }

  /// The index before the update of a row after; `nil` if it is new.
  func before(_ after: Int) -> Int? {
    if insertions.contains(after) { return nil }
    return starts[after] ?? former.index(ofUntouched: new.number(ofUntouched: after))
  }
}
