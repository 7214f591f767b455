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

  let reading: any StoreReading
  private let head: StoredHead
  /// The observed directory.
  package var directory: FilePath { FilePath(bytes: head.directory) }

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
    case .sets(let sets): return .changes(try completed(sets.sets))
    case .unknown(let reason): return .unknown(reason)
    case .later: return .unknown(.resumed)
    }
  }

  /// The number of the last set.
  package var lastNumber: UInt64 { head.number }

  /// Whether the state at a cursor was stored.
  package func knows(_ cursor: FileSystemObserver.Cursor) -> Bool { head.contains(cursor) }

  /// Some sets after a number.
  package struct Page: Sendable {
    package var entries: [Entry] = []
    /// The number of the last set.
    package var last: UInt64
    /// Whether what happened before one of these sets is not known.
    package var hasGap = false
  }

  /// The sets after a number; `nil` if there are none.
  ///
  /// - Parameter count: The largest number of sets.
  package func page(after number: UInt64, atMost count: Int) throws -> Page? {
    var page = Page(last: number)
    var count = count
    try reading.forEachSet(after: number) { set in
      page.hasGap = page.hasGap || set.number != page.last + 1
      page.last = set.number
      if case .changes(let log) = try StoredChanges(bytes: set.bytes) {
        page.entries += head.entries(of: log, set.number, set.date)
      } else {
        page.hasGap = true
      }
      count -= 1
      return count > 0
    }
    return page.last == number ? nil : page
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
  /// The changes of a set.
  func entries(of log: ChangeLog, _ number: UInt64, _ date: Int64) -> [StoredJournal.Entry] {
    let cursor = FileSystemObserver.Cursor(epoch: epoch(of: number), number: number)
    return FileSystemChanges(log, nil, sequence: number, directory: FilePath(bytes: directory))
      .map { StoredJournal.Entry(change: $0, cursor: cursor, date: date) }
  }

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
