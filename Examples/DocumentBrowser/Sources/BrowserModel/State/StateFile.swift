internal import Foundation
internal import GRDB
internal import Synchronization
internal import SystemPackage

/// The file of what the app keeps, in SQLite.
///
/// All access goes through one serial queue, in the order of the calls.
final class StateFile: Sendable {
  let path: FilePath
  private let queue: DatabaseQueue
  private let failure = Mutex<BrowserStateError?>(nil)

  /// Opens the file; makes it if it is missing.
  init(at path: FilePath) throws(BrowserStateError) {
    self.path = path
    do {
      queue = try DatabaseQueue(path: path.string, configuration: Self.configuration)
      try StateSchema.migrator.migrate(queue)
    } catch {
      throw BrowserStateError(error, at: path)
    }
  }

  /// Makes a file in memory, for a run whose state cannot be kept.
  init() throws(BrowserStateError) {
    path = "(memory)"
    do {
      queue = try DatabaseQueue()
      try StateSchema.migrator.migrate(queue)
    } catch {
      throw BrowserStateError(error, at: path)
    }
  }

  /// A transaction survives the end of the app, not a loss of power: it does not wait for the disk.
  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "browser state"
    configuration.journalMode = .wal
    configuration.busyMode = .timeout(2)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    return configuration
  }

  func read<Result: Sendable>(_ body: (StateTables) throws -> Result) throws(BrowserStateError) -> Result {
    do {
      return try queue.read { try body(StateTables(database: $0)) }
    } catch {
      throw BrowserStateError(error, at: path)
    }
  }

  func write<Result: Sendable>(_ body: (StateTables) throws -> Result) throws(BrowserStateError) -> Result {
    do {
      return try queue.write { try body(StateTables(database: $0)) }
    } catch {
      throw BrowserStateError(error, at: path)
    }
  }

  /// Writes in a transaction on another thread, after everything that was asked for before.
  ///
  /// A failure is kept for ``takeFailure()``.
  ///
  /// - Parameter onFailure: Called on another thread if nothing was written.
  func writeLater(
    _ body: @escaping @Sendable (StateTables) throws -> Void, onFailure: @escaping @Sendable () -> Void
  ) {
    queue.asyncWrite { database in
      try body(StateTables(database: database))
    } completion: { [weak self] _, result in
      guard let self, case .failure(let error) = result else { return }
      onFailure()
      failure.withLock { $0 = BrowserStateError(error, at: self.path) }
    }
  }

  /// The last failure of a write that nobody waited for, once.
  func takeFailure() -> BrowserStateError? {
    failure.withLock { failure in
      defer { failure = nil }
      return failure
    }
  }

  /// Closes the file after everything that was asked for is written.
  ///
  /// It does not answer after that.
  func close() { try? queue.close() }
}

extension BrowserStateError {
  init(_ error: any Error, at path: FilePath) {
    if let error = error as? BrowserStateError {
      self = error
      return
    }
    let reason = (error as? DatabaseError)?.message ?? String(describing: error)
    let (advice, isOfContents) = Self.advice((error as? DatabaseError)?.resultCode)
    self.init(
      message: "favourites, labels and notes cannot be kept in \(path.string): \(reason)", advice: advice, path: path,
      isOfContents: isOfContents)
  }

  /// What to do, and whether the file is damaged, or is another's.
  private static func advice(_ code: ResultCode?) -> (String, isOfContents: Bool) {
    switch code {
    case .SQLITE_FULL?: ("make room on the disk", false)
    case .SQLITE_READONLY?, .SQLITE_CANTOPEN?, .SQLITE_PERM?, .SQLITE_AUTH?:
      ("make the file and its folder writable for you", false)
    case .SQLITE_BUSY?, .SQLITE_LOCKED?: ("close the other program that uses the file", false)
    case .SQLITE_CORRUPT?, .SQLITE_NOTADB?: ("put the file back from a backup, or rename it to begin anew", true)
    default: ("", false)
    }
  }
}
