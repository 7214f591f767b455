public import FoundationEssentials

// MARK: - In a database

extension DocumentValues {
  /// What is kept of one document: a row in an app's database, whose key is the UUID.
  ///
  /// A row may have a column for each property, or one with the record as JSON.
  public struct Record {
    /// The UUID of the document.
    public var uuid: UUID
    /// The value; `nil` if the app has set none, and the document is known as a copy only.
    public var value: Value?
    /// When the document was found to be gone; `nil` while it is there, or without a value.
    public var goneSince: Date?
    /// Whether a copy has the value from its original, or none, and the app has neither set nor removed it.
    public var isInherited: Bool
    /// The UUID of the document that this one is a copy of; `nil` if it is none, or an old one.
    public var original: UUID?
    /// When the document was found to be a copy; `nil` without an original.
    public var copiedAt: Date?

    /// Makes a record, of what an app has read.
    public init(
      uuid: UUID, value: Value? = nil, goneSince: Date? = nil, isInherited: Bool = false, original: UUID? = nil,
      copiedAt: Date? = nil
    ) {
      self.uuid = uuid
      self.value = value
      self.goneSince = goneSince
      self.isInherited = isInherited
      self.original = original
      self.copiedAt = copiedAt
    }
  }

  /// What an app writes to its database to have there what is in memory, in one transaction.
  public struct RecordChanges {
    /// The records to insert, or to put in place of those with their UUIDs; in no order.
    public internal(set) var updated: [Record] = []
    /// The UUIDs of the records to remove, in no order.
    ///
    /// A database may lack some of them.
    public internal(set) var removed: [UUID] = []
    /// The cursor after the last applied event.
    public internal(set) var cursor: FileSystemObserver.Cursor?

    /// Whether there is no record to write.
    ///
    /// Only the cursor has changed then. Writing that may wait: what comes after an older cursor is applied again.
    public var isEmpty: Bool { updated.isEmpty && removed.isEmpty }
  }

  /// Makes the values that an app has written, record by record.
  ///
  /// - Parameters:
  ///   - records: All records. Of two of one document the last counts.
  ///   - cursor: The cursor that was written with them.
  public init(records: some Sequence<Record>, cursor: FileSystemObserver.Cursor? = nil) {
    self.cursor = cursor
    for record in records { table.load(record) }
    _ = table.takeChanged()
  }

  /// All records, in no order; for a database that is begun anew.
  public var records: some Sequence<Record> { table.uuids.lazy.map { [table] in table.record($0) } }

  /// The records that were changed since this was last called, by events and by the app.
  ///
  /// An app calls it after an event, or once a second, and writes what it gets in one transaction with the cursor:
  ///
  /// ```swift
  /// ratings.apply(event)
  /// let changes = ratings.takeChanges()
  /// do { try database.write(changes) } catch { ratings.putBack(changes) }
  /// ```
  ///
  /// If the app ends before it has written them, it applies the same events again when it is started: they come after
  /// the cursor that it has written before.
  ///
  /// - Complexity: O(*n*) for *n* changed records.
  public mutating func takeChanges() -> RecordChanges {
    var changes = RecordChanges(cursor: cursor)
    for uuid in table.takeChanged() {
      if table.contains(uuid) { changes.updated.append(table.record(uuid)) } else { changes.removed.append(uuid) }
    }
    return changes
  }

  /// Has the next call of ``takeChanges()`` return the same records again, as they are then, since they could not be
  /// written.
  public mutating func putBack(_ changes: RecordChanges) {
    table.putBack(changes.removed)
    table.putBack(changes.updated.lazy.map(\.uuid))
  }
}

extension DocumentTable {
  fileprivate func record(_ uuid: UUID) -> DocumentValues<Value>.Record {
    let entry = self[entry: uuid]
    let copy = self[copy: uuid]
    return DocumentValues.Record(
      uuid: uuid, value: entry?.value, goneSince: entry?.goneSince,
      isInherited: entry?.isInherited ?? copy.map { !$0.isCleared } ?? false, original: copy?.original,
      copiedAt: copy?.found)
  }

  fileprivate mutating func load(_ record: DocumentValues<Value>.Record) {
    self[entry: record.uuid] = record.value.map {
      Entry(value: $0, goneSince: record.goneSince, isInherited: record.isInherited)
    }
    self[copy: record.uuid] = record.original.map { original in
      Copy(
        original: original, found: record.copiedAt ?? .distantPast,
        isCleared: record.value == nil && !record.isInherited)
    }
  }
}

// MARK: - Conformances

extension DocumentValues.Record: Sendable where Value: Sendable {}
extension DocumentValues.Record: Equatable where Value: Equatable {}
extension DocumentValues.Record: Hashable where Value: Hashable {}
extension DocumentValues.Record: Encodable where Value: Encodable {}
extension DocumentValues.Record: Decodable where Value: Decodable {}
extension DocumentValues.RecordChanges: Sendable where Value: Sendable {}
extension DocumentValues.RecordChanges: Equatable where Value: Equatable {}
extension DocumentValues.RecordChanges: Encodable where Value: Encodable {}
extension DocumentValues.RecordChanges: Decodable where Value: Decodable {}
