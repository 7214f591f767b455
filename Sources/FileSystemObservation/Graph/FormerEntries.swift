import FileIdentity

/// Where entries were, and which identities they stood for, when the last change set was made.
///
/// Only entries that have been added, moved, removed or given another identity since then are here; all others are as
/// they were.
struct FormerEntries: Sendable {
  /// A name that an identity had.
  struct Entry: Sendable {
    var uuid: UUIDBits
    var parent: NodeID
    fileprivate(set) var nameOffset: UInt32
    fileprivate(set) var nameCount: UInt16
  }

  /// So many are remembered without allocating anew for each set.
  private static let usualCount = 256

  /// Nothing for an entry that was not there.
  private var entries: [NodeID: Entry?] = [:]
  /// Entries of which nothing has been told, in however many sets.
  private var untold: Set<NodeID> = []

  /// All entries that may be others than they were, with those that were not there.
  var ids: Set<NodeID> { Set(entries.keys) }

  /// Whether an entry may be another than it was.
  func hasChanged(_ id: NodeID) -> Bool { self[id] != nil }

  /// What an entry was, if it is not what it was; nothing inside for one that was not there.
  subscript(id: NodeID) -> Entry?? {
    if !untold.isEmpty, untold.contains(id) { return .some(nil) }
    return entries[id]
  }

  /// Says whether nothing has been told of an entry; when something is, it comes to be with the next set.
  mutating func setUntold(_ id: NodeID, _ isUntold: Bool) {
    if isUntold {
      untold.insert(id)
    } else if untold.remove(id) != nil {
      entries[id] = .some(nil)
    }
  }

  /// Remembers what an entry is; what it was before counts more.
  mutating func remember(_ id: NodeID, _ node: Node) {
    guard entries[id] == nil else { return }
    entries[id] = .some(
      Entry(uuid: node.uuid, parent: node.parent, nameOffset: node.nameOffset, nameCount: node.nameCount))
  }

  /// Remembers that an entry was not there.
  mutating func rememberAbsence(of id: NodeID) {
    guard entries[id] == nil else { return }
    entries[id] = .some(nil)
  }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: entries.count <= Self.usualCount)
  }
}

extension FileGraph {
  /// The identity and the place that an entry had when the last change set was made; nothing where it was not there.
  func former(_ id: NodeID) -> FormerEntries.Entry? {
    if let former = formerEntries[id] { return former }
    guard isLive(id) else { return nil }
    let node = self[id]
    return FormerEntries.Entry(
      uuid: node.uuid, parent: node.parent, nameOffset: node.nameOffset, nameCount: node.nameCount)
  }

  /// Whether an entry has the name that it had.
  func hasFormerName(_ id: NodeID, _ former: FormerEntries.Entry) -> Bool {
    let node = self[id]
    if node.nameOffset == former.nameOffset { return true }
    guard node.nameCount == former.nameCount else { return false }
    return storage.names.areSame(at: node.nameOffset, and: former.nameOffset, count: Int(node.nameCount))
  }

  /// The bytes of a name that an entry had.
  func nameBytes(_ former: FormerEntries.Entry) -> ArraySlice<UInt8> {
    storage.names.bytes(at: former.nameOffset, count: Int(former.nameCount))
  }

  /// How many directories an entry was below.
  func formerDepth(of id: NodeID) -> Int {
    var depth = 0
    var current = id
    while current != .root, let former = former(current) {
      depth += 1
      current = former.parent
    }
    return depth
  }

  /// Appends the path that an entry had, without a leading slash.
  ///
  /// The entry must have been there.
  func appendFormerPath(of id: NodeID, to buffer: inout [UInt8]) {
    var end = buffer.count + formerPathLength(of: id)
    buffer.append(contentsOf: repeatElement(UInt8(ascii: "/"), count: end - buffer.count))
    var current = id
    while current != .root, let former = former(current) {
      storage.names.copy(at: former.nameOffset, count: Int(former.nameCount), to: &buffer, endingAt: end)
      end -= Int(former.nameCount) + 1
      current = former.parent
    }
  }

  private func formerPathLength(of id: NodeID) -> Int {
    var length = -1
    var current = id
    while current != .root, let former = former(current) {
      length += Int(former.nameCount) + 1
      current = former.parent
    }
    return max(0, length)
  }
}
