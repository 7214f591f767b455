#if Store
internal import FileSystemObservation
internal import GRDB
internal import Glibc
internal import LinuxFileSystem
internal import SystemPackage

/// An open store, for the one observer that writes to it.
///
/// The lock is in a file of its own beside it: SQLite releases its own locks when any descriptor of the file is closed,
/// and would let a second writer in between two transactions.
final class StoreFile: Sendable {
  let path: FilePath
  /// Why this is not the store that was at the path: that one was put aside.
  let problem: ObservationStoreError?
  private let lock: Mutex<FileLock?>
  /// Held while the store is read and written.
  private let isClosed = Mutex(false)
  let queue: DatabaseQueue
  /// The device and the inode of the file that is open.
  private let inode: [UInt64]?

  private init(_ path: FilePath, _ lock: FileLock, _ queue: DatabaseQueue, _ problem: ObservationStoreError?) {
    self.path = path
    self.problem = problem
    self.lock = Mutex(lock)
    self.queue = queue
    inode = Self.inode(at: path)
  }

  private static func inode(at path: FilePath) -> [UInt64]? {
    (try? FileStatus.of(path: path)).map { [$0.device, $0.inode] }
  }

  /// - Throws: If the open file is no longer at its path: what is written to it would be lost.
  private func requirePlace() throws(ObservationStoreError) {
    if Self.inode(at: path) == inode { return }
    throw ObservationStoreError(
      code: .failed,
      message: "\(path.printable) was removed or replaced while it was used; stop the observer, and start it again",
      path: path)
  }

  /// Opens a store, or makes one if there is none.
  ///
  /// A store that cannot be used is put aside, and another takes its place.
  ///
  /// - Parameter patience: For how long another writer is waited for, in nanoseconds.
  static func open(at path: FilePath, patience: Int64 = 0) throws(ObservationStoreError) -> StoreFile {
    try StorePlace.prepareFolder(of: path)
    let hadLock = StorePlace.hasLock(path)
    let lock = try takeLock(of: path, until: .now + patience)
    do {
      return StoreFile(path, lock, try openQueue(at: path), nil)
    } catch let problem where problem.isOfContents {
      return try begin(anew: path, lock, because: problem)
    } catch {
      // Beside a file of somebody else nothing stays.
      if error.code == .notAStore, !hadLock { StorePlace.removeLock(of: path) }
      throw error
    }
  }

  /// Opens a store, and loads the tree in it.
  ///
  /// A store whose tree cannot be loaded or used is put aside, too; so is that of another folder. An observer that was
  /// released, or an app that is being ended, may hold the store for a moment longer: it is waited for.
  ///
  /// - Parameters:
  ///   - fit: Whether a tree is the one that is wanted.
  ///   - use: Takes that tree; throws if it cannot be used.
  static func openWithTree(
    at path: FilePath, _ fit: (StoredTree) throws -> TreeFit = { _ in .same },
    _ use: (StoredTree) throws -> Void = { _ in }
  ) throws(ObservationStoreError) -> (StoreFile, StoredTree?) {
    let file = try open(at: path, patience: 1_000_000_000)
    do {
      guard let tree = try file.read({ try StoredTree.load(from: $0) }) else { return (file, nil) }
      let found = try fit(tree)
      if found < .same, let former = try file.change(withFormer: fit, betterThan: found, use) { return former }
      if found == .none { throw ObservationStoreError.otherTree(path, of: tree.directory) }
      try use(tree)
      return (file, tree)
    } catch {
      let problem = ObservationStoreError(error, at: path)
      guard problem.isOfContents else {
        file.close()
        throw problem
      }
      return (try file.begin(anewBecause: problem), nil)
    }
  }

  /// Has a store that was put aside take the place of this one, if its folder is back: it was not mounted, for example.
  private func change(
    withFormer fit: (StoredTree) throws -> TreeFit, betterThan least: TreeFit, _ use: (StoredTree) throws -> Void
  ) throws(ObservationStoreError) -> (StoreFile, StoredTree)? {
    let asides = StorePlace.asides(of: path).compactMap { aside in
      Self.tree(in: aside).map { (path: aside, tree: $0, fit: (try? fit($0)) ?? .none) }
    }
    // SQLite merges its files when a store is closed.
    let best = asides.filter { $0.fit > least && StorePlace.isAlone($0.path) }
      .sorted { ($0.fit, $0.tree.head.date) > ($1.fit, $1.tree.head.date) }
    guard let (aside, tree, _) = best.first(where: { (try? use($0.tree)) != nil }), let lock = lock.withLock({ $0 })
    else { return nil }
    try? queue.close()
    _ = try StorePlace.putAside(path)
    try StorePlace.putBack(aside, to: path)
    return (StoreFile(path, lock, try Self.openQueue(at: path), nil), tree)
  }

