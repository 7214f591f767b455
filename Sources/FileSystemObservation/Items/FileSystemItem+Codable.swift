import FoundationEssentials
import SystemPackage

// Properties with default values are not encoded, so that most items are short.

extension FileSystemItem.Snapshot {
  private enum Key: String, CodingKey {
    case uuid, parent, kind, path, relativePath, size, modified, created, children, isCopying, identity
    case isFurtherName, names, nameCount
  }

  /// Decodes an item.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let names = try values.decodeIfPresent([EncodedPath].self, forKey: .names)?.map(\.path) ?? []
    self.init(
      uuid: try values.decode(UUID.self, forKey: .uuid),
      kind: try values.decode(FileSystemItem.Kind.self, forKey: .kind),
      path: try values.decodePath(forKey: .path), relativePath: try values.decodePath(forKey: .relativePath),
      parent: try values.decodeIfPresent(UUID.self, forKey: .parent),
      size: try values.decode(Int64.self, forKey: .size),
      modificationNanoseconds: try values.decode(Int64.self, forKey: .modified),
      creationNanoseconds: try values.decodeIfPresent(Int64.self, forKey: .created),
      childCount: try values.decodeIfPresent(Int.self, forKey: .children),
      isCopying: try values.decodeIfPresent(Bool.self, forKey: .isCopying) ?? false,
      identity: try values.decode(FileSystemItem.IdentityKind.self, forKey: .identity),
      isFurtherName: try values.decodeIfPresent(Bool.self, forKey: .isFurtherName) ?? false, severalNames: names,
      nameCount: try values.decodeIfPresent(Int.self, forKey: .nameCount) ?? 1)
  }

  /// Encodes the item; a path that is not UTF-8 as the Base64 of its bytes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(uuid, forKey: .uuid)
    try values.encodeIfPresent(parent, forKey: .parent)
    try values.encode(kind, forKey: .kind)
    try values.encode(path: path, forKey: .path)
    try values.encode(path: relativePath, forKey: .relativePath)
    try values.encode(size, forKey: .size)
    try values.encode(modificationNanoseconds, forKey: .modified)
    try values.encodeIfPresent(creationNanoseconds, forKey: .created)
    try values.encodeIfPresent(childCount, forKey: .children)
    if isCopying { try values.encode(true, forKey: .isCopying) }
    try values.encode(identity, forKey: .identity)
    if isFurtherName { try values.encode(true, forKey: .isFurtherName) }
    if nameCount > 1 {
      try values.encode(nameCount, forKey: .nameCount)
      try values.encode(names.map(EncodedPath.init), forKey: .names)
    }
  }
}

extension FileSystemItem.Snapshot.ID {
  private enum Key: String, CodingKey {
    case uuid, furtherName
  }

  /// Decodes an ID.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      uuid: try values.decode(UUID.self, forKey: .uuid),
      furtherName: try values.decodePathIfPresent(forKey: .furtherName))
  }

  /// Encodes the ID.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(uuid, forKey: .uuid)
    try values.encodeIfPresent(path: furtherName, forKey: .furtherName)
  }
}
