import FoundationEssentials
import SystemPackage

/// The sets of changes of a run and of those before it, as of one moment.
struct RunJournal {
  private let storage: any TreeStorage
  /// What the store says, and the current run.
  private var head: StoredHead
  /// The last sets, some of which may be stored.
  private let waiting: [WaitingSets.Set]
  /// Whether another observer may write to the store.
  private let isShared: Bool

  init(_ storage: any TreeStorage, _ head: StoredHead, _ waiting: [WaitingSets.Set], isShared: Bool = false) {
    self.storage = storage
    self.head = head
    self.waiting = waiting
    self.isShared = isShared
  }

  /// The number of the last set.
  var last: UInt64 { head.number }

  /// The sets after a cursor, with the trees after those that move a folder.
  ///
  /// - Parameters:
  ///   - tree: The tree after the last set that is wanted.
  ///   - limit: Enough changes: no further set follows. If a folder was moved, all sets do, for only the sets after it
  ///     lead back to what it took along.
  /// - Throws: An error of the store.
  func sets(
    after cursor: FileSystemObserver.Cursor, upTo tree: FileSystemSnapshot, atMost limit: Int
  ) throws -> MissedAnswer {
    var journal = self
    journal.head.number = min(last, tree.sequence)
    var answer = try journal.sets(after: cursor, atMost: limit)
    if case .sets(let sets) = answer, !sets.isAll, sets.sets.contains(where: \.movesDirectory) {
      answer = try journal.sets(after: cursor)
    }
    guard case .sets(var sets) = answer, sets.isAll else { return answer }
    sets.sets = sets.sets.completed(by: tree)
    return .sets(sets)
  }

  /// The last stored state of the run of a cursor; the state before this run if that run stored nothing.
  func lastKnown(before cursor: FileSystemObserver.Cursor) -> FileSystemObserver.Cursor? {
    guard let current = head.runs.last else { return nil }
    let index = head.runs.firstIndex { $0.epoch == cursor.epoch }
    let next = index.flatMap { $0 + 1 < head.runs.count ? head.runs[$0 + 1] : nil } ?? current
    return FileSystemObserver.Cursor(epoch: head.epoch(of: next.base), number: next.base)
  }

  private func sets(after cursor: FileSystemObserver.Cursor, atMost limit: Int = .max) throws -> MissedAnswer {
    guard head.contains(cursor) else { return .unknown(.resumed) }
    var chain = SetChain(after: cursor, of: head, atMost: limit)
    let isSame = try storage.read { reading in
      guard try !isShared || goesOn(reading) else { return false }
      try reading.forEachSet(after: cursor.number) { set in
        // What came after the run is not of this journal.
        try set.number <= head.number && chain.append(try StoredChanges(bytes: set.bytes), set.number)
      }
      return true
    }
    guard isSame else { return .unknown(.resumed) }
    for set in waiting where set.number <= head.number && !chain.isEnded { _ = chain.append(set.changes, set.number) }
    return chain.answer
  }

  /// Whether a store that others may have written to has what was stored at the end of the run, and went on from there.
  private func goesOn(_ reading: any StoreReading) throws -> Bool {
    guard let bytes = try reading.head() else { return false }
    let end = waiting.first.map { $0.number - 1 } ?? head.number
    return try StoredHead(bytes: bytes).contains(FileSystemObserver.Cursor(epoch: head.epoch(of: end), number: end))
  }

  /// The changes of one item, and those that made copies of it, oldest first.
  ///
  /// - Throws: An error of the store.
  func history(of uuid: UUID) throws -> [StoredJournal.Entry] {
    var history = ItemHistory(of: uuid, head)
    try storage.read { reading in
      try reading.forEachSet(after: 0) { set in
        try history.append(set)
        return true
      }
    }
    for set in waiting { history.append(set.changes, set.number, set.date) }
    return history.entries
  }
}
