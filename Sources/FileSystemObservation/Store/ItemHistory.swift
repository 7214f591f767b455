import FileIdentity
import FoundationEssentials

/// The changes of one item, and those that made copies of it, in the order in which their sets are read.
struct ItemHistory {
  private let uuid: UUIDBits
  /// The UUID as sets have it.
  private let storedUUID: [UInt8]
  private let head: StoredHead
  private(set) var entries: [StoredJournal.Entry] = []
  /// The number of the last set that was read.
  private var number: UInt64 = 0

  init(of uuid: UUID, _ head: StoredHead) {
    self.uuid = UUIDBits(uuid)
    self.head = head
    var writer = StoredBytesWriter()
    writer.append(self.uuid)
    storedUUID = writer.bytes
  }

  /// Reads a stored set.
  mutating func append(_ set: StoredSet) throws(StoredDataError) {
    if set.bytes.contains(storedUUID) { append(try StoredChanges(bytes: set.bytes), set.number, set.date) }
    number = set.number
  }

  /// Reads a set, unless that was read before.
  mutating func append(_ changes: StoredChanges, _ number: UInt64, _ date: Int64) {
    guard number > self.number, case .changes(var log) = changes else { return }
    self.number = number
    log.records.removeAll { $0.uuid != uuid && $0.original != uuid }
    entries += head.entries(of: log, number, date)
  }
}

extension [UInt8] {
  /// Whether eight bytes or more are in the array.
  fileprivate func contains(_ wanted: [UInt8]) -> Bool {
    let (bytes, wantedBytes) = unsafe (span.bytes, wanted.span.bytes)
    let first = unsafe wantedBytes.unsafeLoadUnaligned(as: UInt64.self)
    var start = 0
    // Within the array: there are at least as many bytes after the start.
    while start + wanted.count <= count {
      if unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self) == first,
        self[start..<start + wanted.count] == wanted[...]
      {
        return true
      }
      start += 1
    }
    return false
  }
}
