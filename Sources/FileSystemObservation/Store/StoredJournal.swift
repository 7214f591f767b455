import FileIdentity
package import FoundationEssentials
import LinuxFileSystem
import SystemPackage

/// The stored sets of changes.
package struct StoredJournal {
  /// What follows a cursor.
  package enum Continuation: Sendable {
    /// All sets since then, none of which is missing.
    case changes([FileSystemChanges])
    /// The cursor is of nothing that the store knows, or some sets after it are not stored any more.
    case unknown(FileSystemObserver.ResetReason)
  }

  /// A change of one item.
  package struct Entry: Sendable {
    package var change: FileSystemChange
    package var cursor: FileSystemObserver.Cursor
    /// In nanoseconds since the epoch.
    package var date: Int64
  }

  private let reading: any StoreReading
  private let head: StoredHead

  /// - Throws: `StoredDataError`, or an error of the store.
  package init?(_ reading: any StoreReading) throws {
    guard let bytes = try reading.head() else { return nil }
    self.reading = reading
    head = try StoredHead(bytes: bytes)
  }

  /// The sets after a cursor.
  package func changes(since cursor: FileSystemObserver.Cursor) throws -> Continuation {
    guard head.contains(cursor) else { return .unknown(.resumed) }
    var chain = SetChain(after: cursor, of: head)
    try reading.forEachSet(after: cursor.number) { chain.append(try StoredChanges(bytes: $0.bytes), $0.number) }
    switch chain.answer {
    case .sets(let sets): return .changes(sets.sets)
    case .unknown(let reason): return .unknown(reason)
    case .later: return .unknown(.resumed)
    }
  }

  /// The changes of one item, and those that made copies of it, oldest first.
  package func history(of uuid: UUID) throws -> [Entry] {
    var history = ItemHistory(of: uuid, head)
    try reading.forEachSet(after: 0) { set in
      try history.append(set)
      return true
    }
    return history.entries
  }
}

extension StoredHead {
  /// The cursor after the last stored set.
  package var cursor: FileSystemObserver.Cursor? {
    runs.last.map { FileSystemObserver.Cursor(epoch: $0.epoch, number: number) }
  }

  /// The run that announced a set.
  package func epoch(of set: UInt64) -> UInt64 { runs.last { $0.base < set }?.epoch ?? runs.first?.epoch ?? 0 }

  /// Whether the state at a cursor was stored.
  ///
  /// A run may have announced further sets that were not stored, because the process or the machine ended before: the
  /// next run goes on from the last stored one.
  package func contains(_ cursor: FileSystemObserver.Cursor) -> Bool {
    guard let index = runs.firstIndex(where: { $0.epoch == cursor.epoch }) else { return false }
    let end = index + 1 < runs.count ? runs[index + 1].base : number
    return runs[index].base <= cursor.number && cursor.number <= end
  }
}
