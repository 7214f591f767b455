import LinuxFileSystem
public import SystemPackage

/// An error, with advice on what to do about it.
public struct FileSystemObserverError: Error, Sendable, Hashable {
  /// The kind of an error.
  ///
  /// Kinds may be added: keep a `default` in a `switch`.
  public struct Code: Hashable, Sendable, Codable, CustomStringConvertible {
    private enum Value: String, Sendable, Codable {
      case rootNotFound, rootNotDirectory, rootNotReadable, rootNotAnswering, rootLost, alreadyRunning, notRunning,
        limitReached, invalidArgument, storeUnavailable
      case outsideTree, notAFile, identityInUse, itemIsBusy, contentsChanged, cancelled, fileOperationFailed
    }
    private let value: Value

    /// No directory exists at the path to observe.
    public static let rootNotFound = Code(value: .rootNotFound)
    /// The item at the path is not a directory.
    public static let rootNotDirectory = Code(value: .rootNotDirectory)
    /// The process has no permission to list the directory.
    public static let rootNotReadable = Code(value: .rootNotReadable)
    /// The file system of the directory (FUSE, NFS, …) does not answer.
    public static let rootNotAnswering = Code(value: .rootNotAnswering)
    /// The directory was removed, moved away or unmounted while it was observed; or an operation needs it, and it is away.
    public static let rootLost = Code(value: .rootLost)
    /// The observer runs already: stop it first.
    public static let alreadyRunning = Code(value: .alreadyRunning)
    /// The observer does not run: start it first.
    public static let notRunning = Code(value: .notRunning)
    /// A limit of the kernel or of the process is reached.
    public static let limitReached = Code(value: .limitReached)
    /// An argument is malformed.
    public static let invalidArgument = Code(value: .invalidArgument)
    /// The store is in use by another observer, cannot be read, or is no store; or there is none.
    public static let storeUnavailable = Code(value: .storeUnavailable)
    /// The item is not below the observed directory.
    public static let outsideTree = Code(value: .outsideTree)
    /// The item is not a regular file.
    public static let notAFile = Code(value: .notAFile)
    /// Another item of the tree has the UUID.
    public static let identityInUse = Code(value: .identityInUse)
    /// The item is being moved or written; try again later.
    public static let itemIsBusy = Code(value: .itemIsBusy)
    /// The contents of a document are no longer those of the given ``FileSystemObserver/ContentVersion``.
    public static let contentsChanged = Code(value: .contentsChanged)
    /// The operation was cancelled, and nothing was changed.
    public static let cancelled = Code(value: .cancelled)
    /// A system call on a file failed; ``FileSystemObserverError/errno`` has the reason.
    public static let fileOperationFailed = Code(value: .fileOperationFailed)

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
  /// What happened, where, and what to do, in one line.
  ///
  /// File names in it are escaped, so they can neither forge a log line nor send terminal commands; ``path`` has the
  /// raw name.
  public var message: String
  /// The path that the error is about.
  public var path: FilePath?
  /// The error number of the failed system call.
  public var errno: Errno?

  /// Makes an error, for apps that mock the observer.
  ///
  /// Control characters in the message are escaped.
  public init(code: Code, message: String, path: FilePath? = nil, errno: Errno? = nil) {
    self.code = code
    self.message = message.escapingControls
    self.path = path
    self.errno = errno
  }

  /// Makes an error from a sentence whose interpolations are escaped.
  init(code: Code, sentence: Message, path: FilePath? = nil, errno: Errno? = nil) {
    self.init(code: code, message: sentence.text, path: path, errno: errno)
  }
}

extension FileSystemObserverError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}

extension FileSystemObserverError: Codable {
  private enum Key: String, CodingKey {
    case code, message, path, errno
  }

  /// Decodes an error.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      code: try values.decode(Code.self, forKey: .code), message: try values.decode(String.self, forKey: .message),
      path: try values.decodePathIfPresent(forKey: .path),
      errno: try values.decodeIfPresent(CInt.self, forKey: .errno).map { Errno(rawValue: $0) })
  }

  /// Encodes the error, with the number of `errno` if it is set.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(code, forKey: .code)
    try values.encode(message, forKey: .message)
    try values.encodeIfPresent(path: path, forKey: .path)
    try values.encodeIfPresent(errno?.rawValue, forKey: .errno)
  }
}
