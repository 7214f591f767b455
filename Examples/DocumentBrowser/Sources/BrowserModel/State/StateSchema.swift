internal import GRDB

/// The tables of the file.
///
/// A migration that was published is never changed: a further one follows.
enum StateSchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("first") { database in
      try database.execute(
        sql: """
          CREATE TABLE annotation (
            uuid TEXT PRIMARY KEY NOT NULL, isFavourite INTEGER NOT NULL, label TEXT, note TEXT NOT NULL,
            goneSince REAL
          ) WITHOUT ROWID;
          CREATE TABLE folder (
            id INTEGER PRIMARY KEY, uuid TEXT NOT NULL, path BLOB NOT NULL, opened REAL NOT NULL, cursor TEXT,
            seen REAL
          );
          CREATE TABLE preference (key TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL) WITHOUT ROWID;
          """)
    }
    migrator.registerMigration("copies") { database in
      try database.execute(
        sql: """
          ALTER TABLE annotation ADD COLUMN isInherited INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE annotation ADD COLUMN original TEXT;
          ALTER TABLE annotation ADD COLUMN copiedAt REAL;
          """)
    }
    return migrator
  }
}
