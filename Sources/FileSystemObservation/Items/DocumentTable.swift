internal import FoundationEssentials

/// The values of documents, what is known of the documents, and which of both changed since they were last taken.
struct DocumentTable<Value> {
  /// A value, with what is known of its document.
  struct Entry {
    var value: Value
    /// When the document was found to be gone; `nil` while it is there.
    var goneSince: Date?
    /// Whether a copy has it from its original, and the app has set none.
    var isInherited = false
  }

  /// Of what a document is a copy.
  struct Copy: Hashable, Sendable {
    var original: UUID
    var found: Date
    /// Whether the app has removed the value of the copy.
    var isCleared = false
  }

  private(set) var entries: [UUID: Entry] = [:]
  private(set) var copies: [UUID: Copy] = [:]
  private var changed: Set<UUID> = []

  /// The entry of a document.
  subscript(entry uuid: UUID) -> Entry? {
    get { entries[uuid] }
    set {
      if newValue == nil && entries[uuid] == nil { return }
      entries[uuid] = newValue
      changed.insert(uuid)
    }
  }

  /// Of what a document is a copy.
  subscript(copy uuid: UUID) -> Copy? {
    get { copies[uuid] }
    set {
      guard newValue != copies[uuid] else { return }
      copies[uuid] = newValue
      changed.insert(uuid)
    }
  }

  /// Whether something is known of a document.
  func contains(_ uuid: UUID) -> Bool { entries[uuid] != nil || copies[uuid] != nil }

  /// The documents of which something is known.
  var uuids: Set<UUID> { Set(entries.keys).union(copies.keys) }

  // MARK: - Following the documents

  /// A document is there.
  mutating func noteThere(_ uuid: UUID) {
    if entries[uuid]?.goneSince != nil { self[entry: uuid]?.goneSince = nil }
  }

  /// A document is gone; if it was gone before, since then.
  mutating func noteGone(_ uuid: UUID, at date: Date) {
    if let entry = entries[uuid], entry.goneSince == nil { self[entry: uuid]?.goneSince = date }
  }

  /// A document is a copy; if that was known, since then.
  mutating func note(_ copy: UUID, isCopyOf original: UUID, at date: Date) {
    if copies[copy]?.original != original { self[copy: copy] = Copy(original: original, found: date) }
  }

  // MARK: - What changed

  /// The documents of which something changed, since this was last called.
  mutating func takeChanged() -> Set<UUID> {
    defer { changed = [] }
    return changed
  }

  /// Has the next call of ``takeChanged()`` name documents again.
  mutating func putBack(_ uuids: some Sequence<UUID>) { changed.formUnion(uuids) }
}

extension DocumentTable: Sendable where Value: Sendable {}
extension DocumentTable.Entry: Sendable where Value: Sendable {}
extension DocumentTable.Entry: Equatable where Value: Equatable {}

extension DocumentTable: Equatable where Value: Equatable {
  static func == (one: Self, other: Self) -> Bool { one.entries == other.entries && one.copies == other.copies }
}
