package import FileSystemObservation
package import FoundationEssentials

/// What an observer said while a recording was re-enacted, and what it was about.
///
/// Paths are relative to the observed folder, and times in nanoseconds of any clock.
package struct Account {
  package struct Saying {
    package var kind: FileSystemChange.Kind
    package var uuid: UUID
    package var path: String
    package var previousPath: String?
    package var original: UUID?
    package var time: Int64

    package init(
      _ kind: FileSystemChange.Kind, _ uuid: UUID, _ path: String, previousPath: String?, original: UUID?, time: Int64
    ) {
      self.kind = kind
      self.uuid = uuid
      self.path = path
      self.previousPath = previousPath
      self.original = original
      self.time = time
    }
  }

  /// What was said from the first operation on.
  package var sayings: [Saying] = []
  /// The UUIDs before the first operation, by path.
  package var identities: [String: UUID] = [:]
  /// The tags in the end, by path.
  package var tags: [String: UUID] = [:]
  /// When the files that are there in the end were last written, by path.
  package var lastWrites: [String: Int64] = [:]

  package init() {}
}
