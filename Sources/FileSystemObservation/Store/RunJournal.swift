import FoundationEssentials
import SystemPackage

/// The sets of changes of a run and of those before it, as of one moment.
struct RunJournal {
  private let storage: any TreeStorage
  /// What the store says, and the current run.
  private let head: StoredHead
  /// The last sets, some of which may be stored.
  private let waiting: [WaitingSets.Set]

  init(_ storage: any TreeStorage, _ head: StoredHead, _ waiting: [WaitingSets.Set]) {
    self.storage = storage
    self.head = head
    self.waiting = waiting
  }

  /// The sets after a cursor.
  ///
  /// - Parameter limit: Enough changes: no further set follows.
  /// - Throws: An error of the store.
  func sets(after cursor: FileSystemObserver.Cursor, atMost limit: Int = .max) throws -> MissedAnswer {
    guard head.contains(cursor) else { return .unknown(.resumed) }
    var chain = SetChain(after: cursor, of: head, atMost: limit)
    try storage.read { reading in
      try reading.forEachSet(after: cursor.number) { chain.append(try StoredChanges(bytes: $0.bytes), $0.number) }
    }
    for set in waiting where !chain.isEnded { _ = chain.append(set.changes, set.number) }
    return chain.answer
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
