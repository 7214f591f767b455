import Dispatch
import LinuxFileSystem

@testable import FileSystemObservation

/// A store in memory, whose transactions fail or wait when the test says so.
final class MemoryStore: TreeStorage {
  struct Failure: Error {}

  struct Tables: Sendable {
    var head: [UInt8]?
    var chunks: [StoredChunk.Kind: [Int: [UInt8]]] = [:]
    var sets: [UInt64: StoredSet] = [:]
    var bytesWritten = 0
  }

  private let tables = Mutex(Tables())
  private let fails = Mutex(false)
  private let gate = Gate()

  var contents: Tables {
    get { tables.withLock { $0 } }
    set { tables.withLock { $0 = newValue } }
  }

  /// Whether each transaction fails.
  func setFailing(_ isFailing: Bool) { fails.withLock { $0 = isFailing } }

  /// Has transactions wait until the result is called.
  func hold() -> @Sendable () -> Void { gate.close() }

  func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
    try body(Transaction(contents))
  }

  func write(_ body: (any StoreTransaction) throws -> Void) throws {
    gate.pass()
    let transaction = Transaction(contents)
    try body(transaction)
    if fails.withLock({ $0 }) { throw Failure() }
    contents = transaction.tables
  }

  func checkPlace() {}

  private final class Transaction: StoreTransaction {
    var tables: Tables

    init(_ tables: Tables) {
      self.tables = tables
    }

    func head() -> [UInt8]? { tables.head }

    func forEachChunk(_ kind: StoredChunk.Kind, _ body: (StoredChunk) throws -> Void) throws {
      for (number, bytes) in (tables.chunks[kind] ?? [:]).sorted(by: { $0.key < $1.key }) {
        try body(StoredChunk(stored: bytes, kind, number))
      }
    }

    func forEachSet(after number: UInt64, _ body: (StoredSet) throws -> Bool) throws {
      for (key, set) in tables.sets.sorted(by: { $0.key < $1.key }) where key > number {
        if try !body(set) { return }
      }
    }

    func forEachSetBackwards(_ body: (StoredSet) throws -> Bool) throws {
      for (_, set) in tables.sets.sorted(by: { $0.key > $1.key }) {
        if try !body(set) { return }
      }
    }

    func put(head: [UInt8]) { tables.head = head }

    func put(_ chunk: StoredChunk) {
      tables.chunks[chunk.kind, default: [:]][chunk.number] = chunk.bytes
      tables.bytesWritten += chunk.bytes.count
    }

    func removeChunks(_ kind: StoredChunk.Kind, from number: Int) {
      tables.chunks[kind] = tables.chunks[kind]?.filter { $0.key < number }
    }

    func put(_ set: StoredSet) { tables.sets[set.number] = set }

    func setNumbers() -> ClosedRange<UInt64>? {
      guard let first = tables.sets.keys.min(), let last = tables.sets.keys.max() else { return nil }
      return first...last
    }

    func removeSets(before date: Int64, keeping bytes: Int) {
      tables.sets = tables.sets.filter { $0.value.date >= date }
      var total = 0
      for (number, set) in tables.sets.sorted(by: { $0.key > $1.key }) {
        total += set.bytes.count
        if total > bytes { tables.sets[number] = nil }
      }
    }
  }
}

/// A gate that a thread passes when it is open.
private final class Gate: Sendable {
  private let isClosed = Mutex(false)
  private let opened = DispatchSemaphore(value: 0)

  func close() -> @Sendable () -> Void {
    isClosed.withLock { $0 = true }
    return { [self] in
      isClosed.withLock { $0 = false }
      opened.signal()
    }
  }

  func pass() {
    while isClosed.withLock({ $0 }) { opened.wait() }
  }
}
