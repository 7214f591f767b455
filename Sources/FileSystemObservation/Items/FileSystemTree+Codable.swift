import FoundationEssentials
import SystemPackage

extension FileSystemTree: Codable {
  private enum Key: String, CodingKey {
    case directory, sequence, cursor, isPart, items
  }

  /// Decodes a tree, which goes on with the set of changes after the last one that the encoded tree had.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if an item is not below the directory, has no folder in the tree, or is at
  ///   the path of another.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(directory: try values.decodePath(forKey: .directory))
    if try values.decodeIfPresent(Bool.self, forKey: .isPart) ?? false { foldersAbove = [] }
    let items = try values.decode([Item].self, forKey: .items)
    insert(items)
    guard count == items.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .items, in: values,
        debugDescription: "each must be below the directory, in a folder that is there, and no two at one path")
    }
    sequence = try values.decode(UInt64.self, forKey: .sequence)
    cursor = try values.decodeIfPresent(FileSystemObserver.Cursor.self, forKey: .cursor)
  }

  /// Encodes the directory, ``sequence``, ``cursor`` and all items with their paths.
  ///
  /// A listener that starts after ``cursor`` gets all that the decoded tree has missed.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(path: directory, forKey: .directory)
    try values.encode(sequence, forKey: .sequence)
    try values.encodeIfPresent(cursor, forKey: .cursor)
    if foldersAbove != nil { try values.encode(true, forKey: .isPart) }
    try values.encode(Array(self), forKey: .items)
  }
}
