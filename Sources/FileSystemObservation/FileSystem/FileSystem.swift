package import FileEvents
package import FileIdentity
package import LinuxFileSystem
package import SystemPackage

/// What the engine wants of a file system: the real one, or a simulated one on which the whole observer runs with
/// virtual time.
///
/// Everything is asked relative to an open directory, never through a path that may have changed, and no symbolic link
/// is followed.
package protocol FileSystem: DirectoryAccess {
  /// Opens a directory by its path, on which there may be no symbolic link.
  func openDirectory(withoutLinks path: FilePath) throws(Errno) -> Directory
  /// Takes note of the observed directory: what is on its mount may be kept open.
  func noteRoot(_ root: Directory)
  /// Opens the directories above the observed one, the nearest first, as far as that is permitted.
  func openAncestors(of root: Directory) -> [Directory]
  /// What is mounted below the observed directory, and the names that lead there.
  func mountPoints(below root: Directory) -> [MountNumber: [FileName]]
  /// What has become of mounts below it, or of its own, since this was asked last.
  func takeMountNews() -> [MountNews]
  /// A number for the file system of an entry that, unlike the device number, survives a restart.
  func fileSystemIdentifier(of status: FileStatus, named name: NameView, in directory: Directory) -> UInt64

  /// Looks at the entries of a directory that was opened for listing, and gives tags to those for which the visitor
  /// says so.
  ///
  /// The end of the directory is read after all have been looked at: whatever was seen has been told by then.
  func visitEntries(of directory: Directory, _ visitor: inout some EntryVisitor) throws(Errno)
  func readTag(of name: NameView, in directory: Directory) -> TagReading
  /// Writes the tag of exactly this inode, where there is none and it is not spared.
  func claimTag(
    _ uuid: UUIDBits, for name: NameView, in directory: Directory, expecting key: FileKey
  ) throws(Errno) -> TagWriting
  /// Writes the tag of exactly this inode, over any value, unless it is spared.
  func replaceTag(
    with uuid: UUIDBits, for name: NameView, in directory: Directory, expecting key: FileKey
  ) throws(Errno) -> TagWriting

  /// Permissions, owner and extended attributes besides the tag; nothing where they cannot be read.
  func attributes(of name: NameView, in directory: Directory) -> AttributeSummary?

  /// Whether somebody has a file open for writing.
  func probeWriters(of name: NameView, in directory: Directory) -> WriterProbe
  /// Whether an inode that left the tree by a rename lies in a trash folder.
  ///
  /// - Parameters:
  ///   - name: The name it had.
  ///   - since: When it was known to have left.
  func isInTrash(_ key: FileKey, named name: FileName, leftBy since: MonotonicTime, root: Directory) -> Bool

  /// The clock that the file system stamps its times with, in nanoseconds since the epoch.
  var wallClock: Int64 { get }
}

extension FileSystem {
  package func openDirectory(withoutLinks path: FilePath) throws(Errno) -> Directory { try openRoot(at: path) }
  package func noteRoot(_ root: Directory) {}
  package func takeMountNews() -> [MountNews] { [] }
  package func attributes(of name: NameView, in directory: Directory) -> AttributeSummary? { nil }
}

/// What has become of a mount.
package struct MountNews: Sendable {
  package enum Kind: Sendable {
    case isSilent, answers, refuses
  }

  package var path: FilePath
  package var kind: Kind
}

/// What came of writing the tag of an inode.
package enum TagWriting: Sendable {
  case written
  /// The inode is not at the place, or has a tag that is not to be replaced.
  case notWritten
  /// It is left without, see `FileStatus.isSpared`.
  case spared
}
