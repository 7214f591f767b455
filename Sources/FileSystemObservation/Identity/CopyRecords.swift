import FileIdentity
import LinuxFileSystem

/// Which entries were announced as copies of which, a short while ago.
///
/// A complete copy gets a tag of its own, so that nothing on disk says what it was copied from. The records let a
/// folder that is moved by copying keep its identities when the original is removed at the end.
///
/// Bounded in number, the oldest first, and in time: all are forgotten when no copy was announced for `lifetime`.
struct CopyRecords: Sendable {
  /// What shows a change of content.
  private struct Content: Equatable, Sendable {
    var modified: Int64
    var size: Int64

    init(_ id: NodeID, _ graph: FileGraph) { (modified, size) = graph.content(of: id) }

    /// Whether a copy has the size and time of its original: a move by copying keeps the modification time.
    ///
    /// Some file systems round times to 100 nanoseconds, others to seconds.
    func isCopied(as copy: Content) -> Bool {
      guard size == copy.size else { return false }
      let lost = WallClock.interval(from: copy.modified, to: modified)
      return lost == 0 || 0..<100 ~= lost || copy.modified % 1_000_000_000 == 0 && 0..<1_000_000_000 ~= lost
    }
  }

  private struct Record: Sendable {
    var original: UUIDBits
    var key: FileKey
    var content: Content
    var originalContent: Content
    /// Distinguishes a record from an older one of an entry with the same `NodeID`.
    var serial: UInt64
  }

  /// The maximum number of records.
  static let limit = 131_072

  /// How long records are kept after the last of them, in nanoseconds.
  let lifetime: Int64

  private var records: [NodeID: Record] = [:]
  private var copies = Multimap<UUIDBits, NodeID>()
  /// The copies in the order of their records; some are forgotten.
  private var order: [(copy: NodeID, serial: UInt64)] = []
  private var oldest = 0
  private var serial: UInt64 = 0
  private var latest: MonotonicTime?

  init(lifetime: Int64) {
    self.lifetime = lifetime
  }

  var count: Int { records.count }
  var isEmpty: Bool { records.isEmpty }
  /// All copies, in no order.
  var entries: some Collection<NodeID> { records.keys }

  func hasCopies(_ original: UUIDBits) -> Bool { copies.hasMembers(original) }

  /// The copy of an identity that was announced last.
  func newestCopy(of original: UUIDBits) -> NodeID? {
    copies.members(of: original).max { (records[$0]?.serial ?? 0) < (records[$1]?.serial ?? 0) }
  }

  /// The original of a copy.
  func original(of copy: NodeID) -> UUIDBits? { records[copy]?.original }

  func isCopy(_ copy: NodeID, of original: UUIDBits) -> Bool { records[copy]?.original == original }

  /// Whether a copy is like its original, and neither has changed since the copy was announced.
  func isIntact(_ copy: NodeID, of original: NodeID, in graph: FileGraph) -> Bool {
    guard let record = records[copy], record.key == graph.key(copy) else { return false }
    guard graph[copy].kind == .file else { return true }
    let (content, originalContent) = (Content(copy, graph), Content(original, graph))
    return record.content == content && record.originalContent == originalContent
      && originalContent.isCopied(as: content)
  }

  /// Records that an entry is a copy of another.
  mutating func note(_ copy: NodeID, of original: NodeID, in graph: FileGraph, at now: MonotonicTime) {
    guard copy != original else { return }
    forgetExpired(now)
    forget(copy)
    if records.count >= Self.limit { forgetOldest() }
    serial += 1
    latest = now
    records[copy] = Record(
      original: graph[original].uuid, key: graph.key(copy), content: Content(copy, graph),
      originalContent: Content(original, graph), serial: serial)
    copies.insert(copy, for: graph[original].uuid)
    order.append((copy, serial))
    compactOrder()
  }

  mutating func forget(_ copy: NodeID) {
    guard let record = records.removeValue(forKey: copy) else { return }
    copies.remove(copy, for: record.original)
  }

  mutating func forgetCopies(of original: UUIDBits) {
    for copy in copies.members(of: original) { forget(copy) }
  }

  /// Makes the copies of one identity copies of another.
  mutating func replaceOriginal(_ former: UUIDBits, by original: UUIDBits) {
    for copy in copies.members(of: former) {
      records[copy]?.original = original
      copies.remove(copy, for: former)
      copies.insert(copy, for: original)
    }
  }

  /// Forgets everything if no copy has been announced for `lifetime`.
  mutating func forgetExpired(_ now: MonotonicTime) {
    guard let latest, now - latest > lifetime else { return }
    self = CopyRecords(lifetime: lifetime)
  }

  private mutating func forgetOldest() {
    while oldest < order.count {
      let (copy, serial) = order[oldest]
      oldest += 1
      if records[copy]?.serial == serial { return forget(copy) }
    }
  }

  /// Keeps forgotten copies to a fraction of the list.
  private mutating func compactOrder() {
    guard order.count > 2 * records.count + 64 else { return }
    order = order[oldest...].filter { records[$0.copy]?.serial == $0.serial }
    oldest = 0
  }
}
