import Glibc
import Synchronization

/// Words of memory that one thread writes while others read them.
///
/// The memory is zero at first, and takes room only where it was written.
@safe
final class AtomicWords: @unchecked Sendable {
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  let count: Int

  init(count: Int) {
    self.count = count
    guard let memory = unsafe calloc(count, MemoryLayout<UInt64>.size) else { preconditionFailure("no memory") }
    unsafe words = memory.bindMemory(to: Atomic<UInt64>.self, capacity: count)
  }

  deinit {
    unsafe free(words)
  }

  @inline(__always) func load(_ index: Int) -> UInt64 {
    precondition(index >= 0 && index < count)
    return unsafe words[index].load(ordering: .relaxed)
  }

  @inline(__always) func store(_ word: UInt64, at index: Int) {
    precondition(index >= 0 && index < count)
    unsafe words[index].store(word, ordering: .relaxed)
  }

  /// Stores a record, and where its name is, from an index on.
  @inline(__always) func store(_ record: borrowing FlightRecord, _ name: UInt64, at index: Int) {
    precondition(index >= 0 && index + FlightRecord.wordCount <= count)
    let slot = unsafe words + index
    unsafe slot[0].store(record.head, ordering: .relaxed)
    unsafe slot[1].store(name, ordering: .relaxed)
    for part in 0..<FlightRecord.payloadCount {
      unsafe slot[2 + part].store(record.payload[part], ordering: .relaxed)
    }
  }

  /// A copy of the first words.
  func prefix(_ count: Int) -> [UInt64] { (0..<count).map { load($0) } }
}
