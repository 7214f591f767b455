package import LinuxFileSystem

/// One record as fanotify queues it.
package struct QueuedRecord {
  /// A name in a directory; without a name the directory itself.
  package struct Place: Hashable {
    package var directory: Inode
    package var name: NameNumber?

    package static func == (one: Self, other: Self) -> Bool {
      one.directory === other.directory && one.name == other.name
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(directory))
      hasher.combine(name)
    }
  }

  package var mask: FanotifyMask
  /// Who did it.
  package var process: Int
  package var place: Place?
  /// The ends of a rename, as far as their directories are marked.
  package var old: Place?
  package var new: Place?
  /// The file; none where the event is about a directory itself.
  package var file: Inode?
  /// When the first of it happened.
  package var time: Int64 = 0
}

/// The queue of one fanotify group, as the kernel keeps it: it merges with whatever waits and is about the same names,
/// the same file and the same process, and when it is full, one record says so and what follows is dropped.
package struct RecordQueue {
  /// What the kernel compares (fanotify_should_merge).
  private struct Key: Hashable {
    var process: Int
    var isDirectory: Bool
    var isRename: Bool
    var place: QueuedRecord.Place?
    var old: QueuedRecord.Place?
    var new: QueuedRecord.Place?
    var file: ObjectIdentifier?

    init(_ record: QueuedRecord) {
      process = record.process
      isDirectory = record.mask.contains(.onDirectory)
      isRename = record.mask.contains(.rename)
      (place, old, new) = (record.place, record.old, record.new)
      file = record.file.map { ObjectIdentifier($0) }
    }
  }

  private var records: [QueuedRecord] = []
  private var head = 0
  private let capacity: Int
  private var hasOverflowed = false
  private var waiting: [Key: Int] = [:]
  private var isClosed = false

  package init(capacity: Int) {
    self.capacity = capacity
  }

  package var count: Int { records.count - head }
  package var isEmpty: Bool { head == records.count }

  /// When the record happened that has waited longest.
  package var oldest: Int64? { isEmpty ? nil : records[head].time }

  mutating func append(_ record: QueuedRecord, at time: Int64) {
    if isClosed { return }
    var record = record
    record.time = time
    if count >= capacity {
      // Told once, until that is read.
      if !hasOverflowed { records.append(QueuedRecord(mask: .queueOverflow, process: 0, time: time)) }
      hasOverflowed = true
      return
    }
    let key = Key(record)
    if let index = waiting[key] {
      records[index].mask.formUnion(record.mask)
    } else {
      waiting[key] = records.count
      records.append(record)
    }
  }

  /// Forgets everything, and takes nothing any more.
  mutating func close() {
    records = []
    head = 0
    waiting = [:]
    isClosed = true
  }

  /// Takes out the first record: from now on nothing is merged into it.
  mutating func popFirst() -> QueuedRecord? {
    guard head < records.count else { return nil }
    let record = records[head]
    head += 1
    if record.mask.contains(.queueOverflow) { hasOverflowed = false }
    waiting[Key(record)] = nil
    if head == records.count {
      records.removeAll(keepingCapacity: true)
      head = 0
    }
    return record
  }
}
