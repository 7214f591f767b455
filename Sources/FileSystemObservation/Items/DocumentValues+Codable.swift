internal import FoundationEssentials

// The form is a list: a dictionary by UUIDs would be encoded as alternating keys and values.

extension DocumentValues: Encodable where Value: Encodable {
  /// Encodes the values, with what is known of their documents.
  ///
  /// - Throws: What the encoder or a value throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DocumentValuesKeys.self)
    try container.encodeIfPresent(cursor, forKey: .cursor)
    let documents = table.entries.map { uuid, entry in
      DocumentRecord(
        uuid: uuid, value: entry.value, goneSince: entry.goneSince, isInherited: entry.isInherited ? true : nil)
    }
    try container.encode(documents.sorted { $0.uuid < $1.uuid }, forKey: .documents)
    let copies = table.copies.map {
      CopyRecord(uuid: $0, original: $1.original, found: $1.found, isCleared: $1.isCleared ? true : nil)
    }
    try container.encode(copies.sorted { $0.uuid < $1.uuid }, forKey: .copies)
  }
}

extension DocumentValues: Decodable where Value: Decodable {
  /// Decodes values; of two values of one document the last counts.
  ///
  /// - Throws: What the decoder or a value throws.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: DocumentValuesKeys.self)
    cursor = try container.decodeIfPresent(FileSystemObserver.Cursor.self, forKey: .cursor)
    for record in try container.decode([DocumentRecord<Value>].self, forKey: .documents) {
      table[entry: record.uuid] = .init(
        value: record.value, goneSince: record.goneSince, isInherited: record.isInherited ?? false)
    }
    for record in try container.decodeIfPresent([CopyRecord].self, forKey: .copies) ?? [] {
      table[copy: record.uuid] = .init(
        original: record.original, found: record.found, isCleared: record.isCleared ?? false)
    }
  }
}

private enum DocumentValuesKeys: String, CodingKey {
  case cursor, documents, copies
}

private struct DocumentRecord<Value> {
  var uuid: UUID
  var value: Value
  var goneSince: Date?
  /// Only if it is.
  var isInherited: Bool?
}

extension DocumentRecord: Encodable where Value: Encodable {}
extension DocumentRecord: Decodable where Value: Decodable {}

private struct CopyRecord: Codable {
  var uuid: UUID
  var original: UUID
  var found: Date
  /// Only if it is.
  var isCleared: Bool?
}
