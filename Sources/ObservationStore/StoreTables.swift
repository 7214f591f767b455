#if Store
internal import FileSystemObservation
internal import Foundation
internal import GRDB

/// The contents of a store, in a transaction.
struct StoreTables: StoreTransaction {
  let database: Database

  func head() throws -> [UInt8]? {
    try Data.fetchOne(database, sql: "SELECT bytes FROM head").map { Array($0) }
  }

  func forEachChunk(_ kind: StoredChunk.Kind, _ body: (StoredChunk) throws -> Void) throws {
    let rows = try Row.fetchCursor(
      database, sql: "SELECT number, bytes FROM chunk WHERE kind = ? ORDER BY number", arguments: [kind.rawValue])
    while let row = try rows.next() { try body(StoredChunk(stored: Self.bytes(row, 1), kind, row[0])) }
  }

  func forEachSet(after number: UInt64, _ body: (StoredSet) throws -> Bool) throws {
    let rows = try Row.fetchCursor(
      database, sql: "SELECT number, date, bytes FROM changes WHERE number > ? ORDER BY number",
      arguments: [Int64(clamping: number)])
    try forEachSet(in: rows, body)
  }

  func forEachSetBackwards(_ body: (StoredSet) throws -> Bool) throws {
    try forEachSet(
      in: Row.fetchCursor(database, sql: "SELECT number, date, bytes FROM changes ORDER BY number DESC"), body)
  }

  private func forEachSet(in rows: RowCursor, _ body: (StoredSet) throws -> Bool) throws {
    while let row = try rows.next() {
      let set = StoredSet(number: UInt64(clamping: row[0] as Int64), date: row[1], bytes: try Self.bytes(row, 2))
      if try !body(set) { return }
    }
  }

  func setNumbers() throws -> ClosedRange<UInt64>? {
    let row = try Row.fetchOne(database, sql: "SELECT MIN(number), MAX(number) FROM changes")
    guard let row, let first = row[0] as Int64?, let last = row[1] as Int64? else { return nil }
    return UInt64(clamping: first)...UInt64(clamping: last)
  }

  /// A column without a value of the right kind is empty, which no reader takes for contents.
  private static func bytes(_ row: Row, _ column: Int) throws -> [UInt8] {
    try row.withUnsafeData(atIndex: column) { data in data.map { Array($0) } ?? [] }
  }

  // MARK: - Changing

  func put(head: [UInt8]) throws {
    try execute("INSERT OR REPLACE INTO head (id, bytes) VALUES (0, ?)", [Data(head)])
  }

  func put(_ chunk: StoredChunk) throws {
    try execute(
      "INSERT OR REPLACE INTO chunk (kind, number, bytes) VALUES (?, ?, ?)",
      [chunk.kind.rawValue, chunk.number, Data(chunk.bytes)])
  }

  func removeChunks(_ kind: StoredChunk.Kind, from number: Int) throws {
    try execute("DELETE FROM chunk WHERE kind = ? AND number >= ?", [kind.rawValue, number])
  }

  func put(_ set: StoredSet) throws {
    try execute(
      "INSERT OR REPLACE INTO changes (number, date, bytes) VALUES (?, ?, ?)",
      [Int64(clamping: set.number), set.date, Data(set.bytes)])
  }

  func removeSets(before date: Int64, keeping bytes: Int) throws {
    try execute("DELETE FROM changes WHERE date < ?", [date])
    try execute(
      """
      DELETE FROM changes WHERE number <= (
        SELECT number FROM (SELECT number, SUM(LENGTH(bytes)) OVER (ORDER BY number DESC) AS total FROM changes)
        WHERE total > ? ORDER BY number DESC LIMIT 1)
      """, [bytes])
  }

  private func execute(_ sql: String, _ arguments: StatementArguments) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
#endif
