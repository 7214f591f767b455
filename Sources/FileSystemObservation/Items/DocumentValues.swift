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
/// - A copy of a document gets the value that its original has when the copy is announced, or what a function makes of
///   it.
/// - The value of a document that is gone stays until ``forget(goneBefore:)``: the document may come back from the
///   trash, or from a disk, and then has it again.
/// - When a folder that was copied is removed, and its documents go on in the copy under their own UUIDs, what the app
///   has noted of the copies meanwhile goes to them (``FileSystemChanges/replacement(of:)``).
///
/// It is a value in memory and does not access the disk. An app writes it with the ``cursor``, both at once, and misses
/// nothing:
///
/// - to a file, as it is `Codable` if its values are: `try JSONEncoder().encode(ratings).write(to: file, options: .atomic)`
/// - to a database, row by row, with ``takeChanges()``.
///
/// Only documents with a value take memory, and copies, 50 bytes each.
public struct DocumentValues<Value> {
  var table = DocumentTable<Value>()

  /// The cursor after the last applied event, with which a listener goes on; `nil` at first.
  ///
  /// It is of the observer whose events came last. An app with several observers keeps a cursor for each.
  public internal(set) var cursor: FileSystemObserver.Cursor?

  /// Makes a collection without values.
  public init() {}

  // MARK: - Values

  /// The value of a document, also of one that is gone; set it to `nil` to remove it.
  public subscript(uuid: UUID) -> Value? {
    get { table[entry: uuid]?.value }
    set {
      table[entry: uuid] = newValue.map { .init(value: $0, goneSince: table[entry: uuid]?.goneSince) }
      table[copy: uuid]?.isCleared = newValue == nil
    }
  }

  /// The value of a document, or another while it has none; a change of it gives the document a value.
  ///
  /// ```swift
  /// notes[document, default: Note()].stars = 5
  /// ```
  public subscript(uuid: UUID, default value: @autoclosure () -> Value) -> Value {
    get { self[uuid] ?? value() }
    set { self[uuid] = newValue }
  }

  /// The UUIDs of the documents that have a value, also of those that are gone; in no order.
  public var uuids: some Collection<UUID> { table.entries.keys }

  /// The number of values.
  public var count: Int { table.entries.count }

  /// Whether there are no values.
  public var isEmpty: Bool { table.entries.isEmpty }

  /// When a document with a value was found to be gone; `nil` if it is there, or has no value.
  public func goneSince(_ uuid: UUID) -> Date? { table[entry: uuid]?.goneSince }

  /// Removes the values of documents that have been gone for long, and forgets which documents are old copies.
  ///
  /// Call it once in a run, for instance. A year is a good limit for what a person has written.
  ///
  /// - Parameter date: Since before when a document must be gone.
  /// - Returns: The documents that had a value.
  @discardableResult public mutating func forget(goneBefore date: Date) -> Set<UUID> {
    let forgotten = table.entries.filter { $0.value.goneSince.map { $0 < date } ?? false }.keys
    for uuid in forgotten { table[entry: uuid] = nil }
    for uuid in table.copies.filter({ $0.value.found < date }).keys { table[copy: uuid] = nil }
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
      if !isEmpty { for item in snapshot { table.noteThere(item.uuid) } }
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
      case .discovered: table.noteThere(change.uuid)
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
    table.note(copy, isCopyOf: original, at: date)
    table.noteThere(copy)
    guard table[entry: copy] == nil, table[copy: copy]?.isCleared == false,
      let value = table[entry: original].flatMap({ copied($0.value) })
    else { return }
    table[entry: copy] = .init(value: value, isInherited: true)
    changed.insert(copy)
  }

  /// A document is gone; what the app has noted of a copy goes to the original that is in its place.
  private mutating func end(
    _ change: FileSystemChange, of changes: FileSystemChanges, at date: Date, _ changed: inout Set<UUID>
  ) {
    let copy = table[copy: change.uuid]
    table[copy: change.uuid] = nil
    guard let copy, changes.replacement(of: change)?.uuid == copy.original else {
      return table.noteGone(change.uuid, at: date)
    }
    let entry = table[entry: change.uuid]
    if entry != nil { changed.insert(change.uuid) }
    table[entry: change.uuid] = nil
    if entry?.isInherited ?? !copy.isCleared { return }
    if entry != nil || table[entry: copy.original] != nil { changed.insert(copy.original) }
    table[entry: copy.original] = entry.map { .init(value: $0.value) }
  }
}

// MARK: - Conformances

extension DocumentValues: Sendable where Value: Sendable {}

extension DocumentValues: Equatable where Value: Equatable {
  /// Whether both have the same values, with all that is known of their documents, and the same cursor.
  public static func == (one: Self, other: Self) -> Bool { one.cursor == other.cursor && one.table == other.table }
}

extension DocumentValues: Sequence {
  /// The documents that have a value, with their values, in no order.
  public func makeIterator() -> some IteratorProtocol<(uuid: UUID, value: Value)> {
    table.entries.lazy.map { (uuid: $0.key, value: $0.value.value) }.makeIterator()
  }
}
