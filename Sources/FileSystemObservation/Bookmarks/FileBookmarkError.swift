internal import LinuxFileSystem
public import SystemPackage

/// An error of a bookmark, with advice on what to do about it.
public struct FileBookmarkError: Error, Sendable, Hashable {
  /// The kind of an error.
  ///
  /// Kinds may be added: keep a `default` in a `switch`.
  public struct Code: Hashable, Sendable, Codable, CustomStringConvertible {
    private enum Value: String, Sendable, Codable {
      case malformed, newerVersion, invalidArgument, notAFile, notFound, ambiguous, notReadable, notAnswering, cancelled
    }
    private let value: Value

    /// The text is not that of a bookmark, or has been changed or cut off.
    public static let malformed = Code(value: .malformed)
    /// A newer version of this library has made the bookmark.
    public static let newerVersion = Code(value: .newerVersion)
    /// The name of the attribute for tags is malformed.
    public static let invalidArgument = Code(value: .invalidArgument)
    /// The item is a FIFO, a socket or a device, which has no identity.
    public static let notAFile = Code(value: .notAFile)
    /// The file is at none of the places, or nothing proves that what is there is the file.
    public static let notFound = Code(value: .notFound)
    /// One of several files may be the one, and nothing tells which: ``FileBookmarkError/candidates``.
    public static let ambiguous = Code(value: .ambiguous)
    /// The process has no permission to look where the file was, or the disk reports an error.
    public static let notReadable = Code(value: .notReadable)
    /// The file system (FUSE, NFS, …) does not answer.
    public static let notAnswering = Code(value: .notAnswering)
    /// The task was cancelled.
    public static let cancelled = Code(value: .cancelled)

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
  /// What happened and where, in one line; file names in it are escaped.
  public var message: String
  /// The path that the error is about.
  public var path: FilePath?
  /// What to do about it, in one line; empty if nothing can be done.
  public var advice: String
  /// The files of which each may be the one, the oldest first; only with `ambiguous`.
  public var candidates: [FilePath]
  /// The error number of the failed system call.
  public var errno: Errno?

  /// Makes an error, for apps that mock bookmarks.
  public init(
    code: Code, message: String, path: FilePath? = nil, advice: String = "", candidates: [FilePath] = [],
    errno: Errno? = nil
  ) {
    self.code = code
    self.message = message.escapingControls
    self.path = path
    self.advice = advice.escapingControls
    self.candidates = candidates
    self.errno = errno
  }
}

extension FileBookmarkError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String { advice.isEmpty ? message : "\(message); \(advice)" }
}
