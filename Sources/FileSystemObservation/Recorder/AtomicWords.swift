import Glibc
import Synchronization

/// Words of memory that one thread writes while others read them.
///
/// The memory is zero at first, and pages are allocated only when they are written. It is safe to share: the pointer and
/// the count never change, every access to a word is atomic and within the count, and the memory lives as long as the
/// object.
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

  /// The words of a record that begins at an index.
  @inline(__always) func slot(at index: Int) -> Slot {
    precondition(index >= 0 && index + FlightRecord.wordCount <= count)
    return unsafe Slot(words: words + index)
  }

  /// The words of one record, to be written.
  @safe
  struct Slot {
    fileprivate let words: UnsafeMutablePointer<Atomic<UInt64>>

    fileprivate init(words: UnsafeMutablePointer<Atomic<UInt64>>) {
      unsafe self.words = words
    }

    /// Stores a word of the head, or of the payload from index 2 on; `index` is not checked.
    @inline(__always) func store(_ word: UInt64, at index: Int) {
      unsafe words[index].store(word, ordering: .relaxed)
    }

    @inline(__always) subscript(index: Int) -> UInt64 {
      get { unsafe words[index + 2].load(ordering: .relaxed) }
      nonmutating set { store(newValue, at: index + 2) }
    }

    /// A word of the payload as a signed number.
    @inline(__always) func setSigned(_ index: Int, _ value: Int64) { self[index] = UInt64(bitPattern: value) }
  }

  func prefix(_ count: Int) -> [UInt64] { (0..<count).map { load($0) } }
}
