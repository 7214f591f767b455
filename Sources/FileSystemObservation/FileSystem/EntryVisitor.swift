package import FileIdentity
package import LinuxFileSystem
package import SystemPackage

/// Who is shown the entries of a directory, one after the other.
package protocol EntryVisitor {
  /// Whether an entry is to be looked at.
  mutating func wants(_ name: NameView, _ kind: ListedKind) -> Bool
  /// Takes in what an entry is, and its tag: `none` where it is no file or directory.
  ///
  /// Returns the tag that it is to be given, if it has none when it is written: soon, perhaps after other entries have
  /// been shown.
  mutating func visit(_ name: NameView, _ status: Result<FileStatus, Errno>, _ tag: TagReading) -> UUIDBits?
  /// Takes in what came of that, in the order in which the tags were asked for.
  mutating func noteTag(of name: NameView, _ claim: TagClaim)
  /// Files whose inodes last changed before that, in nanoseconds since the epoch, may be shown as having no tag without
  /// its being read.
  ///
  /// For each of them the visitor asks for a tag, and so a tag that is there will be found. Nothing where every tag is
  /// to be read.
  var presumesNoTagBefore: Int64? { get }
}

/// What came of giving an entry a tag.
package enum TagClaim: Equatable, Sendable {
  /// It bears the tag now.
  case written
  /// It had a tag: this.
  case found(TagReading)
  /// It could not be written; what tag there is.
  case failed(Errno, TagReading)
}
