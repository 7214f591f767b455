import DequeModule
import FileIdentity
import LinuxFileSystem

/// Tags of copies that wait until the store has the copies.
///
/// Until it has its own tag, a copy has that of its original. So if the process is killed, the next run finds out what
/// it is a copy of.
struct CopyTags {
  private struct Waiting {
    var copy: NodeID
    var since: MonotonicTime
    /// The set that announces the copy, or a later one.
    var set: UInt64
  }

  /// How long a tag waits for a store that does not answer, in nanoseconds.
  static let patience: Int64 = 5_000_000_000

  /// The last set that the store has; `nil` if there is no store, or it cannot be written.
  var stored: UInt64?
  private var tags: [NodeID: HeldTags.Held] = [:]
  private var unannounced: [NodeID] = []
  /// In the order of their sets.
  private var waiting: Deque<Waiting> = []
  /// The number of tags that have been taken out.
  private(set) var takenCount = 0

  var count: Int { tags.count }
  /// The tags, in no order.
  var all: some Collection<HeldTags.Held> { tags.values }

  /// When to write the first tags; a moment in the past if the store has them.
  var due: MonotonicTime? {
    guard let first = waiting.first else { return nil }
    return isStored(first) ? first.since : first.since + Self.patience
  }

  /// Whether the store lacks an announced copy.
  var awaitsStore: Bool { waiting.first.map { !isStored($0) } ?? false }

  /// The number of tags that have been taken out when the last of those that wait now has.
  var total: Int { takenCount + count }

  /// Adds a tag; the file of a copy that waits already may be another one by now.
  mutating func insert(_ tag: HeldTags.Held) {
    if tags.updateValue(tag, forKey: tag.id) == nil { unannounced.append(tag.id) }
  }

  /// All decided changes are in the set with this number, or in earlier ones.
  ///
  /// - Parameter isAnnounced: Whether a copy is among them; the announcement of a folder may wait.
  mutating func notePublished(_ number: UInt64, _ now: MonotonicTime, isAnnounced: (NodeID) -> Bool) {
    if unannounced.isEmpty { return }
    let announced = unannounced.partition(by: isAnnounced)
    waiting += unannounced[announced...].map { Waiting(copy: $0, since: now, set: number) }
    unannounced.removeSubrange(announced...)
  }

  /// Takes out tags that are due.
  mutating func take(atMost limit: Int, _ now: MonotonicTime) -> [HeldTags.Held] {
    var taken: [HeldTags.Held] = []
    while taken.count < limit, let due, due <= now, let first = waiting.popFirst() {
      if let tag = tags.removeValue(forKey: first.copy) { taken.append(tag) }
    }
    takenCount += taken.count
    return taken
  }

  /// Takes out all tags.
  mutating func takeAll() -> [HeldTags.Held] {
    let all = (waiting.map(\.copy) + unannounced).compactMap { tags[$0] }
    takenCount += all.count
    (tags, unannounced, waiting) = ([:], [], [])
    return all
  }

  private func isStored(_ copy: Waiting) -> Bool { stored.map { copy.set <= $0 } ?? true }
}
