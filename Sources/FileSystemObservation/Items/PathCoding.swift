import FoundationEssentials
import LinuxFileSystem
import SystemPackage

// Paths are encoded as a string, or, if they are not UTF-8, as the Base64 of their bytes. `FilePath` itself encodes
// every byte as an object.

/// A path in its encoded form.
struct EncodedPath: Codable {
  let path: FilePath

  private enum Key: String, CodingKey {
    case base64
  }

  init(_ path: FilePath) {
    self.path = path
  }

  init(from decoder: any Decoder) throws {
    if let string = try? decoder.singleValueContainer().decode(String.self) {
      path = FilePath(string)
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    guard let data = Data(base64Encoded: try container.decode(String.self, forKey: .base64)), !data.contains(0) else {
      throw DecodingError.dataCorruptedError(
        forKey: .base64, in: container, debugDescription: "it must be the Base64 of a path's bytes, without a NUL")
    }
    path = FilePath(bytes: data)
  }

  func encode(to encoder: any Encoder) throws {
    let bytes = path.bytes
    guard let string = String(validating: bytes, as: UTF8.self) else {
      var container = encoder.container(keyedBy: Key.self)
      return try container.encode(Data(bytes).base64EncodedString(), forKey: .base64)
    }
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}

extension KeyedEncodingContainer {
  mutating func encode(path: FilePath, forKey key: Key) throws { try encode(EncodedPath(path), forKey: key) }

  mutating func encodeIfPresent(path: FilePath?, forKey key: Key) throws {
    try encodeIfPresent(path.map(EncodedPath.init), forKey: key)
  }
}

extension KeyedDecodingContainer {
  func decodePath(forKey key: Key) throws -> FilePath { try decode(EncodedPath.self, forKey: key).path }

  func decodePathIfPresent(forKey key: Key) throws -> FilePath? {
    try decodeIfPresent(EncodedPath.self, forKey: key)?.path
  }
}
