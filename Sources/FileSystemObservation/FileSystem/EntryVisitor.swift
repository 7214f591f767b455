package import FileIdentity
package import LinuxFileSystem
package import SystemPackage

/// Who is shown the entries of a directory, one after the other.
package protocol EntryVisitor {
  /// Whether an entry is to be looked at.
  mutating func wants(_ name: NameView, _ kind: ListedKind) -> Bool
  /// Takes in what an entry is, and its tag: `none` where it is no file or directory.
  ///
  /// Returns the tag that it is to be given, if it has none when it is written: soon, perhaps after other entries have been shown.
  mutating func visit(_ name: NameView, _ status: Result<FileStatus, Errno>, _ tag: TagReading) -> UUIDBits?
  /// Takes in what came of that, in the order in which the tags were asked for: `false` where the entry had a tag.
  mutating func noteTag(of name: NameView, _ wasWritten: Result<Bool, Errno>)
}
