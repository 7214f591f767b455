import LinuxFileSystem
import SystemPackage

/// Sets of changes that follow a cursor, one by one as they are read.
struct SetChain {
  private let head: StoredHead
  private var sets: [FileSystemChanges] = []
  /// The number of the last set.
  private var number: UInt64
  private var room: Int
  private var hasGap = false

  /// - Parameters:
  ///   - head: What is known of the runs, and the number of the last set that there must be.
  ///   - limit: Enough changes.
  init(after cursor: FileSystemObserver.Cursor, of head: StoredHead, atMost limit: Int = .max) {
    self.head = head
    number = cursor.number
    room = limit
  }

  private var isFull: Bool { room <= 0 }
  /// Whether no further set is wanted.
  var isEnded: Bool { hasGap || isFull }

  /// Adds a set, unless it is there already; whether more are wanted.
  mutating func append(_ changes: StoredChanges, _ number: UInt64) -> Bool {
    if number <= self.number { return !isEnded }
    guard number == self.number + 1, case .changes(let log) = changes else {
      hasGap = true
      return false
    }
    self.number = number
    room -= max(1, log.records.count)
    sets.append(
      FileSystemChanges(
        log, nil, sequence: number, directory: FilePath(bytes: head.directory), epoch: head.epoch(of: number)))
    return !isEnded
  }

  /// The sets, unless one is missing.
  var answer: MissedAnswer {
    if hasGap || !isFull && number < head.number { return .unknown(.tooOld) }
    let end = FileSystemObserver.Cursor(epoch: head.epoch(of: number), number: number)
    return .sets(MissedSets(sets: sets, end: end, isAll: !isFull))
  }
}
