import FileIdentity

/// The former places and identities of the entries that were added or changed since the last change set.
struct FormerEntries: Sendable {
  /// A name that an identity had.
  struct Entry: Sendable {
    var uuid: UUIDBits
    var parent: NodeID
    fileprivate(set) var nameOffset: UInt32
    fileprivate(set) var nameCount: UInt16
  }

  /// The number of entries that are recorded without a new allocation for each set.
  private static let usualCount = 256

  /// The value is `nil` for an entry that did not exist.
  private var entries: [NodeID: Entry?] = [:]
  /// Entries that no set has announced.
  private var unannounced: Set<NodeID> = []

  /// All entries that may have changed, including new ones.
  var ids: Set<NodeID> { Set(entries.keys) }

  func hasChanged(_ id: NodeID) -> Bool { self[id] != nil }

  /// The former state of a changed entry; the inner value is `nil` for one that did not exist.
  subscript(id: NodeID) -> Entry?? {
    if !unannounced.isEmpty, unannounced.contains(id) { return .some(nil) }
    return entries[id]
  }

  /// Records whether an entry is unannounced; when it is announced, it is new in the next set.
  mutating func setUnannounced(_ id: NodeID, _ isUnannounced: Bool) {
    if isUnannounced {
      unannounced.insert(id)
    } else if unannounced.remove(id) != nil {
      entries[id] = .some(nil)
    }
  }

  /// Records the present state of an entry, unless an older one is recorded.
  mutating func remember(_ id: NodeID, _ node: Node) {
    guard entries[id] == nil else { return }
    entries[id] = .some(
      Entry(uuid: node.uuid, parent: node.parent, nameOffset: node.nameOffset, nameCount: node.nameCount))
  }

  mutating func rememberAbsence(of id: NodeID) {
    guard entries[id] == nil else { return }
    entries[id] = .some(nil)
  }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: entries.count <= Self.usualCount)
  }
}

extension FileGraph {
  /// The identity and place of an entry as of the last change set; `nil` if it did not exist.
  func former(_ id: NodeID) -> FormerEntries.Entry? {
    if let former = formerEntries[id] { return former }
    guard isLive(id) else { return nil }
    let node = self[id]
    return FormerEntries.Entry(
      uuid: node.uuid, parent: node.parent, nameOffset: node.nameOffset, nameCount: node.nameCount)
  }

  func hasFormerName(_ id: NodeID, _ former: FormerEntries.Entry) -> Bool {
    let node = self[id]
    if node.nameOffset == former.nameOffset { return true }
    guard node.nameCount == former.nameCount else { return false }
    return storage.names.areSame(at: node.nameOffset, and: former.nameOffset, count: Int(node.nameCount))
  }

  func nameBytes(_ former: FormerEntries.Entry) -> ArraySlice<UInt8> {
    storage.names.bytes(at: former.nameOffset, count: Int(former.nameCount))
  }

  /// The former number of directories above an entry, including the root.
  func formerDepth(of id: NodeID) -> Int {
    var depth = 0
    var current = id
    while current != .root, let former = former(current) {
      depth += 1
      current = former.parent
    }
    return depth
  }

  /// Appends the former path of an entry, which must have existed, without a leading slash.
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
