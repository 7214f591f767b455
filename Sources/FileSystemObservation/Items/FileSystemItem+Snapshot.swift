public import FoundationEssentials
import LinuxFileSystem
public import SystemPackage

extension FileSystemItem {
  /// The state of an item at one moment.
  ///
  /// A file with several names (hard links) is one item for each name: all have the same ``uuid``, and each has its own
  /// ``id``. So group by `id`, not by `uuid`, if no name may be lost.
  ///
  /// A snapshot is a value: it does not access the disk, and does not change with the file.
  public struct Snapshot: Sendable, Hashable, Identifiable, Codable {
    /// The identity of one name of an item.
    public struct ID: Sendable, Hashable, Codable {
      /// The item's UUID.
      public let uuid: UUID
      /// The path below the observed directory for a further name of a file; `nil` for the oldest name.
      ///
      /// An item with one name keeps its ID when it moves.
      public let furtherName: FilePath?

      /// Makes an ID, for tests.
      public init(uuid: UUID, furtherName: FilePath? = nil) {
        self.uuid = uuid
        self.furtherName = furtherName
      }
    }

    /// The maximum number of names in ``names``.
    public static let nameLimit = 16

    /// The item's UUID.
    public let uuid: UUID
    /// The UUID of the item's parent directory, which may be the observed directory.
    public let parent: UUID?
    /// The kind of the item: file, directory or symbolic link.
    public let kind: Kind
    /// The absolute path.
    public let path: FilePath
    /// The path below the observed directory; empty for that directory itself.
    ///
    /// Apps should store this path: it stays the same when the observed directory moves.
    public let relativePath: FilePath
    /// The size in bytes of a file, or of a symbolic link's target path.
    public let size: Int64
    /// The modification time of the content in nanoseconds since the beginning of 1970 (`st_mtime`).
    ///
    /// A directory's changes when an entry in it is created, renamed or removed.
    public let modificationNanoseconds: Int64
    /// The creation time in nanoseconds since the beginning of 1970 (`stx_btime` of statx(2)).
    ///
    /// `nil` if the file system does not record it.
    public let creationNanoseconds: Int64?
    /// The number of observed items directly in a directory; `nil` for other items.
    public let childCount: Int?
    /// Whether a program is still writing the file for the first time: an incomplete copy or download.
    public let isCopying: Bool
    /// The basis of the UUID.
    public let identity: IdentityKind
    /// Whether this is a further name: the file has an older one.
    public let isFurtherName: Bool
    /// The number of observed names of the file, including this one; usually 1.
    public let nameCount: Int

    /// All names, the oldest first; empty if there is only one.
    private let severalNames: [FilePath]

    /// Makes a snapshot, for tests.
    ///
    /// - Parameters:
    ///   - uuid: The UUID.
    ///   - kind: The kind of the item.
    ///   - relativePath: The path below the directory.
    ///   - directory: The observed directory.
    ///   - parent: The UUID of the parent directory.
    ///   - size: The size in bytes.
    ///   - modificationNanoseconds: The modification time of the content.
    ///   - creationNanoseconds: The creation time.
    ///   - childCount: The number of items directly in a directory.
    ///   - isCopying: Whether a program is still writing the file for the first time.
    ///   - identity: The basis of the UUID.
    ///   - isFurtherName: Whether the file has an older name.
    ///   - names: All names of the file, the oldest first, if there are several.
    public init(
      uuid: UUID, kind: Kind = .file, relativePath: FilePath, directory: FilePath, parent: UUID? = nil, size: Int64 = 0,
      modificationNanoseconds: Int64 = 0, creationNanoseconds: Int64? = nil, childCount: Int? = nil,
      isCopying: Bool = false, identity: IdentityKind = .tag, isFurtherName: Bool = false, names: [FilePath] = []
    ) {
      self.init(
        uuid: uuid, kind: kind, path: directory.pushing(relativePath), relativePath: relativePath, parent: parent,
        size: size, modificationNanoseconds: modificationNanoseconds, creationNanoseconds: creationNanoseconds,
        childCount: childCount, isCopying: isCopying, identity: identity, isFurtherName: isFurtherName,
        severalNames: names, nameCount: max(1, names.count))
    }

    init(
      uuid: UUID, kind: Kind, path: FilePath, relativePath: FilePath, parent: UUID?, size: Int64,
      modificationNanoseconds: Int64, creationNanoseconds: Int64?, childCount: Int?, isCopying: Bool,
      identity: IdentityKind, isFurtherName: Bool, severalNames: [FilePath], nameCount: Int
    ) {
      self.uuid = uuid
      self.kind = kind
      self.path = path
      self.relativePath = relativePath
      self.parent = parent
      self.size = size
      self.modificationNanoseconds = modificationNanoseconds
      self.creationNanoseconds = creationNanoseconds
      self.childCount = childCount
      self.isCopying = isCopying
      self.identity = identity
      self.isFurtherName = isFurtherName
      self.severalNames = severalNames
      self.nameCount = nameCount
    }
  }
}

extension FileSystemItem.Snapshot {
  /// The item's UUID, and which of its names this is.
  public var id: ID { ID(uuid: uuid, furtherName: isFurtherName ? relativePath : nil) }

  /// The last component of the path; bytes that are not UTF-8 are replaced.
  public var name: String { path.lastComponent?.string ?? "" }

  /// ``path`` as a file URL.
  ///
  /// A path that is not UTF-8 has no faithful URL; use ``path`` if such paths may occur.
  public var url: URL { URL(path, kind) }

  /// Whether the file is complete; the opposite of ``isCopying``.
  public var isComplete: Bool { !isCopying }

  /// The modification time of the content.
  ///
  /// To compare times exactly, use ``modificationNanoseconds``: a `Date` rounds them.
  public var modificationDate: Date { Date(nanoseconds: modificationNanoseconds) }

  /// The creation time; `nil` if the file system does not record it.
  public var creationDate: Date? { creationNanoseconds.map { Date(nanoseconds: $0) } }

  /// All observed names of the file, the oldest first; usually only ``path``.
  ///
  /// At most ``nameLimit`` names; ``FileSystemSnapshot/names(of:)`` has all.
  public var names: [FilePath] { severalNames.isEmpty ? [path] : severalNames }
}

extension FileSystemItem.Snapshot: CustomStringConvertible {
  /// The kind, the path below the observed directory and the beginning of the UUID.
  public var description: String {
    let place = relativePath.isEmpty ? path : relativePath
    return "\(kind.rawValue) \(place.printable) \(uuid.shortText)"
  }
}

extension Date {
  fileprivate init(nanoseconds: Int64) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    self.init(timeIntervalSince1970: Double(seconds) + Double(rest) / 1e9)
  }
}

extension URL {
  init(_ path: FilePath, _ kind: FileSystemItem.Kind) {
    self.init(filePath: path.string, directoryHint: kind == .directory ? .isDirectory : .notDirectory)
  }
}
