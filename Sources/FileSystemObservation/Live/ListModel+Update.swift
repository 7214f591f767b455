import FileIdentity
import FoundationEssentials
import LinuxFileSystem

// Changing the rows as the taken events say.

extension ListModel {
  /// A row that may have changed.
  fileprivate struct Candidate {
    var id: NodeID
    /// The index and the ID before the update, if it was a row.
    var before: (index: Int, id: FileSystemItem.ID)?
    var isRow: Bool
  }

  /// The differences found so far.
  struct Difference {
    var deletions: [(index: Int, id: FileSystemItem.ID)] = []
    var insertions: [(index: Int, id: FileSystemItem.ID)] = []
    var modifications: [(index: Int, id: FileSystemItem.ID)] = []
    var pairs: [RowDifference.Pair] = []
  }

  /// Changes the rows, and ends the update; `nil` if nothing has changed.
  mutating func finishUpdate() -> Update? {
    defer { endUpdate() }
    if replacement != nil { return finishReplacement() }
    if effects.isEmpty, folderEvent == nil, !mustSort, !mustFilter { return nil }
    // To place a row costs about as much as to sort twenty.
    let isLarge = effects.formerUUIDs.count > max(512, rows.count / 20)
    let changes = mustSort || mustFilter || isLarge ? sortAnew() : placeTouched()
    return Update(
      changes: changes, touched: effects.formerUUIDs.keys.filter { tree.graph.isLive($0) },
      concernsAll: hasMoved || !effects.movedDirectories.isEmpty)
  }
}

// MARK: - A few rows

extension ListModel {
  /// Takes the touched rows out and puts them in again.
  private mutating func placeTouched() -> FileSystemItemList.Changes {
    let candidates = candidates()
    let count = rows.count
    for candidate in candidates {
      ordering.forget(candidate.id)
      if candidate.before != nil { rows.remove(candidate.id) }
    }
    Self.place(candidates.filter(\.isRow).map(\.id), &rows, &ordering, tree.graph)
    var difference = difference(candidates)
    difference.joinRows()
    // Rows that only come and go move no other.
    if difference.pairs.isEmpty { return changes(difference, []) }
    let blocks = RowDifference.blocks(
      beforeCount: count, removed: difference.deletions.map(\.index), inserted: difference.insertions.map(\.index),
      placed: difference.pairs)
    return changes(difference, blocks)
  }

  private static func place(
    _ ids: [NodeID], _ rows: inout RowStore, _ ordering: inout RowOrdering, _ graph: FileGraph
  ) {
    for id in ids {
      ordering.begin(id, in: graph)
      rows.insert(id, by: &ordering, in: graph)
    }
    rows.reindex()
  }

  private func candidates() -> [Candidate] {
    var touched = Set(effects.formerUUIDs.keys)
    // The ID of a further name has its path.
    if hasMoved || !effects.movedDirectories.isEmpty { touched.formUnion(furtherIDs.keys) }
    touched.remove(.root)
    let candidates = touched.map(candidate)
    return candidates + revisited(touched).map(candidate).filter { ($0.before != nil) != $0.isRow }
  }

  private func candidate(_ id: NodeID) -> Candidate {
    Candidate(id: id, before: rows.index(of: id).map { ($0, formerID(of: id)) }, isRow: isRow(id))
  }

  /// The entries that have another path although they were not touched, if the filter may look at it.
  private func revisited(_ touched: Set<NodeID>) -> Set<NodeID> {
    guard filter != nil else { return [] }
    if hasMoved { return Set(tree.entries).subtracting(touched) }
    var found: Set<NodeID> = []
    for directory in effects.movedDirectories where tree.graph.isLive(directory) {
      tree.graph.storage.forEachDescendant(of: directory) { found.insert($0) }
    }
    return found.subtracting(touched)
  }

  /// The ID of a row before the update.
  private func formerID(of id: NodeID) -> FileSystemItem.ID {
    if let known = furtherIDs[id] { return known }
    let former = effects.formerUUIDs[id] ?? nil
    return FileSystemItem.ID(uuid: UUID(former ?? tree.graph[id].uuid))
  }

  private func isRow(_ id: NodeID) -> Bool {
    guard tree.graph.isLive(id), id != .root, isDeep || tree.graph[id].parent == .root else { return false }
    return filter.map { $0(tree.snapshot(id)) } ?? true
  }

  private mutating func difference(_ candidates: [Candidate]) -> Difference {
    var difference = Difference()
    for candidate in candidates {
      let after = candidate.isRow ? rows.index(of: candidate.id).map { ($0, tree.id(of: candidate.id)) } : nil
      furtherIDs[candidate.id] = after != nil && tree.isFurtherName(candidate.id) ? after?.1 : nil
      difference.note(candidate.before, after, isModified: effects.formerUUIDs[candidate.id] != nil)
    }
    return difference
  }
}

// MARK: - All rows

