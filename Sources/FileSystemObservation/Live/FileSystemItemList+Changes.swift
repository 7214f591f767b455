extension FileSystemItemList {
  /// The difference between the rows of a list before and after an update.
  ///
  /// There are three ways to apply it to a table:
  /// - all at once: remove the rows at ``deletions`` and at the starts of ``moves``, which are indices before; then
  ///   insert rows at ``insertions`` and at the ends of ``moves``, which are indices after, in ascending order,
  /// - as ``splices``, one after the other,
  /// - as ``difference``.
  ///
  /// Then draw the rows at ``modifications`` again, and, if the table shows paths, all rows if ``pathsChanged``.
  public struct Changes: Sendable, Hashable {
    /// A row that has another place among the rows.
    public struct Move: Sendable, Hashable {
      /// The index before the update.
      public let from: Int
      /// The index after the update.
      public let to: Int

      /// Makes a move.
      public init(from: Int, to: Int) {
        self.from = from
        self.to = to
      }
    }

    /// A replacement of consecutive rows.
    public struct Splice: Sendable, Hashable {
      /// The index of the first row.
      public let position: Int
      /// The number of rows to remove there.
      public let removed: Int
      /// The number of rows to insert there afterwards.
      public let added: Int

      /// Makes a splice.
      public init(position: Int, removed: Int, added: Int) {
        self.position = position
        self.removed = removed
        self.added = added
      }
    }

    /// What happened to the directory of a list.
    @nonexhaustive
    public enum FolderEvent: String, Sendable, Hashable, Codable, CaseIterable {
      /// It has another path.
      case moved
      /// It is gone, with all rows.
      case deleted
      /// It is back.
      case returned
    }

    /// The indices before the update of rows that are gone, in ascending order.
    public let deletions: [Int]
    /// The indices after the update of new rows, in ascending order.
    public let insertions: [Int]
    /// The indices after the update of rows whose items have changed, in ascending order; also of rows that moved.
    public let modifications: [Int]
    /// The rows that have another place among those that stay, as few as possible, ordered by their former index.
    public let moves: [Move]
    /// Whether the list was read anew: at the start of the observer, or because the list fell behind.
    ///
    /// The rest is exact in this case, too.
    public let isReset: Bool
    /// What happened to the directory of the list, if anything.
    public let folderEvent: FolderEvent?
    /// Whether rows may have other paths although they are not at ``modifications``: a directory above them was renamed
    /// or moved.
    ///
    /// Such rows are unchanged but for ``FileSystemItem/path`` and what follows from it. They are not counted, so that
    /// the rename costs the same however many there are. A table that shows paths draws its visible rows again; another
    /// can ignore it.
    public let pathsChanged: Bool

    /// The IDs of the rows at `deletions`, `insertions` and `modifications`, and of `moves`, in their order.
    let deletedIDs: [FileSystemItem.ID]
    let insertedIDs: [FileSystemItem.ID]
    let modifiedIDs: [FileSystemItem.ID]
    let movedIDs: [FileSystemItem.ID]

    /// Makes changes, for tests.
    ///
    /// - Parameters:
    ///   - deletions: The indices and IDs of deleted rows, in ascending order.
    ///   - insertions: The indices and IDs of new rows, in ascending order.
    ///   - modifications: The indices and IDs of modified rows, in ascending order.
    ///   - moves: The moves with the IDs of the rows, ordered by their former index.
    ///   - isReset: Whether the list was read anew.
    ///   - folderEvent: What happened to the directory of the list.
    ///   - pathsChanged: Whether a directory above rows was renamed or moved.
    public init(
      deletions: [(index: Int, id: FileSystemItem.ID)] = [], insertions: [(index: Int, id: FileSystemItem.ID)] = [],
      modifications: [(index: Int, id: FileSystemItem.ID)] = [], moves: [(move: Move, id: FileSystemItem.ID)] = [],
      isReset: Bool = false,
      folderEvent: FolderEvent? = nil, pathsChanged: Bool = false
    ) {
      self.deletions = deletions.map(\.index)
      self.insertions = insertions.map(\.index)
      self.modifications = modifications.map(\.index)
      self.moves = moves.map(\.move)
      self.isReset = isReset
      self.folderEvent = folderEvent
      self.pathsChanged = pathsChanged
      deletedIDs = deletions.map(\.id)
      insertedIDs = insertions.map(\.id)
      modifiedIDs = modifications.map(\.id)
      movedIDs = moves.map(\.id)
    }
  }
}

