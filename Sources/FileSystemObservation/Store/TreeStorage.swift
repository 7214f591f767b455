/// Where trees and their changes are kept: all that this module knows of a store.
///
/// A transaction is kept as a whole or not at all, whenever the process or the machine ends.
package protocol TreeStorage: Sendable {
  /// Calls `body` with what is kept, as of one transaction.
  func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result

  /// Keeps what `body` puts, unless that throws; it returns when the disk has it.
  func write(_ body: (any StoreTransaction) throws -> Void) throws

  /// Fails if what is kept cannot be found at its place any more.
  func checkPlace() throws
}

/// The contents of a store.
package protocol StoreReading {
  /// What describes the rest; `nil` if nothing is stored.
  func head() throws -> [UInt8]?
  /// Calls `body` with the chunks of a kind, by their numbers.
  func forEachChunk(_ kind: StoredChunk.Kind, _ body: (StoredChunk) throws -> Void) throws
  /// Calls `body` with the sets of changes after a number, in order, until it returns `false`.
  func forEachSet(after number: UInt64, _ body: (StoredSet) throws -> Bool) throws
  /// Calls `body` with all sets of changes, the last first, until it returns `false`.
  func forEachSetBackwards(_ body: (StoredSet) throws -> Bool) throws
  /// The numbers of the first and last set of changes.
  func setNumbers() throws -> ClosedRange<UInt64>?
}

/// What a transaction changes.
package protocol StoreTransaction: StoreReading {
  func put(head: [UInt8]) throws
  /// Puts a chunk in the place of one with its number.
  func put(_ chunk: StoredChunk) throws
  func removeChunks(_ kind: StoredChunk.Kind, from number: Int) throws
  func put(_ set: StoredSet) throws
  /// Removes sets that are older than a date, and the oldest ones beyond a number of bytes.
  func removeSets(before date: Int64, keeping bytes: Int) throws
}

/// A set of changes as it is stored.
package struct StoredSet: Sendable, Hashable {
  package var number: UInt64
  /// When it was announced, in nanoseconds since the epoch.
  package var date: Int64
  package var bytes: [UInt8]

  package init(number: UInt64, date: Int64, bytes: [UInt8]) {
    self.number = number
    self.date = date
    self.bytes = bytes
  }
}
