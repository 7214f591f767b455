internal import LinuxFileSystem
public import SystemPackage

extension FileSystemObserver {
  /// A condition that the app or its user should know about while observation continues.
  public struct Diagnostic: Sendable, Hashable {
    /// The kind of the diagnostic.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
      /// A folder cannot be listed. The observer watches it as soon as it can be listed.
      case unreadableFolder
      /// A file system of the tree does not answer (FUSE, NFS, …). Its known items are kept, and read again when it
      /// answers.
      case mountNotAnswering
      /// A limit of the kernel is reached; see ``Diagnostic/limit``.
      case limitReached
      /// The tag of a file could not be written; the file is identified by its inode.
      case tagNotWritten
      /// Another program, or another observer, removed or changed the tags of items that did not move; the observer
      /// restored them.
      case tagRestored
      /// The observed directory is lost; observation waits for its return.
      case rootLost
      /// Another item is at the path of the observed directory. It is not read, and observation keeps waiting.
      case rootReplaced
      /// A bind mount makes a directory reachable by a second path; the directory is observed once.
      case directoryLoop
      /// The listener did not take diagnostics in time, and some were dropped; the message has their number.
      case diagnosticsLeftOut
      /// The store could not be used or written, or works again; observation goes on without what it cannot keep.
      case storeUnavailable
    }

    /// A system limit that is too low for the tree.
    public struct Limit: Sendable, Hashable, Codable {
      /// The name of the limit, for example `fs.inotify.max_user_watches`.
      public let name: String
      /// The current value.
      public let value: Int
      /// A sufficient value.
      public let suggestedValue: Int
      /// The shell command that sets the suggested value.
      public let command: String

      /// Makes a limit, for tests.
      public init(name: String, value: Int, suggestedValue: Int, command: String) {
        self.name = name
        self.value = value
        self.suggestedValue = suggestedValue
        self.command = command
      }
    }

    /// The kind of the diagnostic.
    public var code: Code
    /// One sentence for the user, with advice.
    ///
    /// File names in it are escaped, so they can neither forge a log line nor send terminal commands; ``path`` has the
    /// raw name.
    public var message: String
    /// The path that the diagnostic is about.
    public var path: FilePath?
    /// The error number of the failed system call.
    public var errno: Errno?
    /// The limit that is reached; for ``Code/limitReached``.
    public var limit: Limit?

    /// Makes a diagnostic, for tests.
    ///
    /// Control characters in the message are escaped.
    public init(code: Code, message: String, path: FilePath? = nil, errno: Errno? = nil, limit: Limit? = nil) {
      self.code = code
      self.message = message.escapingControls
      self.path = path
      self.errno = errno
      self.limit = limit
    }

    /// Makes a diagnostic from a sentence whose interpolations are escaped.
    init(code: Code, sentence: Message, path: FilePath? = nil, errno: Errno? = nil, limit: Limit? = nil) {
      self.code = code
      self.message = sentence.text
      self.path = path
      self.errno = errno
      self.limit = limit
    }
  }
}

extension FileSystemObserver.Diagnostic: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}

extension FileSystemObserver.Diagnostic: Codable {
  private enum Key: String, CodingKey {
    case code, message, path, errno, limit
  }

  /// Decodes a diagnostic.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      code: try values.decode(Code.self, forKey: .code), message: try values.decode(String.self, forKey: .message),
      path: try values.decodePathIfPresent(forKey: .path),
      errno: try values.decodeIfPresent(CInt.self, forKey: .errno).map { Errno(rawValue: $0) },
      limit: try values.decodeIfPresent(Limit.self, forKey: .limit))
  }

  /// Encodes the diagnostic, with the number of `errno` if it is set.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(code, forKey: .code)
    try values.encode(message, forKey: .message)
    try values.encodeIfPresent(path: path, forKey: .path)
    try values.encodeIfPresent(errno?.rawValue, forKey: .errno)
    try values.encodeIfPresent(limit, forKey: .limit)
  }
}
