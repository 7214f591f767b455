internal import FileSystemObservation
internal import Foundation
internal import GRDB
internal import SystemPackage

/// The contents of the file, in a transaction.
struct StateTables {
  let database: Database

  // MARK: - Annotations

  func annotations() throws -> [UUID: Annotations.Row] {
    var rows: [UUID: Annotations.Row] = [:]
    let cursor = try Row.fetchCursor(
      database, sql: "SELECT uuid, isFavourite, label, note, goneSince FROM annotation")
    while let row = try cursor.next() {
      guard let uuid = UUID(uuidString: row[0]) else { continue }
      let label = (row[2] as String?).flatMap(ColourLabel.init(rawValue:))
      rows[uuid] = Annotations.Row(
        annotation: Annotation(isFavourite: row[1], label: label, note: row[3]),
        goneSince: (row[4] as Double?).map(Date.init(timeIntervalSince1970:)))
    }
    return rows
  }

  /// Keeps the annotation of a document; `nil` takes it away.
  func put(_ row: Annotations.Row?, for uuid: UUID) throws {
    guard let row else {
      return try database.execute(sql: "DELETE FROM annotation WHERE uuid = ?", arguments: [uuid.uuidString])
    }
    try database.execute(
      sql: "INSERT OR REPLACE INTO annotation (uuid, isFavourite, label, note, goneSince) VALUES (?, ?, ?, ?, ?)",
      arguments: [
        uuid.uuidString, row.annotation.isFavourite, row.annotation.label?.rawValue, row.annotation.note,
        row.goneSince?.timeIntervalSince1970,
      ])
  }

  // MARK: - Folders

  func folders() throws -> [KnownFolder] {
    try Row.fetchAll(database, sql: "SELECT id, uuid, path, cursor, seen FROM folder ORDER BY opened DESC")
      .compactMap { row in
        guard let uuid = UUID(uuidString: row[1]), let path = FilePath(bytes: row[2] as Data) else { return nil }
        return KnownFolder(
          id: row[0], uuid: uuid, path: path,
          cursor: (row[3] as String?).flatMap(FileSystemObserver.Cursor.init),
          lastSeen: (row[4] as Double?).map(Date.init(timeIntervalSince1970:)))
      }
  }

  /// Notes that a folder is opened, and returns its number.
  func put(_ folder: FolderPlace, as id: Int64?, at date: Date) throws -> Int64 {
    try database.execute(
      sql: """
        INSERT INTO folder (id, uuid, path, opened) VALUES (?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET uuid = excluded.uuid, path = excluded.path, opened = excluded.opened
        """,
      arguments: [id, folder.uuid.uuidString, folder.path.data, date.timeIntervalSince1970])
    return id ?? database.lastInsertedRowID
  }

  /// Keeps the cursor of the last set that was shown.
  func put(_ cursor: FolderCursor) throws {
    try database.execute(
      sql: "UPDATE folder SET cursor = ?, seen = ? WHERE id = ?",
      arguments: [cursor.cursor.description, cursor.date.timeIntervalSince1970, cursor.folder])
  }

  // MARK: - Preferences

  func preferences() throws -> [String: Data] {
    let rows = try Row.fetchAll(database, sql: "SELECT key, value FROM preference")
    return Dictionary(rows.map { ($0[0] as String, $0[1] as Data) }) { $1 }
  }

  func put(_ value: Data?, forPreference key: String) throws {
    if let value {
      try database.execute(
        sql: "INSERT OR REPLACE INTO preference (key, value) VALUES (?, ?)", arguments: [key, value])
    } else {
      try database.execute(sql: "DELETE FROM preference WHERE key = ?", arguments: [key])
    }
  }
}

extension FilePath {
  /// The bytes of the path, which need not be UTF-8.
  fileprivate var data: Data { unsafe withPlatformString { unsafe Data(bytes: $0, count: length) } }

  fileprivate init?(bytes: Data) {
    guard !bytes.contains(0) else { return nil }
    let path = unsafe (bytes + [0]).withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe FilePath(platformString: $0.assumingMemoryBound(to: CChar.self)) }
    }
    guard let path, !path.isEmpty else { return nil }
    self = path
  }
}
