import FoundationEssentials
import LinuxFileSystem
import SystemPackage

extension FileSystemChanges: Hashable, Codable {
  /// Whether both have the same number and equal changes of the same directory.
  public static func == (left: FileSystemChanges, right: FileSystemChanges) -> Bool {
    left.sequence == right.sequence && left.directory == right.directory && left.elementsEqual(right)
  }

  /// Hashes the directory, the number and the count of changes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(sequence)
    hasher.combine(directory)
    hasher.combine(count)
  }

  private enum Key: String, CodingKey {
    case directory, sequence, changes
  }

  /// Decodes a set; it has no cursor, and ``movesBelow(_:)`` is empty, because the tree is not encoded with it.
  ///
  /// Who keeps the tree makes the whole set of it:
  ///
  /// ```swift
  /// let set = FileSystemChanges(
  ///   decoded, directory: decoded.directory, sequence: decoded.sequence, treeBefore: tree)
  /// ```
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      try values.decode([FileSystemChange].self, forKey: .changes),
      directory: try values.decodePath(forKey: .directory), sequence: try values.decode(UInt64.self, forKey: .sequence))
  }

  /// Encodes the directory, the number and all changes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(path: directory, forKey: .directory)
    try values.encode(sequence, forKey: .sequence)
    try values.encode(Array(self), forKey: .changes)
  }
}

extension FileSystemChanges: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The maximum number of printed changes.
  private static let printed = 20

  /// The number of the set and its changes, one a line; for a large set, the first ones.
  public var description: String {
    var lines = ["#\(sequence): \(count == 1 ? "1 change" : "\(count) changes")"]
    lines += prefix(Self.printed).map { "  \($0)" }
    if count > Self.printed { lines.append("  and \(count - Self.printed) more") }
    return lines.joined(separator: "\n")
  }

  /// The same as the description.
  public var debugDescription: String { description }

  /// The number and the count only: a set may hold parts of the whole tree.
  public var customMirror: Mirror { Mirror(self, children: ["sequence": sequence, "count": count]) }
}
