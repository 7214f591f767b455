import FileIdentity
import LinuxFileSystem

/// Tags of new and rewritten files that wait for the end of a burst.
///
/// So the tags of a checkout or an unpacked archive are written together. A tag changes the ctime of its file, which
/// version control and backups compare.
///
/// A new file loses nothing by the wait: its UUID is announced, and would be minted again. A rewritten document has its
/// UUID from the file that it replaced. So no tag waits long, and only while many files arrive.
struct HeldTags {
  /// The number of unfinished files that is a burst.
  static let burst = 16
  /// How long no file must have been finished before the tags are written, in nanoseconds.
  static let rest: Int64 = 400_000_000
  /// The longest time that a tag waits, in nanoseconds.
  static let patience: Int64 = 5_000_000_000

  /// So many tags are written in one step: it takes some milliseconds, and their hints are replayed before the next.
  static let portion = 1_024

  struct Held {
    var id: NodeID
    /// Shows whether the `NodeID` still belongs to the file.
    var key: FileKey
    /// Whether to keep a tag that the file already has.
    var isClaiming: Bool
  }

  /// The entries in the order in which they were finished.
  private var order: [NodeID] = []
  private var held: [NodeID: Held] = [:]
  private var since: MonotonicTime?
  private var latest: MonotonicTime?
  /// The number of tags that have been taken out.
  private(set) var takenCount = 0

  var count: Int { held.count }
  /// The tags, in no order.
  var all: some Collection<Held> { held.values }

  /// When to write the tags.
  var due: MonotonicTime? {
    guard let since, let latest else { return nil }
    return min(latest + Self.rest, since + Self.patience)
  }

  /// Whether a tag must wait: many files are arriving, or other tags are waiting.
  func mustWait(unfinished: Int) -> Bool { unfinished >= Self.burst || since != nil }

  mutating func insert(_ tag: Held, _ now: MonotonicTime) {
    if held.updateValue(tag, forKey: tag.id) == nil { order.append(tag.id) }
    since = since ?? now
    latest = now
  }

  /// Makes all held tags due: somebody waits for them.
  ///
  /// - Returns: The number of tags that have been taken out when the last of them has.
  mutating func hurry(_ now: MonotonicTime) -> Int {
    if since != nil { since = now + -Self.patience }
    return takenCount + order.count
  }

  /// Takes held tags out, those of the files that were finished first; the rest is due as before.
  mutating func take(atMost limit: Int = .max) -> [Held] {
    let taken = order.prefix(limit).compactMap { held.removeValue(forKey: $0) }
    takenCount += taken.count
    order.removeFirst(taken.count)
    if order.isEmpty { (order, held, since, latest) = ([], [:], nil, nil) }
    return taken
  }
}
