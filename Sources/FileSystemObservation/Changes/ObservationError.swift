import LinuxFileSystem
public import SystemPackage

/// What can go wrong, with what to do about it.
public struct ObservationError: Error, Sendable, Hashable {
  /// The kind of error.
  ///
  /// Kinds may be added: keep a `default` in a `switch`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String, Sendable {
      case rootNotFound, rootNotDirectory, rootNotReadable, rootNotAnswering, rootLost, alreadyRunning, limitReached,
        invalidArgument
      case outsideTree, notAFile, fileOperationFailed
    }
    private let value: Value

    /// There is nothing at the path of the directory to observe.
    public static let rootNotFound = Code(value: .rootNotFound)
    /// What is at the path is not a directory.
    public static let rootNotDirectory = Code(value: .rootNotDirectory)
    /// The directory may not be listed.
    public static let rootNotReadable = Code(value: .rootNotReadable)
    /// The file system of the directory (FUSE, NFS, …) does not answer.
    public static let rootNotAnswering = Code(value: .rootNotAnswering)
    /// The directory was removed, moved away or unmounted while it was observed.
    public static let rootLost = Code(value: .rootLost)
    /// The observer runs: stop it first.
    public static let alreadyRunning = Code(value: .alreadyRunning)
    /// A limit of the kernel or of the process is reached.
    public static let limitReached = Code(value: .limitReached)
    /// An argument is malformed.
    public static let invalidArgument = Code(value: .invalidArgument)
    /// The item is not below the observed directory.
    public static let outsideTree = Code(value: .outsideTree)
    /// The item is not a regular file.
    public static let notAFile = Code(value: .notAFile)
    /// A system call on a file failed; ``ObservationError/errno`` says why.
    public static let fileOperationFailed = Code(value: .fileOperationFailed)

    /// The name of the code.
    public var description: String { value.rawValue }
  }

  /// What kind of error.
  public var code: Code
  /// What happened, where, and what to do, in one line.
  ///
  /// File names in it are escaped, so that they can neither forge a line nor command a terminal; ``path`` has the name as it is.
  public var message: String
  /// The path it is about.
  public var path: FilePath?
  /// What the system said.
  public var errno: Errno?

  /// Makes an error; for apps that mock the observer.
  ///
  /// Control characters in the message are escaped.
  public init(code: Code, message: String, path: FilePath? = nil, errno: Errno? = nil) {
    self.code = code
    self.message = message.escapingControls
    self.path = path
    self.errno = errno
  }

  /// Makes an error of a sentence that escapes what is interpolated.
  init(code: Code, sentence: Message, path: FilePath? = nil, errno: Errno? = nil) {
    self.init(code: code, message: sentence.text, path: path, errno: errno)
  }
}

extension ObservationError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
