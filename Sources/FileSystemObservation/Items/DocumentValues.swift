public import FoundationEssentials

/// What an app keeps of its documents, by their UUIDs: ratings, labels, notes, positions.
///
/// It follows the documents by the events of a listener. Renames, moves and saves change nothing, since the UUID stays:
///
/// ```swift
/// var ratings = DocumentValues<Int>()
/// ratings[item.uuid] = 5
/// for try await event in observer.events(startingWith: ratings.cursor.map { .after($0) } ?? .snapshot) {
///   ratings.apply(event)
/// }
/// ```
///
/// - A copy of a document gets the original's value, or what a function makes of it.
/// - The value of a document that is gone stays until ``forget(goneBefore:)``: the document may come back from the
///   trash, or from a disk, and then has it again.
/// - When a folder that was copied is removed, and its documents go on in the copy under their own UUIDs, what the app
///   has noted of the copies meanwhile goes to them (``FileSystemChanges/replacement(of:)``).
///
/// It is a value in memory and does not access the disk. It is `Codable` if its values are, with the ``cursor``, so that
/// an app writes both at once and misses nothing: `try JSONEncoder().encode(ratings).write(to: file, options: .atomic)`.
/// Only documents with a value take memory, and copies, 50 bytes each.
public struct DocumentValues<Value> {
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
  }

  var entries: [UUID: Entry] = [:]
  var copies: [UUID: Copy] = [:]

  /// The cursor after the last applied event, with which a listener goes on; `nil` at first.
  ///
  /// It is of the observer whose events came last. An app with several observers keeps a cursor for each.
  public internal(set) var cursor: FileSystemObserver.Cursor?

  /// Makes a collection without values.
  public init() {}

  // MARK: - Values

  /// The value of a document, also of one that is gone; set it to `nil` to remove it.
  public subscript(uuid: UUID) -> Value? {
    get { entries[uuid]?.value }
    set { entries[uuid] = newValue.map { Entry(value: $0, goneSince: entries[uuid]?.goneSince) } }
  }

  /// The UUIDs of the documents that have a value, also of those that are gone; in no order.
  public var uuids: some Collection<UUID> { entries.keys }

  /// The number of values.
  public var count: Int { entries.count }

  /// Whether there are no values.
  public var isEmpty: Bool { entries.isEmpty }

  /// When a document with a value was found to be gone; `nil` if it is there, or has no value.
  public func goneSince(_ uuid: UUID) -> Date? { entries[uuid]?.goneSince }

  /// Removes the values of documents that have been gone for long, and forgets which documents are old copies.
  ///
  /// Call it once in a run, for instance. A year is a good limit for what a person has written.
  ///
  /// - Parameter date: Since before when a document must be gone.
  /// - Returns: The documents that had a value.
  @discardableResult public mutating func forget(goneBefore date: Date) -> Set<UUID> {
    let forgotten = entries.filter { $0.value.goneSince.map { $0 < date } ?? false }.keys
    for uuid in forgotten { entries[uuid] = nil }
    copies = copies.filter { $0.value.found >= date }
    return Set(forgotten)
  }
}

// MARK: - Following the documents

extension DocumentValues {
  /// Has the values follow an event of a listener.
  ///
  /// To apply an event twice does no harm: a copy that has a value keeps it. Of a `reset` only the documents that are
  /// there count: others may be in a part that the listener does not see.
  ///
  /// - Parameters:
  ///   - event: An event; any but a set of changes or a reset changes nothing.
  ///   - date: Since when a document is gone that the event deletes.
  ///   - copied: Makes the value of a copy from that of its original; `nil` for none. By default it is the same.
  /// - Returns: The documents that have another value than before.
  /// - Complexity: O(*n*) for *n* changes, or items of a reset.
  @discardableResult public mutating func apply(
    _ event: FileSystemObserver.Event, at date: Date = Date(), copied: (Value) -> Value? = { $0 }
  ) -> Set<UUID> {
    switch event {
    case .didChange(let changes): return apply(changes, at: date, copied: copied)
    case .reset(let snapshot, _):
      if !isEmpty { for item in snapshot { entries[item.uuid]?.goneSince = nil } }
      cursor = snapshot.cursor ?? cursor
    default: break
    }
    return []
  }

  /// Has the values follow a set of changes, as with the event ``FileSystemObserver/Event/didChange(_:)``.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - date: Since when a document is gone that the set deletes.
  ///   - copied: Makes the value of a copy from that of its original; `nil` for none. By default it is the same.
  /// - Returns: The documents that have another value than before.
  /// - Complexity: O(*n*) for *n* changes.
  @discardableResult public mutating func apply(
    _ changes: FileSystemChanges, at date: Date = Date(), copied: (Value) -> Value? = { $0 }
  ) -> Set<UUID> {
    var changed: Set<UUID> = []
    for change in changes {
      switch change.event {
      case .discovered: entries[change.uuid]?.goneSince = nil
      case .duplicated(let original):
        note(change.uuid, isCopyOf: original.uuid, at: date, copied, &changed)
      case .deleted: end(change, of: changes, at: date, &changed)
      default: break
      }
    }
    cursor = changes.cursor ?? cursor
    return changed
  }

  private mutating func note(
    _ copy: UUID, isCopyOf original: UUID, at date: Date, _ copied: (Value) -> Value?, _ changed: inout Set<UUID>
  ) {
    copies[copy] = Copy(original: original, found: date)
    entries[copy]?.goneSince = nil
    guard entries[copy] == nil, let value = entries[original].flatMap({ copied($0.value) }) else { return }
    entries[copy] = Entry(value: value, isInherited: true)
    changed.insert(copy)
  }

  /// A document is gone; what the app has noted of a copy goes to the original that is in its place.
  private mutating func end(
    _ change: FileSystemChange, of changes: FileSystemChanges, at date: Date, _ changed: inout Set<UUID>
  ) {
    let original = copies.removeValue(forKey: change.uuid)?.original
    guard let entry = entries[change.uuid] else { return }
    guard let original, changes.replacement(of: change)?.uuid == original else {
      if entry.goneSince == nil { entries[change.uuid]?.goneSince = date }
      return
    }
    entries[change.uuid] = nil
    changed.insert(change.uuid)
    if entry.isInherited { return }
    entries[original] = Entry(value: entry.value)
    changed.insert(original)
  }
}

// MARK: - Conformances

extension DocumentValues: Sendable where Value: Sendable {}
extension DocumentValues.Entry: Sendable where Value: Sendable {}
extension DocumentValues: Equatable where Value: Equatable {}
extension DocumentValues.Entry: Equatable where Value: Equatable {}

extension DocumentValues: Sequence {
  /// The documents that have a value, with their values, in no order.
  public func makeIterator() -> some IteratorProtocol<(uuid: UUID, value: Value)> {
    entries.lazy.map { (uuid: $0.key, value: $0.value.value) }.makeIterator()
  }
}
