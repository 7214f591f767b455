#if Store
internal import FileSystemObservation
internal import GRDB
internal import LinuxFileSystem
internal import SystemPackage

/// Reads a store that another program may write to.
struct StoreFileReader {
  private let path: FilePath
  private let queue: DatabaseQueue

  init(at path: FilePath) throws(ObservationStoreError) {
    self.path = path
    if try StorePlace.isFree(path) { throw ObservationStoreError(.noSuchFileOrDirectory, at: path) }
    queue = try Self.open(path)
    try Self.check(queue, path)
    let path = path
    try perform { database in
      guard try StoreSchema.migrator.hasCompletedMigrations(database) else {
        throw ObservationStoreError(
          code: .notReadable, message: "\(path.printable) is of an older version", path: path,
          advice: "an observer brings it up to date when it starts")
      }
    }
  }

  /// Checks that a file is a store of this version or an older one, without changing anything.
  static func check(_ path: FilePath) throws(ObservationStoreError) {
    let queue = try open(path)
    defer { try? queue.close() }
    try check(queue, path)
  }

  private static func check(_ queue: DatabaseQueue, _ path: FilePath) throws(ObservationStoreError) {
    do {
      try queue.read { database in
        let id = try UInt32.fetchOne(database, sql: "PRAGMA application_id")
        guard id == StoreSchema.applicationID else { throw ObservationStoreError.notAStore(path) }
        if try StoreSchema.migrator.hasBeenSuperseded(database) { throw ObservationStoreError.newerVersion(path) }
      }
    } catch {
      throw ObservationStoreError(error, at: path)
    }
  }

  private static func open(_ path: FilePath) throws(ObservationStoreError) -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    do {
      return try DatabaseQueue(path: path.string, configuration: configuration)
    } catch {
      throw ObservationStoreError(error, at: path)
    }
  }

  func read<Result>(_ body: (any StoreReading) throws -> Result) throws(ObservationStoreError) -> Result {
    try perform { try body(StoreTables(database: $0)) }
  }

  private func perform<Result>(_ body: (Database) throws -> Result) throws(ObservationStoreError) -> Result {
    do {
      return try queue.read { try body($0) }
    } catch {
      throw ObservationStoreError(error, at: path)
    }
  }
}
#endif
