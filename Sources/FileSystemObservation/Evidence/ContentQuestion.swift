import FileIdentity
import LinuxFileSystem

/// A file whose content is to be read.
struct ContentQuestion: Hashable, Sendable {
  /// The entry; `nil` for a new file that is not announced, or as being copied.
  var id: NodeID?
  var name: FileName
  var key: FileKey
  var size: Int64
  var modified: Int64

  /// Whether something found has the content that is asked for.
  func isAbout(_ status: FileStatus) -> Bool {
    FileKey(status) == key && status.size == size && status.modified == modified
  }
}

/// What the reading of a file has given.
struct ContentAnswer: Hashable, Sendable {
  enum Outcome: Hashable, Sendable {
    case digest(ContentDigest)
    /// The file is another by now, or was changed while it was read.
    case changed
    /// The file cannot be read.
    case unreadable
  }

  var question: ContentQuestion
  var outcome: Outcome

  var digest: ContentDigest? { if case .digest(let digest) = outcome { digest } else { nil } }
}

/// Where an engine has contents read; the answers come later, by `Engine.take(_:_:)`.
struct ContentService<Directory: Sendable>: Sendable {
  /// Has files read, of each with its directory.
  ///
  /// - Parameter isUrgent: Whether a decision waits for them; otherwise they are read when nobody else needs the
  ///   processor and the disk, one such group at a time.
  var read: @Sendable (_ questions: [(ContentQuestion, Directory)], _ isUrgent: Bool) -> Void
  /// Ends the reading that nobody waits for; its answers come at once.
  var pause: @Sendable () -> Void
}
