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
    /// The cursor is of no run that the store knows, or of a set that it has never had.
    case unknownCursor
    /// The sets after the cursor are not stored any more.
    case tooOld
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
  private var directory: FilePath { FilePath(bytes: head.directory) }

  /// - Throws: `StoredDataError`, or an error of the store.
  package init?(_ reading: any StoreReading) throws {
    guard let bytes = try reading.head() else { return nil }
    self.reading = reading
    head = try StoredHead(bytes: bytes)
  }

  /// The sets after a cursor.
  package func changes(since cursor: FileSystemObserver.Cursor) throws -> Continuation {
    guard head.contains(cursor) else { return .unknownCursor }
    var sets: [FileSystemChanges] = []
    var expected = cursor.number
    try reading.forEachSet(after: cursor.number) { set in
      expected += 1
      guard set.number == expected, case .changes(let log) = try StoredChanges(bytes: set.bytes) else { return false }
      sets.append(
        FileSystemChanges(log, nil, sequence: set.number, directory: directory, epoch: head.epoch(of: set.number)))
      return true
    }
    return cursor.number + UInt64(sets.count) == head.number ? .changes(try completed(sets)) : .tooOld
  }

  /// The changes of one item, and those that made copies of it, oldest first.
  package func history(of uuid: UUID) throws -> [Entry] {
    let uuid = UUIDBits(uuid)
    var entries: [Entry] = []
    var writer = StoredBytesWriter()
    writer.append(uuid)
    let wanted = writer.bytes
    try reading.forEachSet(after: 0) { set in
      guard set.bytes.contains(wanted), case .changes(var log) = try StoredChanges(bytes: set.bytes) else {
        return true
      }
      log.records.removeAll { $0.uuid != uuid && $0.original != uuid }
      let changes = FileSystemChanges(log, nil, sequence: set.number, directory: directory)
      let cursor = FileSystemObserver.Cursor(epoch: head.epoch(of: set.number), number: set.number)
      entries += changes.map { Entry(change: $0, cursor: cursor, date: set.date) }
      return true
    }
    return entries
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

extension [UInt8] {
  /// Whether eight bytes or more are in the array.
  fileprivate func contains(_ wanted: [UInt8]) -> Bool {
    let (bytes, wantedBytes) = unsafe (span.bytes, wanted.span.bytes)
    let first = unsafe wantedBytes.unsafeLoadUnaligned(as: UInt64.self)
    var start = 0
    // Within the array: there are at least as many bytes after the start.
    while start + wanted.count <= count {
      if unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self) == first,
        self[start..<start + wanted.count] == wanted[...]
      {
        return true
      }
      start += 1
    }
    return false
  }
}
