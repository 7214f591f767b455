import FileEvents
import FileIdentity
import LinuxFileSystem

/// One record of a flight recorder: a few words of fixed meaning, and a name.
struct FlightRecord: Sendable {
  /// What a record is about.
  enum Kind: UInt8, Sendable, CaseIterable {
    case step = 1
    case hint, look, waits, lease, decision, tag, scan, listed, scanned, mark, unmark, published, overflow
    case open, answer
  }

  /// The number of words that each kind uses as it needs them.
  static let payloadCount = 11
  /// The number of words of a record: the head, the name's position and length, and the payload.
  static let wordCount = 13

  var kind: Kind
  /// A result, a reason or another small number.
  var code: UInt8 = 0
  var flags: UInt16 = 0
  /// An entry, a mark or another number.
  var number: UInt32 = 0
  var payload = InlineArray<11, UInt64>(repeating: 0)

  init(_ kind: Kind, code: UInt8 = 0, flags: UInt16 = 0, number: UInt32 = 0) {
    self.kind = kind
    self.code = code
    self.flags = flags
    self.number = number
  }

  /// The record in a word; `nil` if the word is none.
  init?(head: UInt64) {
    guard let kind = Kind(rawValue: UInt8(truncatingIfNeeded: head)) else { return nil }
    self.kind = kind
    code = UInt8(truncatingIfNeeded: head >> 8)
    flags = UInt16(truncatingIfNeeded: head >> 16)
    number = UInt32(truncatingIfNeeded: head >> 32)
  }

  var head: UInt64 {
    UInt64(kind.rawValue) | UInt64(code) << 8 | UInt64(flags) << 16 | UInt64(number) << 32
  }

  /// A word of the payload as a signed number: a time or a size.
  func signed(_ index: Int) -> Int64 { Int64(bitPattern: payload[index]) }
}

/// What begins with a step.
package enum FlightStep: UInt8, Sendable, CaseIterable {
  /// The first scan.
  case start
  /// Hints of the source.
  case hints
  /// Deadlines.
  case deadlines
  /// A scan of the whole tree.
  case rescan
  /// An operation of this process.
  case own
}

extension FileSystemObserver.ScanReason {
  /// A number for the record.
  var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A question of the engine to the source, which only the source of then can answer.
enum FlightAnswer: UInt8, Sendable, CaseIterable {
  /// How many hints have been delivered.
  case delivered
  /// Whether hints of a directory wait.
  case pending
  /// The hint by which everything before a moment has been told.
  case horizon
  /// Whether a directory still exists that is open.
  case exists
}

// MARK: - Entries

extension FlightRecord {
  /// What a look may find.
  enum Result: UInt8, Sendable, CaseIterable {
    case absent, entry, unreachable, failed
  }

  /// The bits of `flags` in a record with an entry.
  enum EntryFlags {
    static let kind: UInt16 = 0b11
    static let tagShift: UInt16 = 2
    static let isRecent: UInt16 = 1 << 4
    static let isBeingWritten: UInt16 = 1 << 5
    static let wasTagged: UInt16 = 1 << 6
    static let causeShift: UInt16 = 7
    static let isListed: UInt16 = 1 << 9
  }

  /// Stores an entry in the words from 2 on, the number of its names in word 0, and the rest in the flags.
  mutating func store(_ entry: Entry) {
    flags |= UInt16(entry.kind.rawValue) & EntryFlags.kind
    if entry.isRecent { flags |= EntryFlags.isRecent }
    payload[0] |= UInt64(entry.linkCount) << 32
    payload[2] = entry.key.inode
    payload[3] = entry.key.device
    payload[4] = UInt64(bitPattern: entry.key.born)
    payload[5] = UInt64(bitPattern: entry.size)
    payload[6] = UInt64(bitPattern: entry.modified)
    payload[7] = UInt64(bitPattern: entry.changed)
    payload[10] = entry.fileSystem
    store(entry.tag)
  }

  private mutating func store(_ tag: TagReading) {
    let state: UInt16
    switch tag {
    case .none: state = 0
    case .uuid(let uuid):
      state = 1
      payload[8] = uuid.high
      payload[9] = uuid.low
    case .garbage: state = 2
    case .unreadable: state = 3
    }
    flags |= state << EntryFlags.tagShift
  }

  /// Stores where a name is: its directory by the number of the entry and by the inode.
  mutating func storePlace(_ parent: NodeID, inode: UInt64) {
    payload[0] |= UInt64(parent.rawValue)
    payload[1] = inode
  }

  mutating func store(_ cause: Cause) {
    switch cause {
    case .hint(let kinds): number = UInt32(kinds.rawValue)
    case .scan: flags |= 1 << EntryFlags.causeShift
    case .check: flags |= 2 << EntryFlags.causeShift
    }
  }
}
