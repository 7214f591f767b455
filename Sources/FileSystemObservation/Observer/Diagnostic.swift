internal import LinuxFileSystem
public import SystemPackage

extension FileSystemObserver {
  /// Something the app or its user should know while observation goes on.
  public struct Diagnostic: Sendable, Hashable {
    /// What it is about.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
      /// A folder cannot be listed. It is watched as soon as it can be.
      case unreadableFolder
      /// A file system below the observed directory, or its own, does not answer (FUSE, NFS, …). What is known of it is
      /// kept, and it is looked at again when it answers.
      case mountNotAnswering
      /// A limit of the kernel is reached: see ``Diagnostic/limit``.
      case limitReached
      /// The tag of a file could not be written; it is known by its inode instead.
      case tagNotWritten
      /// Another program removed or changed the tags of items that stayed where they were; they are put back.
      case tagRestored
      /// The observed directory is gone; observation waits for its return.
      case rootLost
      /// Something else than the observed directory is at its path: it is not looked into, and observation waits on.
      case rootReplaced
      /// The same directory is reached by a second way (a bind mount): it is observed once.
      case directoryLoop
      /// This listener did not take diagnostics in time, and some were left out; the message says how many.
      case diagnosticsLeftOut
    }

    /// A limit of the system that is too low for the tree.
    public struct Limit: Sendable, Hashable, Codable {
      /// Its name, as `fs.inotify.max_user_watches`.
      public let name: String
      /// Its value.
      public let value: Int
      /// A value that would do.
      public let suggestedValue: Int
      /// The command of a shell that sets that value.
      public let command: String

      /// Makes a limit, for tests.
      public init(name: String, value: Int, suggestedValue: Int, command: String) {
        self.name = name
        self.value = value
        self.suggestedValue = suggestedValue
        self.command = command
      }
    }

    /// What it is about.
    public var code: Code
    /// One sentence for a person, with what to do.
    ///
    /// File names in it are escaped, so that they can neither forge a line nor command a terminal; ``path`` has the
    /// name as it is.
    public var message: String
    /// Where.
    public var path: FilePath?
    /// What the system said.
    public var errno: Errno?
    /// The limit that is reached, for ``Code/limitReached``.
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

    /// Makes a diagnostic of a sentence that escapes what is interpolated.
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

  /// Encodes the diagnostic; the number of `errno`, where there is one.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(code, forKey: .code)
    try values.encode(message, forKey: .message)
    try values.encodeIfPresent(path: path, forKey: .path)
    try values.encodeIfPresent(errno?.rawValue, forKey: .errno)
    try values.encodeIfPresent(limit, forKey: .limit)
  }
}
