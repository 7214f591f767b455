public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

extension FileSystemObserver {
  /// An item in a trash folder, as defined by the FreeDesktop trash specification 1.0.
  public struct TrashedItem: Sendable, Hashable {
    /// Where the item was.
    public var originalPath: FilePath
    /// Where it is in the trash folder.
    public var path: FilePath
    /// The file that describes it.
    public var infoPath: FilePath
    /// When it was trashed, to the second; nil if the info file does not say.
    public var deletionDate: Date?
    /// The UUID in its tag; nil if it has none.
    public var uuid: UUID?

    /// Makes a value, for apps that mock the observer.
    public init(originalPath: FilePath, path: FilePath, infoPath: FilePath, deletionDate: Date?, uuid: UUID?) {
      self.originalPath = originalPath
      self.path = path
      self.infoPath = infoPath
      self.deletionDate = deletionDate
      self.uuid = uuid
    }
  }
}

extension FileSystemObserver.TrashedItem: Codable {
  private enum Key: String, CodingKey {
    case originalPath, path, infoPath, deletionDate, uuid
  }

  /// Decodes an item.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      originalPath: try values.decodePath(forKey: .originalPath), path: try values.decodePath(forKey: .path),
      infoPath: try values.decodePath(forKey: .infoPath),
      deletionDate: try values.decodeIfPresent(Date.self, forKey: .deletionDate),
      uuid: try values.decodeIfPresent(UUID.self, forKey: .uuid))
  }

  /// Encodes the item.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(path: originalPath, forKey: .originalPath)
    try values.encode(path: path, forKey: .path)
    try values.encode(path: infoPath, forKey: .infoPath)
    try values.encodeIfPresent(deletionDate, forKey: .deletionDate)
    try values.encodeIfPresent(uuid, forKey: .uuid)
  }
}

extension FileSystemObserver.TrashedItem: CustomStringConvertible {
  /// The original path and the path in the trash folder, for a log.
  public var description: String {
    let message: Message = "\(originalPath), trashed as \(path)"
    return message.text
  }
}
