import LinuxFileSystem
import Synchronization

/// Keeps the last steps of an engine: what came in, what was looked at, and what was decided and why.
///
/// The engine's thread writes, without a lock and without allocating. Any other thread may read meanwhile. A record is
/// valid if the writer had not begun to overwrite it when the reader was done with it; others are left out.
package final class FlightRecorder: @unchecked Sendable {
  /// The number of records.
  package static let defaultCapacity = 16_384
  /// The number of bytes for names, by record.
  private static let nameRoom = 32

  /// Settings of the engine, for the head of a recording.
  struct Subject: Sendable {
    var path: [UInt8] = []
    /// The status and UUID of the observed directory.
    var root = ""
    var settings = ""
    /// A line for each pattern of the configuration.
    var patterns: [String] = []

    init() {}
  }

  private let records: AtomicWords
  private let names: AtomicWords
  let capacity: Int
  /// The number of records that were begun and ended, and of words of names that were begun.
  private let begun = Atomic<UInt64>(0)
  private let ended = Atomic<UInt64>(0)
  private let namesBegun = Atomic<UInt64>(0)
  let subject = LinuxFileSystem.Mutex(Subject())

  // Only the engine touches these.
  private(set) var next = 0
  private var nextName = 0
  /// The number of the record that began the current step.
  var stepStart = 0

  /// - Parameters:
  ///   - capacity: The number of records, a power of two.
  ///   - nameBytes: The number of bytes for names, a power of two of at least 16; by default, 32 for each record.
  package init(capacity: Int = FlightRecorder.defaultCapacity, nameBytes: Int? = nil) {
    self.capacity = capacity
    precondition(capacity.nonzeroBitCount == 1 && (nameBytes ?? 16).nonzeroBitCount == 1, "powers of two")
    records = AtomicWords(count: capacity * FlightRecord.wordCount)
    names = AtomicWords(count: max(2, (nameBytes ?? capacity * Self.nameRoom) / 8))
  }
}

// MARK: - Writing

extension FlightRecorder {
  func append(_ record: FlightRecord, named name: Span<UInt8> = Span()) {
    keep(record.kind, code: record.code, flags: record.flags, number: record.number, named: name) { slot in
      for index in 0..<FlightRecord.payloadCount { slot[index] = record.payload[index] }
    }
  }

  /// Keeps a record, with a name that is cut to half of the room for names.
  ///
  /// - Parameter fill: Stores the words that this kind of record uses; the others have any values.
  @inline(__always) func keep(
    _ kind: FlightRecord.Kind, code: UInt8 = 0, flags: UInt16 = 0, number: UInt32 = 0,
    named name: Span<UInt8> = Span(), _ fill: (AtomicWords.Slot) -> Void
  ) {
    let (index, position) = (next, nextName)
    let count = min(name.count, names.count * 4)
    let end = position + (count + 7) / 8
    begun.store(UInt64(index + 1), ordering: .relaxed)
    namesBegun.store(UInt64(end), ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    let slot = records.slot(at: (index & (capacity - 1)) * FlightRecord.wordCount)
    slot.store(FlightRecord.head(kind, code: code, flags: flags, number: number), at: 0)
    slot.store(UInt64(position) << 16 | UInt64(count), at: 1)
    fill(slot)
    if count > 0 { write(name, count, at: position) }
    nextName = end
    next = index + 1
    ended.store(UInt64(index + 1), ordering: .releasing)
  }

  /// Writes the bytes of a name, eight at a time.
  private func write(_ name: Span<UInt8>, _ count: Int, at position: Int) {
    unsafe name.withUnsafeBytes { bytes in
      var (offset, position) = (0, position)
      while offset + 8 <= count {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        names.store(word.littleEndian, at: position & (names.count - 1))
        offset += 8
        position += 1
      }
      if offset < count { names.store(unsafe Self.tail(bytes, count, from: offset), at: position & (names.count - 1)) }
    }
  }

  /// The last bytes from an offset, fewer than eight, as a word, loaded in at most two overlapping pieces.
  @inline(__always)
  private static func tail(_ bytes: UnsafeRawBufferPointer, _ count: Int, from offset: Int) -> UInt64 {
    if count >= 8 {
      let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
      return word >> UInt64((8 - (count - offset)) * 8)
    }
    if count >= 4 {
      let first = unsafe UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
      let last = unsafe UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
      return UInt64(first) | UInt64(last) << UInt64((count - 4) * 8)
    }
    let middle = unsafe UInt64(bytes[count / 2]) << UInt64(count / 2 * 8)
    return unsafe UInt64(bytes[0]) | middle | UInt64(bytes[count - 1]) << UInt64((count - 1) * 8)
  }
}

// MARK: - Reading

extension FlightRecorder {
  /// A record with its number, counted from the first ever, and its name.
  struct Numbered {
    var number: Int
    var record: FlightRecord
    /// The name; empty if there is none, and `nil` if it was overwritten.
    var name: [UInt8]?
  }

  /// The records at one moment.
  struct Snapshot {
    var records: [Numbered] = []
    /// Whether nothing was overwritten since the first record.
    var isComplete = true
  }

  /// The records, the oldest first; may be called on any thread.
  func snapshot() -> Snapshot {
    let end = Int(ended.load(ordering: .acquiring))
    let first = max(0, end - capacity)
    let words = records.prefix(min(end, capacity) * FlightRecord.wordCount)
    let text = names.prefix(names.count)
    atomicMemoryFence(ordering: .acquiring)
    let oldest = max(first, Int(begun.load(ordering: .relaxed)) - capacity)
    let oldestName = Int(namesBegun.load(ordering: .relaxed)) - names.count
    var snapshot = Snapshot(isComplete: oldest == 0 && oldestName <= 0)
    guard oldest < end else { return snapshot }
    snapshot.records.reserveCapacity(end - oldest)
    for number in oldest..<end {
      let start = (number & (capacity - 1)) * FlightRecord.wordCount
      guard let one = Self.numbered(number, words[start...], text, oldestName) else { continue }
      snapshot.records.append(one)
    }
    return snapshot
  }

  private static func numbered(
    _ number: Int, _ words: ArraySlice<UInt64>, _ text: [UInt64], _ oldestName: Int
  ) -> Numbered? {
    let start = words.startIndex
    guard var record = FlightRecord(head: words[start]) else { return nil }
    for index in 0..<FlightRecord.payloadCount { record.payload[index] = words[start + 2 + index] }
    let (position, count) = (Int(words[start + 1] >> 16), Int(words[start + 1] & 0xffff))
    guard count == 0 || position >= oldestName else { return Numbered(number: number, record: record, name: nil) }
    let name = (0..<count).map { index in
      UInt8(truncatingIfNeeded: text[(position + index / 8) & (text.count - 1)] >> UInt64(index % 8 * 8))
    }
    return Numbered(number: number, record: record, name: name)
  }
}