  /// The trees of a directory in the stores that were put aside, the oldest first.
  static func former(of directory: FilePath, asideOf path: FilePath) -> [StoredTree] {
    StorePlace.asides(of: path).compactMap { tree(in: $0) { $0.directory == Array(directory.bytes) } }
      .sorted { $0.head.date < $1.head.date }
  }

  /// The tree in a store that was put aside; `nil` if it cannot be read.
  ///
  /// - Parameter isWanted: Whether the tree is loaded.
  private static func tree(in aside: FilePath, if isWanted: (StoredHead) -> Bool = { _ in true }) -> StoredTree? {
    guard let queue = try? openQueue(at: aside) else { return nil }
    defer { try? queue.close() }
    return try? queue.read { database in
      let tables = StoreTables(database: database)
      guard let head = try tables.head(), isWanted(try StoredHead(bytes: head)) else { return nil }
      return try StoredTree.load(from: tables)
    }
  }

  /// Puts this store aside, and opens another at its path.
  func begin(anewBecause problem: ObservationStoreError) throws(ObservationStoreError) -> StoreFile {
    try? queue.close()
    guard let lock = lock.withLock({ $0 }) else {
      throw ObservationStoreError(code: .failed, message: "\(path.printable) is closed", path: path)
    }
    return try Self.begin(anew: path, lock, because: problem)
  }

  private static func begin(
    anew path: FilePath, _ lock: FileLock, because problem: ObservationStoreError
  ) throws(ObservationStoreError) -> StoreFile {
    var problem = problem
    problem.asidePath = try StorePlace.putAside(path)
    return StoreFile(path, lock, try openQueue(at: path), problem)
  }

  /// Closes the store; it is not written to after that, and read like that of another program.
  func close() {
    isClosed.withLock { isClosed in
      isClosed = true
      try? queue.close()
    }
    lock.withLock { $0 = nil }
  }

  private static func takeLock(
    of path: FilePath, until deadline: MonotonicTime
  ) throws(ObservationStoreError) -> FileLock {
    while true {
      do throws(Errno) {
        if let lock = try FileLock(at: StorePlace.lock(of: path)) { return lock }
      } catch {
        throw ObservationStoreError(error, at: path)
      }
      if .now > deadline { throw .inUse(path) }
      // flock(2) has no time limit.
      usleep(10_000)
    }
  }

  // MARK: - SQLite

  private static func openQueue(at path: FilePath) throws(ObservationStoreError) -> DatabaseQueue {
    if try StorePlace.isFree(path) { try make(at: path) }
    try StoreFileReader.check(path)
    do {
      let queue = try DatabaseQueue(path: path.string, configuration: configuration)
      try StoreSchema.migrator.migrate(queue)
      return queue
    } catch {
      throw ObservationStoreError(error, at: path)
    }
  }

  /// Makes a file and marks it as a store, before SQLite begins to write beside it.
  private static func make(at path: FilePath) throws(ObservationStoreError) {
    try StorePlace.make(path)
    do {
      let queue = try DatabaseQueue(path: path.string)
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA application_id = \(StoreSchema.applicationID)")
      }
      try queue.close()
    } catch {
      throw ObservationStoreError(error, at: path)
    }
  }

  private static var configuration: GRDB.Configuration {
    var configuration = GRDB.Configuration()
    configuration.label = "store"
    configuration.journalMode = .wal
    configuration.prepareDatabase { database in
      // A transaction has reached the disk when it ends. Pages are hardly ever read twice: a cache of 256 KiB will do.
      try database.execute(
        sql: "PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 4194304; PRAGMA cache_size = -256")
    }
    return configuration
  }
}

// MARK: - Contents

extension StoreFile: TreeStorage {
  func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
    let result = try whileOpen { try queue.read { try body(StoreTables(database: $0)) } }
    return try result ?? StoreFileReader(at: path).read(body)
  }

  func write(_ body: (any StoreTransaction) throws -> Void) throws {
    let result: Void? = try whileOpen {
      try requirePlace()
      try queue.write { try body(StoreTables(database: $0)) }
    }
    guard result != nil else {
      throw ObservationStoreError(code: .failed, message: "\(path.printable) is closed", path: path)
    }
  }

  func checkPlace() throws { _ = try whileOpen(requirePlace) }

  /// Calls a function unless the store is closed, which must not happen meanwhile: SQLite does not bear it.
  private func whileOpen<Result>(_ body: () throws -> Result) throws -> Result? {
    var result: Result?
    try isClosed.withLock { isClosed in
      if !isClosed { result = try storeErrors(at: path, body) }
    }
    return result
  }
}

private func storeErrors<Result>(at path: FilePath, _ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch {
    throw ObservationStoreError(error, at: path)
  }
}
#endif
