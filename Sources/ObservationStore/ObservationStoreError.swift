internal import LinuxFileSystem
public import SystemPackage

/// An error of a store, with advice on what to do about it.
public struct ObservationStoreError: Error, Sendable, Hashable {
  /// The kind of an error.
  ///
  /// Kinds may be added: keep a `default` in a `switch`.
  public struct Code: Hashable, Sendable, Codable, CustomStringConvertible {
    private enum Value: String, Sendable, Codable {
      case invalidArgument, notFound, inUse, notReadable, notWritable, diskFull, unsupportedFileSystem, notAStore
      case corrupt, newerVersion, otherTree, unknownCursor, tooOld, failed
    }
    private let value: Value

    /// A path is relative, or an identifier cannot be the name of a folder.
    public static let invalidArgument = Code(value: .invalidArgument)
    /// There is no store at the path, or nothing in it.
    public static let notFound = Code(value: .notFound)
    /// Another observer writes to the store.
    public static let inUse = Code(value: .inUse)
    /// The process has no permission to read the store.
    public static let notReadable = Code(value: .notReadable)
    /// The process has no permission to write to the folder of the store, or its file system is read-only.
    public static let notWritable = Code(value: .notWritable)
    /// There is no space left, or the quota is used up.
    public static let diskFull = Code(value: .diskFull)
    /// The file system is one of another host, on which a store is not safe.
    public static let unsupportedFileSystem = Code(value: .unsupportedFileSystem)
    /// The file at the path is something else; it was not touched.
    public static let notAStore = Code(value: .notAStore)
    /// The store is damaged.
    public static let corrupt = Code(value: .corrupt)
    /// A newer version of this library has written the store.
    public static let newerVersion = Code(value: .newerVersion)
    /// The store is of another tree.
    public static let otherTree = Code(value: .otherTree)
    /// The cursor is of nothing that the store knows.
    public static let unknownCursor = Code(value: .unknownCursor)
    /// Some changes since the cursor are no longer kept.
    public static let tooOld = Code(value: .tooOld)
    /// The disk or SQLite reported another error.
    public static let failed = Code(value: .failed)

    /// The name of the code.
    public var description: String { value.rawValue }

    /// Decodes a code from its name.
    public init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(Value.self)
    }

    /// Encodes the name of the code.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }

    private init(value: Value) {
      self.value = value
    }
  }

  /// The kind of the error.
  public var code: Code
  /// What happened, in one line; file names in it are escaped.
  public var message: String
  /// The path of the store.
  public var path: FilePath?
  /// What to do about it, in one line.
  public var advice: String
  /// Where an unusable store was put, if it was: nothing of it is lost.
  public var asidePath: FilePath?

  /// Makes an error, for apps that mock a store.
  public init(code: Code, message: String, path: FilePath? = nil, advice: String = "", asidePath: FilePath? = nil) {
    self.code = code
    self.message = message.escapingControls
    self.path = path
    self.advice = advice.escapingControls
    self.asidePath = asidePath
  }
}

extension ObservationStoreError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String { advice.isEmpty ? message : "\(message); \(advice)" }
}

extension ObservationStoreError {
  /// The error of a system call on the store or its folder.
  init(_ errno: Errno, at path: FilePath) {
    let name = path.printable
    switch errno {
    case .permissionDenied, .notPermitted:
      self.init(
        code: .notWritable, message: "\(name) cannot be written: permission denied", path: path,
        advice: "choose a place in a folder of the user")
    case .readOnlyFileSystem:
      self.init(
        code: .notWritable, message: "\(name) is on a read-only file system", path: path,
        advice: "choose a place on another file system")
    case .noSpace, .diskQuotaExceeded:
      self.init(
        code: .diskFull, message: "there is no space for \(name)", path: path, advice: "make space")
    case .noSuchFileOrDirectory:
      self.init(code: .notFound, message: "there is no store at \(name)", path: path)
    case .notDirectory:
      self.init(
        code: .failed, message: "\(name) cannot be opened: something above it is not a folder", path: path,
        advice: "choose a place in a folder")
    default:
      self.init(
        code: .failed, message: "\(name) cannot be opened: \(errno)", path: path,
        advice: "try again; if it fails again, check the file system and the disk")
    }
  }

  /// Whether the store itself is unusable, so that another can take its place.
  var isOfContents: Bool { code == .corrupt || code == .newerVersion || code == .otherTree }
}
