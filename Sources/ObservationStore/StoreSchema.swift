#if Store
internal import GRDB

/// The tables of a store.
///
/// The contents are made and read by `FileSystemObservation`; SQLite has the order and the transactions.
enum StoreSchema {
  /// Marks files of this library, in the header of an SQLite file: "fso1".
  static let applicationID: UInt32 = 0x6673_6f31

  /// All versions, each from the one before: a version that was released never changes.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1", migrate: makeTables)
    migrator.registerMigration("2", migrate: indexDates)
    return migrator
  }

  private static func makeTables(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 0), bytes BLOB NOT NULL);
        CREATE TABLE chunk (kind INTEGER NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL,
          PRIMARY KEY (kind, number));
        CREATE TABLE changes (number INTEGER PRIMARY KEY, date INTEGER NOT NULL, bytes BLOB NOT NULL);
        """)
  }

  /// Sets that are older than a date are found without looking at all of them.
  private static func indexDates(_ database: Database) throws {
    try database.execute(sql: "CREATE INDEX changes_date ON changes (date)")
  }
}
#endif
