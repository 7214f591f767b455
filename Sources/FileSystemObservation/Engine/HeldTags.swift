import FileIdentity
import LinuxFileSystem

/// Tags of new and rewritten files that wait until nothing more arrives, so that those of a checkout or an unpacked
/// archive are written in one go.
///
/// To write a tag changes a file's ctime, which version control and backups compare. The tag of a new file costs
/// nothing while it waits: the UUID has been told, and would be minted again. A document that was rewritten has its
/// UUID from the file it replaced, which is why none waits for long, and only while many files arrive.
struct HeldTags {
  /// So many files that are not finished are a burst.
  static let burst = 16
  /// How long nothing must have been finished until the tags are written.
  static let rest: Int64 = 400_000_000
  /// The longest that a tag waits while more files arrive.
  static let patience: Int64 = 5_000_000_000

  /// A tag that waits.
  struct Held {
    var id: NodeID
    /// Tells whether the number still stands for the file.
    var key: FileKey
    /// Whether it is only to be written where there is none.
    var isClaiming: Bool
  }

  /// In the order in which the files were finished.
  private var order: [NodeID] = []
  private var held: [NodeID: Held] = [:]
  private var since: MonotonicTime?
  private var latest: MonotonicTime?

  /// When they are to be written.
  var due: MonotonicTime? {
    guard let since, let latest else { return nil }
    return min(latest + Self.rest, since + Self.patience)
  }

  /// Whether a tag has to wait: many files are arriving, or others wait already.
  func mustWait(unfinished: Int) -> Bool { unfinished >= Self.burst || since != nil }

  /// Has a tag wait.
  mutating func insert(_ tag: Held, _ now: MonotonicTime) {
    if held.updateValue(tag, forKey: tag.id) == nil { order.append(tag.id) }
    since = since ?? now
    latest = now
  }

  /// All that wait.
  mutating func take() -> [Held] {
    let taken = order.compactMap { held[$0] }
    self = HeldTags()
    return taken
  }
}
