internal import FileSystemObservation
internal import Foundation
internal import GRDB
internal import SystemPackage

/// The contents of the file, in a transaction.
struct StateTables {
  let database: Database

  // MARK: - Annotations

  func annotations() throws -> [DocumentValues<Annotation>.Record] {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT uuid, isFavourite, label, note, goneSince, isInherited, original, copiedAt FROM annotation")
    return rows.compactMap { row in
      guard let uuid = UUID(uuidString: row[0]) else { return nil }
      let label = (row[2] as String?).flatMap(ColourLabel.init(rawValue:))
      let annotation = Annotation(isFavourite: row[1], label: label, note: row[3])
      return DocumentValues.Record(
        uuid: uuid, value: annotation.isEmpty ? nil : annotation,
        goneSince: (row[4] as Double?).map(Date.init(timeIntervalSince1970:)), isInherited: row[5],
        original: (row[6] as String?).flatMap(UUID.init(uuidString:)),
        copiedAt: (row[7] as Double?).map(Date.init(timeIntervalSince1970:)))
    }
  }

  /// Keeps what has changed.
  func put(_ changes: DocumentValues<Annotation>.RecordChanges) throws {
    for record in changes.updated { try put(record) }
    for uuid in changes.removed {
      try database.execute(sql: "DELETE FROM annotation WHERE uuid = ?", arguments: [uuid.uuidString])
    }
  }

  /// A document without an annotation is known as a copy only.
  private func put(_ record: DocumentValues<Annotation>.Record) throws {
    let annotation = record.value ?? Annotation()
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO annotation
        (uuid, isFavourite, label, note, goneSince, isInherited, original, copiedAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        record.uuid.uuidString, annotation.isFavourite, annotation.label?.rawValue, annotation.note,
        record.goneSince?.timeIntervalSince1970, record.isInherited, record.original?.uuidString,
        record.copiedAt?.timeIntervalSince1970,
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
