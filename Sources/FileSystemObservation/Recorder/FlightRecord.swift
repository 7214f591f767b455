import FileEvents
import FileIdentity
import LinuxFileSystem

/// A record of the flight recorder: a few words of fixed meaning, and a name.
struct FlightRecord: Sendable {
  enum Kind: UInt8, Sendable, CaseIterable {
    case step = 1
    case hint, look, waits, lease, decision, tag, scan, listed, scanned, mark, unmark, published, overflow
    case open, answer, operation
  }

  /// The number of words that each kind uses in its own way.
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

  /// Decodes the first word of a record; `nil` if it is none.
  init?(head: UInt64) {
    guard let kind = Kind(rawValue: UInt8(truncatingIfNeeded: head)) else { return nil }
    self.kind = kind
    code = UInt8(truncatingIfNeeded: head >> 8)
    flags = UInt16(truncatingIfNeeded: head >> 16)
    number = UInt32(truncatingIfNeeded: head >> 32)
  }

  /// The first word of a record.
  @inline(__always) static func head(_ kind: Kind, code: UInt8, flags: UInt16, number: UInt32) -> UInt64 {
    UInt64(kind.rawValue) | UInt64(code) << 8 | UInt64(flags) << 16 | UInt64(number) << 32
  }

  /// A word of the payload as a signed number: a time or a size.
  func signed(_ index: Int) -> Int64 { Int64(bitPattern: payload[index]) }
}

/// What a step begins with.
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
  var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A part of what is kept of an operation of this process.
enum FlightOperation: UInt8, Sendable, CaseIterable {
  /// What kind of operation begins.
  case begins
  /// Where its item was before, and where it is afterwards; neither if that is not observed.
  case source, destination
  /// What its system calls have made, and the original of each copy.
  case committed, copy
  /// Its system calls have failed.
  case failed
  /// All of it is announced.
  case ended
}

extension DeletionReason {
  var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A question of the engine to the source, to a clock or about an open directory, which a replay cannot ask again.
enum FlightAnswer: UInt8, Sendable, CaseIterable {
  /// How many hints have been delivered.
  case delivered
  /// Whether hints of a directory are waiting.
  case pending
  /// The hint up to which everything before a moment has been reported.
  case horizon
  /// Whether an open directory still exists.
  case exists
  /// When an open directory has changed; kept only if nobody could say.
  case times
  /// Whether the source has the hints of everything that was seen in a directory.
  case ordered
  /// The time, during an operation of this process.
  case clock
}

// MARK: - Entries

extension FlightRecord {
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
}

extension FlightRecord.EntryFlags {
  static func of(_ entry: Entry) -> UInt16 {
    let tag: UInt16 =
      switch entry.tag {
      case .none: 0
      case .uuid: 1
      case .garbage: 2
      case .unreadable: 3
      }
    return UInt16(entry.kind.rawValue) & kind | tag << tagShift | (entry.isRecent ? isRecent : 0)
  }

  static func of(_ cause: LookReason) -> UInt16 {
    switch cause {
    case .hint: 0
    case .scan: 1 << causeShift
    case .check: 2 << causeShift
    }
  }
}

extension AtomicWords.Slot {
  /// Stores a place in the words 0 and 1: its directory's number and inode, and the number of its links.
  func store(_ parent: NodeID, inode: UInt64, links: UInt32 = 0) {
    self[0] = UInt64(parent.rawValue) | UInt64(links) << 32
    self[1] = inode
  }

  /// Stores the place of an entry, and what its flags do not say.
  func store(_ entry: Entry, in parent: NodeID, inode: UInt64) {
    store(parent, inode: inode, links: entry.linkCount)
    store(entry.key)
    setSigned(5, entry.size)
    setSigned(6, entry.modified)
    setSigned(7, entry.changed)
    if case .uuid(let uuid) = entry.tag { store(uuid) }
    self[10] = entry.fileSystem
  }

  func store(_ key: FileKey) {
    self[2] = key.inode
    self[3] = key.device
    setSigned(4, key.born)
  }

  func store(_ uuid: UUIDBits) {
    self[8] = uuid.high
    self[9] = uuid.low
  }
}