extension FileSystemItemList.Changes {
  /// Whether nothing has changed: neither a row, nor paths, nor the directory of the list.
  public var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && moves.isEmpty && folderEvent == nil
      && !pathsChanged
  }

  /// The deletions, insertions and moves as replacements of consecutive rows, to be applied one after the other.
  ///
  /// As `g_list_model_items_changed` and the models of Qt expect them. A row that moves is removed and inserted again.
  /// Modified rows are not included; see ``splitModifications()``.
  public var splices: [Splice] {
    var splices: [Splice] = []
    for index in (deletions + moves.map(\.from)).sorted(by: >) {
      if let last = splices.last, last.position == index + 1 {
        splices[splices.count - 1] = Splice(position: index, removed: last.removed + 1, added: 0)
      } else {
        splices.append(Splice(position: index, removed: 1, added: 0))
      }
    }
    let removalCount = splices.count
    for index in (insertions + moves.map(\.to)).sorted() {
      if splices.count > removalCount, let last = splices.last, last.position + last.added == index {
        splices[splices.count - 1] = Splice(position: last.position, removed: 0, added: last.added + 1)
      } else {
        splices.append(Splice(position: index, removed: 0, added: 1))
      }
    }
    return splices.count == 2 ? Self.merged(splices) : splices
  }

  /// A removal and an insertion at the same place as one.
  private static func merged(_ splices: [Splice]) -> [Splice] {
    guard splices[0].position == splices[1].position, splices[0].added == 0, splices[1].removed == 0 else {
      return splices
    }
    return [Splice(position: splices[0].position, removed: splices[0].removed, added: splices[1].added)]
  }

  /// The deletions, insertions and moves as a collection difference of IDs; a move is a removal and an insertion that
  /// are associated.
  public var difference: CollectionDifference<FileSystemItem.ID> {
    var changes: [CollectionDifference<FileSystemItem.ID>.Change] = []
    for (index, id) in zip(deletions, deletedIDs) {
      changes.append(.remove(offset: index, element: id, associatedWith: nil))
    }
    for (index, id) in zip(insertions, insertedIDs) {
      changes.append(.insert(offset: index, element: id, associatedWith: nil))
    }
    for (move, id) in zip(moves, movedIDs) {
      changes.append(.remove(offset: move.from, element: id, associatedWith: move.to))
      changes.append(.insert(offset: move.to, element: id, associatedWith: move.from))
    }
    // Only an app's test can make changes that are not valid.
    return CollectionDifference(changes) ?? [FileSystemItem.ID]().difference(from: [])
  }
}

extension FileSystemItemList.Changes: CustomStringConvertible {
  /// The numbers of changed rows.
  public var description: String {
    let parts = [
      (deletions.count, "deleted"), (insertions.count, "inserted"), (moves.count, "moved"),
      (modifications.count, "modified"),
    ]
    let rows = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return (rows.isEmpty ? "no rows" : rows) + (isReset ? " (read anew)" : "")
      + (pathsChanged ? " (other paths)" : "") + (folderEvent.map { " (the folder: \($0.rawValue))" } ?? "")
  }
}

extension FileSystemItemList.Changes {
  /// The same changes with each modified row deleted and inserted, for tables without a call to draw a row again.
  public func splitModifications() -> Self {
    let split = Set(modifications)
    let former = RowDifference.Gaps((deletions + moves.map(\.from)).sorted())
    let new = RowDifference.Gaps((insertions + moves.map(\.to)).sorted())
    let movesByEnd = Dictionary(moves.map { ($0.to, $0.from) }) { first, _ in first }
    let replaced = zip(modifications, modifiedIDs).map { index, id in
      (before: movesByEnd[index] ?? former.index(ofUntouched: new.number(ofUntouched: index)), after: index, id: id)
    }
    return Self(
      deletions: (Array(zip(deletions, deletedIDs)) + replaced.map { ($0.before, $0.id) })
        .map { (index: $0.0, id: $0.1) }.sorted { $0.index < $1.index },
      insertions: (Array(zip(insertions, insertedIDs)) + replaced.map { ($0.after, $0.id) })
        .map { (index: $0.0, id: $0.1) }.sorted { $0.index < $1.index },
      moves: zip(moves, movedIDs).filter { !split.contains($0.0.to) }.map { (move: $0.0, id: $0.1) },
      isReset: isReset, folderEvent: folderEvent, pathsChanged: pathsChanged)
  }
}
