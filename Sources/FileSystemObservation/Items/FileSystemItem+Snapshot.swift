public import FoundationEssentials
import LinuxFileSystem
public import SystemPackage

extension FileSystemItem {
  /// What was known of an item at one moment.
  ///
  /// A file with several names (hard links) is one item for each name: all have the same ``uuid``, and each has an
  /// ``id`` of its own. So group by `id`, and not by `uuid`, where names must not be lost.
  ///
  /// It is a value: it touches no disk, and stays as it is whatever happens to the file.
  public struct Snapshot: Sendable, Hashable, Identifiable, Codable {
    /// Tells apart the names of one file, too.
    public struct ID: Sendable, Hashable, Codable {
      /// The item's identity.
      public let uuid: UUID
      /// The path below the observed directory, for a further name of a file; `nil` for the name that stands for it,
      /// and for any item with one name only.
      ///
      /// So the ID of such an item stays when the item moves.
      public let furtherName: FilePath?

      /// Makes an ID, for tests.
      public init(uuid: UUID, furtherName: FilePath? = nil) {
        self.uuid = uuid
        self.furtherName = furtherName
      }
    }

    /// So many names of a file are listed in ``names`` at most.
    public static let nameLimit = 16

    /// The item's identity.
    public let uuid: UUID
    /// The identity of the directory the item is in; of the observed directory for an item directly in it.
    ///
    /// `nil` for the observed directory itself.
    public let parent: UUID?
    /// Whether it is a file, a directory or a symbolic link.
    public let kind: Kind
    /// Where it is, from the root of the file system.
    public let path: FilePath
    /// Where it is below the observed directory; empty for that directory itself.
    ///
    /// An app that keeps paths keeps this one: it stays when the whole folder moves.
    public let relativePath: FilePath
    /// The number of bytes of a file; of a symbolic link, that of its target's path.
    ///
    /// 0 for a directory.
    public let size: Int64
    /// The time of the last change of the content, in nanoseconds since the beginning of 1970 (`st_mtime`).
    ///
    /// A directory's changes when something is made, renamed or removed in it.
    public let modificationNanoseconds: Int64
    /// When the item was made, in nanoseconds since the beginning of 1970 (`stx_btime` of statx(2)); `nil` where the
    /// file system does not keep that.
    public let creationNanoseconds: Int64?
    /// The number of observed items that are directly in a directory; `nil` for anything else.
    public let childCount: Int?
    /// Whether the file is still being written, for the first time: a copy or a download that is not complete.
    public let isCopying: Bool
    /// What the UUID rests on.
    public let identity: IdentityKind
    /// Whether this is a further name of a file: another name is older, and stands for the file.
    public let isFurtherName: Bool
    /// The number of observed names of the file, with this one; 1 for most.
    public let nameCount: Int

    /// All names, the oldest first, where there are several.
    private let severalNames: [FilePath]

    /// Makes a snapshot, for tests.
    ///
    /// - Parameters:
    ///   - uuid: The identity.
    ///   - kind: What it is.
    ///   - relativePath: Where it is below the directory.
    ///   - directory: The observed directory.
    ///   - parent: The identity of the directory it is in.
    ///   - size: The number of bytes.
    ///   - modificationNanoseconds: The time of the last change of the content.
    ///   - creationNanoseconds: When it was made.
    ///   - childCount: How many items are directly in it; for a directory.
    ///   - isCopying: Whether it is still being written.
    ///   - identity: What the UUID rests on.
    ///   - isFurtherName: Whether it is not the name that stands for the file.
    ///   - names: All names of the file, the oldest first, where there are several.
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
  /// The item's identity, and which of its names this is.
  public var id: ID { ID(uuid: uuid, furtherName: isFurtherName ? relativePath : nil) }

  /// The last name of the path; of a name that is not UTF-8, what is not is replaced.
  public var name: String { path.lastComponent?.string ?? "" }

  /// ``path`` as a file URL.
  ///
  /// A path that is not UTF-8 has no faithful URL: use ``path`` where that can happen.
  public var url: URL { URL(path, kind) }

  /// Whether the file is complete: nobody is writing it for the first time.
  public var isComplete: Bool { !isCopying }

  /// The time of the last change of the content.
  ///
  /// To compare times exactly use ``modificationNanoseconds``: a `Date` rounds them.
  public var modificationDate: Date { Date(nanoseconds: modificationNanoseconds) }

  /// When the item was made; `nil` where the file system does not keep that.
  public var creationDate: Date? { creationNanoseconds.map { Date(nanoseconds: $0) } }

  /// All observed names of the file, the oldest first; for most just ``path``.
  ///
  /// Of a file with more than ``nameLimit`` names, as many are here; ``FileSystemSnapshot/names(of:)`` has all.
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
