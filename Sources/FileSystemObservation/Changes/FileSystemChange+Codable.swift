import FoundationEssentials
import SystemPackage

// An event is encoded as one object with its kind and the values of that kind.

extension FileSystemChange.Event {
  private enum Key: String, CodingKey {
    case kind, isCopying, isReturned, previousPath, original, reason, attributes
  }

  /// Decodes an event.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self =
      switch try values.decode(FileSystemChange.Kind.self, forKey: .kind) {
      case .discovered:
        .discovered(
          isCopying: try values.decodeIfPresent(Bool.self, forKey: .isCopying) ?? false,
          isReturned: try values.decodeIfPresent(Bool.self, forKey: .isReturned) ?? false)
      case .copyFinished: .copyFinished
      case .modified: .modified
      case .renamed: .renamed(from: try values.decodePath(forKey: .previousPath))
      case .moved: .moved(from: try values.decodePath(forKey: .previousPath))
      case .duplicated: .duplicated(of: try values.decode(FileSystemChange.Original.self, forKey: .original))
      case .linked: .linked
      case .unlinked: .unlinked
      case .attributesChanged:
        .attributesChanged(try values.decode(FileSystemChange.ChangedAttributes.self, forKey: .attributes))
      case .activity: .activity
      case .propertiesChanged: .propertiesChanged
      case .deleted: .deleted(try values.decode(DeletionReason.self, forKey: .reason))
      }
  }

  /// Encodes the event: its kind and the values of that kind.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(kind, forKey: .kind)
    switch self {
    case .discovered(let isCopying, let isReturned):
      if isCopying { try values.encode(true, forKey: .isCopying) }
      if isReturned { try values.encode(true, forKey: .isReturned) }
    case .renamed(let path), .moved(let path): try values.encode(path: path, forKey: .previousPath)
    case .duplicated(let original): try values.encode(original, forKey: .original)
    case .deleted(let reason): try values.encode(reason, forKey: .reason)
    case .attributesChanged(let attributes): try values.encode(attributes, forKey: .attributes)
    case .copyFinished, .modified, .linked, .unlinked, .activity, .propertiesChanged: break
    }
  }
}

extension FileSystemChange.Original {
  private enum Key: String, CodingKey {
    case uuid, path
  }

  /// Decodes an original.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(uuid: try values.decode(UUID.self, forKey: .uuid), path: try values.decodePath(forKey: .path))
  }

  /// Encodes the original.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(uuid, forKey: .uuid)
    try values.encode(path: path, forKey: .path)
  }
}
