package import FileIdentity
package import LinuxFileSystem
package import SystemPackage

/// Returns the tag of an entry if it is known without reading it.
package typealias KnownTag = (NameView, FileStatus) -> UUIDBits?

/// Visits the entries of a directory, one after the other.
package protocol EntryVisitor {
  /// Whether to visit an entry.
  mutating func wants(_ name: NameView, _ kind: ListedKind) -> Bool
  /// Takes the status and tag of an entry; the tag is `none` unless it is a file or directory.
  ///
  /// - Returns: The tag to write if the entry has none. It is written soon, perhaps after visits of other entries.
  mutating func visit(_ name: NameView, _ status: Result<FileStatus, Errno>, _ tag: TagReading) -> UUIDBits?
  /// Takes the outcome of writing a tag, in the order in which the tags were returned.
  mutating func noteTag(of name: NameView, _ claim: TagClaim)
  /// Entries whose inodes last changed before this may be presumed untagged, in nanoseconds since the epoch.
  ///
  /// Their tags need not be read: the visitor returns a tag for each of them, and writing that finds an existing one.
  /// `nil` if every tag must be read.
  var presumesNoTagBefore: Int64? { get }
  /// Returns the tags that are known without reading them; `nil` if none is.
  ///
  /// It is asked for once a directory, and called for each entry.
  var knownTag: KnownTag? { get }
}

extension EntryVisitor {
  package var knownTag: KnownTag? { nil }
}

/// The outcome of writing a tag.
package enum TagClaim: Equatable, Sendable {
  /// The entry has the tag now.
  case written
  /// The entry already had this tag.
  case found(TagReading)
  /// Writing failed; the error, and the tag that the entry has.
  case failed(Errno, TagReading)
}