extension ListModel {
  /// Sorts all rows of the same tree.
  private mutating func sortAnew() -> FileSystemItemList.Changes {
    let before = rows.all
    for id in effects.formerUUIDs.keys { ordering.forget(id) }
    rows = RowStore(sortedRows(after: before))
    var difference = Difference()
    var indices = [Int32](repeating: -1, count: tree.graph.storage.nodes.count)
    for (index, id) in rows.all.enumerated() { indices[id.index] = Int32(index) }
    for (index, id) in before.enumerated() {
      let after = Int(indices[id.index])
      if after >= 0, effects.formerUUIDs[id] == nil, furtherIDs[id] == nil {
        difference.pairs.append(RowDifference.Pair(before: index, after: after))
      } else {
        difference.note(
          (index, formerID(of: id)), after < 0 ? nil : (after, tree.id(of: id)),
          isModified: effects.formerUUIDs[id] != nil)
      }
      indices[id.index] = -1
    }
    for (index, id) in rows.all.enumerated() where indices[id.index] >= 0 {
      difference.insertions.append((index, tree.id(of: id)))
    }
    difference.joinRows()
    difference.pairs.sort { $0.before < $1.before }
    noteFurtherIDs()
    return changes(difference, RowDifference.blocks(of: difference.pairs))
  }

  private mutating func sortedRows(after before: [NodeID]) -> [NodeID] {
    if mustFilter || filter != nil && hasMoved { return ordering.sort(Self.accepted(tree, filter), in: tree.graph) }
    let touched = Set(effects.formerUUIDs.keys).union(revisited([]))
    let untouched = before.filter { !touched.contains($0) }
    let placed = touched.filter(isRow)
    // Where rows only go, those that stay are in order.
    return placed.isEmpty && !mustSort ? untouched : ordering.sort(untouched + placed, in: tree.graph)
  }

  /// Takes the rows of the tree that was read anew.
  private mutating func finishReplacement() -> Update? {
    guard let new = replacement else { return nil }
    let former = FormerRows(ids: rows.all, names: rows.all.map(formerID), touched: effects.formerUUIDs, tree: tree)
    let hadOtherPaths = mayHaveOtherPaths
    (tree, effects) = (new, TreeEffects())
    ordering.forgetAll()
    rows = RowStore(ordering.sort(Self.accepted(tree, filter), in: tree.graph))
    noteFurtherIDs()
    let difference = difference(from: former)
    let changes = changes(difference, RowDifference.blocks(of: difference.pairs), isReset: true)
    let event = former.tree.folderEvent(becoming: tree)
    let arePathsOther =
      !difference.pairs.isEmpty
      && (hadOtherPaths || event == .moved || former.tree.hasDirectoryElsewhere(in: tree))
    return Update(changes: changes.with(event ?? changes.folderEvent, pathsChanged: arePathsOther), concernsAll: true)
  }

  private func changes(
    _ difference: Difference, _ blocks: [RowDifference.Block], isReset: Bool = false
  ) -> FileSystemItemList.Changes {
    let moves = RowDifference.moves(blocks).map { pair in
      (move: FileSystemItemList.Changes.Move(from: pair.before, to: pair.after), id: tree.id(of: rows[pair.after]))
    }
    return FileSystemItemList.Changes(
      deletions: difference.deletions.sorted { $0.index < $1.index },
      insertions: difference.insertions.sorted { $0.index < $1.index },
      modifications: difference.modifications.sorted { $0.index < $1.index }, moves: moves, isReset: isReset,
      folderEvent: folderEvent, pathsChanged: mayHaveOtherPaths)
  }

  /// Whether rows may have another path although they were not touched.
  private var mayHaveOtherPaths: Bool {
    if hasMoved { return rows.count > 0 }
    return isDeep
      && effects.movedDirectories.contains { tree.graph.isLive($0) && tree.graph.storage.hasChildren($0) }
  }
}

extension ListModel.Difference {
  /// Notes what became of one row.
  mutating func note(
    _ before: (index: Int, id: FileSystemItem.ID)?, _ after: (index: Int, id: FileSystemItem.ID)?, isModified: Bool
  ) {
    if let before, let after, before.id == after.id {
      pairs.append(RowDifference.Pair(before: before.index, after: after.index))
      if isModified { modifications.append(after) }
      return
    }
    if let before { deletions.append(before) }
    if let after { insertions.append(after) }
  }

  /// Makes one row of a deletion and an insertion with the same ID: an item that was taken for gone, or another name
  /// that now stands for a file.
  fileprivate mutating func joinRows() {
    guard !deletions.isEmpty, !insertions.isEmpty else { return }
    var former = Dictionary(deletions.map { ($0.id, $0.index) }) { first, _ in first }
    let inserted = insertions
    insertions = []
    for row in inserted {
      if let index = former[row.id] {
        former[row.id] = nil
        pairs.append(RowDifference.Pair(before: index, after: row.index))
        modifications.append(row)
      } else {
        insertions.append(row)
      }
    }
    if insertions.count < inserted.count {
      let left = Set(former.values)
      deletions.removeAll { !left.contains($0.index) }
    }
  }
}

extension FileSystemItemList.Changes {
  /// The same changes with another event of the directory, and of paths.
  fileprivate func with(_ event: FolderEvent?, pathsChanged: Bool) -> Self {
    Self(
      deletions: Array(zip(deletions, deletedIDs)).map { (index: $0.0, id: $0.1) },
      insertions: Array(zip(insertions, insertedIDs)).map { (index: $0.0, id: $0.1) },
      modifications: Array(zip(modifications, modifiedIDs)).map { (index: $0.0, id: $0.1) },
      moves: Array(zip(moves, movedIDs)).map { (move: $0.0, id: $0.1) },
      isReset: isReset, folderEvent: event, pathsChanged: pathsChanged)
  }
}
