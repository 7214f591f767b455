/// The sets of changes that a store has not taken yet, in order.
struct WaitingSets: Sendable {
  struct Set: Sendable {
    var changes: StoredChanges
    var number: UInt64
    var date: Int64

    /// About how many bytes it takes.
    var size: Int {
      guard case .changes(let log) = changes else { return 64 }
      return 64 + log.records.count * MemoryLayout<ChangeRecord>.stride + log.paths.count
    }
  }

  /// Sets that were not taken, and the number of the last set that was noted.
  typealias Rest = (sets: [Set], last: UInt64)

  private var sets: [Set] = []
  private(set) var bytes = 0
  /// The last set that announces a copy.
  private var lastCopies: UInt64 = 0
  /// The number of the last set that was added.
  private(set) var last: UInt64

  /// - Parameter last: The number of the last set before.
  init(after last: UInt64) {
    self.last = last
  }

  var isEmpty: Bool { sets.isEmpty }

  /// Whether one of the sets announces a copy.
  var hasCopies: Bool { sets.first.map { $0.number <= lastCopies } ?? false }

  mutating func add(_ changes: StoredChanges, _ number: UInt64, _ date: Int64) {
    let set = Set(changes: changes, number: number, date: date)
    sets.append(set)
    bytes += set.size
    last = number
    if case .changes(let log) = changes, log.hasCopies { lastCopies = number }
  }

  /// Leaves out all sets when they take too much; a gap takes their place.
  mutating func limit(to limit: Int) {
    guard bytes > limit, let set = sets.last else { return }
    sets = []
    bytes = 0
    add(.gap, set.number, set.date)
  }

  var all: [Set] { sets }

  func sets(through number: UInt64) -> [Set] { sets.filter { $0.number <= number } }

  mutating func remove(through number: UInt64) {
    sets.removeAll { $0.number <= number }
    bytes = sets.reduce(0) { $0 + $1.size }
  }
}
