import FileIdentity
import LinuxFileSystem

/// Which entries were told to be copies of which, a short while ago.
///
/// A copy gets a tag of its own as soon as it is complete: from then on nothing on disk tells what it is a copy of.
/// This is remembered so that a folder that is moved by copying takes its identities along when the original is removed
/// at the end.
///
/// Bounded in number and in time: the oldest are forgotten first, and all of them when no copy has been told for as
/// long as `lifetime`.
struct CopyRecords: Sendable {
  /// By what a change of content shows.
  private struct Content: Equatable, Sendable {
    var modified: Int64
    var size: Int64

    init(_ id: NodeID, _ graph: FileGraph) { (modified, size) = graph.content(of: id) }

    /// Whether a copy has what its original has: whoever moves by copying carries the time of the last change along.
    ///
    /// Some file systems keep times in units of 100 nanoseconds, others in whole seconds.
    func isCopied(as copy: Content) -> Bool {
      guard size == copy.size else { return false }
      let lost = modified - copy.modified
      return lost == 0 || 0..<100 ~= lost || copy.modified % 1_000_000_000 == 0 && 0..<1_000_000_000 ~= lost
    }
  }

  private struct Record: Sendable {
    var original: UUIDBits
    var key: FileKey
    var content: Content
    var originalContent: Content
    /// Tells a record from an older one of an entry with the same number.
    var serial: UInt64
  }

  /// How many copies are remembered.
  static let limit = 131_072

  /// How long they are remembered after the last of them, in nanoseconds.
  let lifetime: Int64

  private var records: [NodeID: Record] = [:]
  private var copies = Multimap<UUIDBits, NodeID>()
  /// The copies in the order in which they came; some of them are forgotten.
  private var order: [(copy: NodeID, serial: UInt64)] = []
  private var oldest = 0
  private var serial: UInt64 = 0
  private var latest: MonotonicTime?

  init(lifetime: Int64) {
    self.lifetime = lifetime
  }

  var count: Int { records.count }
  var isEmpty: Bool { records.isEmpty }
  /// The copies that are remembered, in no order.
  var entries: some Collection<NodeID> { records.keys }

  /// Whether an identity has copies that are remembered.
  func hasCopies(_ original: UUIDBits) -> Bool { copies.hasMembers(original) }

  /// The copy of an identity that was told last.
  func newestCopy(of original: UUIDBits) -> NodeID? {
    copies.members(of: original).max { (records[$0]?.serial ?? 0) < (records[$1]?.serial ?? 0) }
  }

  /// What an entry is remembered as a copy of.
  func original(of copy: NodeID) -> UUIDBits? { records[copy]?.original }

  /// Whether an entry is remembered as a copy of an identity.
  func isCopy(_ copy: NodeID, of original: UUIDBits) -> Bool { records[copy]?.original == original }

  /// Whether a copy is like its original, and neither has been changed since the copy was told.
  func isIntact(_ copy: NodeID, of original: NodeID, in graph: FileGraph) -> Bool {
    guard let record = records[copy], record.key == graph.key(copy) else { return false }
    guard graph[copy].kind == .file else { return true }
    let (content, originalContent) = (Content(copy, graph), Content(original, graph))
    return record.content == content && record.originalContent == originalContent
      && originalContent.isCopied(as: content)
  }

  /// Remembers that an entry is a copy of another.
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

  /// Forgets what an entry is a copy of.
  mutating func forget(_ copy: NodeID) {
    guard let record = records.removeValue(forKey: copy) else { return }
    copies.remove(copy, for: record.original)
  }

  /// Forgets the copies of an identity, which has ended.
  mutating func forgetCopies(of original: UUIDBits) {
    for copy in copies.members(of: original) { forget(copy) }
  }

  /// The copies of one identity are copies of another from now on.
  mutating func replaceOriginal(_ former: UUIDBits, by original: UUIDBits) {
    for copy in copies.members(of: former) {
      records[copy]?.original = original
      copies.remove(copy, for: former)
      copies.insert(copy, for: original)
    }
  }

  /// Forgets everything where no copy has been told for long.
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

  /// Most of the list must not be about copies that are forgotten.
  private mutating func compactOrder() {
    guard order.count > 2 * records.count + 64 else { return }
    order = order[oldest...].filter { records[$0.copy]?.serial == $0.serial }
    oldest = 0
  }
}
