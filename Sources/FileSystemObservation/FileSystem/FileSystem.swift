package import FileEvents
package import FileIdentity
package import LinuxFileSystem
package import SystemPackage

/// The file system as the engine uses it.
///
/// It is the real one, or a simulated one on which the whole observer runs with virtual time. All calls are relative to
/// an open directory, because a path may have changed, and follow no symbolic links.
package protocol FileSystem: DirectoryAccess {
  /// Opens a directory by a path without symbolic links.
  func openDirectory(withoutLinks path: FilePath) throws(Errno) -> Directory
  /// Records the observed directory: directories on its mount may stay open.
  func noteRoot(_ root: Directory)
  /// Opens the directories above the observed one, the nearest first, as far as permissions allow.
  func openAncestors(of root: Directory) -> [Directory]
  /// The mounts below the observed directory, and the names that lead there.
  func mountPoints(below root: Directory) -> [MountNumber: [FileName]]
  /// News of the mounts below the observed directory, and of its own, since the last call.
  func takeMountNews() -> [MountNews]
  /// A number for the file system of an entry that, unlike the device number, survives a restart.
  func fileSystemIdentifier(of status: FileStatus, named name: NameView, in directory: Directory) -> UInt64

  /// Visits the entries of a directory that was opened for listing, and writes the tags that the visitor returns.
  ///
  /// The end of the directory is read after all entries have been probed: by then the kernel has queued the events of
  /// all changes that the probes saw.
  func visitEntries(of directory: Directory, _ visitor: inout some EntryVisitor) throws(Errno)
  func readTag(of name: NameView, in directory: Directory) -> TagReading
  /// Writes the tag of exactly this inode, if it has none and is not spared.
  func claimTag(
    _ uuid: UUIDBits, for name: NameView, in directory: Directory, expecting key: FileKey
  ) throws(Errno) -> TagWriting
  /// The same, with the time of change that the inode has afterwards, if each later change gives it another.
  func claimTagNotingTime(
    _ uuid: UUIDBits, for name: NameView, in directory: Directory, expecting key: FileKey
  ) throws(Errno) -> (outcome: TagWriting, changed: Int64?)
  /// Writes the tag of exactly this inode, over any value, unless the inode is spared.
  func replaceTag(
    with uuid: UUIDBits, for name: NameView, in directory: Directory, expecting key: FileKey
  ) throws(Errno) -> TagWriting

  /// Whether the contents of files in a directory may be read, although nobody has asked for that: they are on a disk of
  /// this machine.
  func mayReadContents(in directory: Directory) -> Bool

  /// Waits until the events of all changes of names that were seen in a directory are queued.
  ///
  /// - Returns: Whether they certainly are; not all file systems allow that.
  func passBarrier(in directory: Directory) -> Bool

  /// Permissions, owner and extended attributes besides the tag; `nil` if they cannot be read.
  func attributes(of name: NameView, in directory: Directory) -> AttributeSummary?

  /// Whether a process has a file open for writing.
  func probeWriters(of name: NameView, in directory: Directory) -> WriterProbe
  /// Whether a process has a file open for writing, and then what the file is.
  func lookAfterWriters(of name: NameView, in directory: Directory) -> LookAfterWriters
  /// Those of the inodes that have left the tree which are in a trash folder.
  func inodesInTrash(among questions: [TrashQuestion], root: Directory) -> Set<FileKey>

  /// The clock of the file system's timestamps, in nanoseconds since the epoch.
  var wallClock: Int64 { get }
}

extension FileSystem {
  package func openDirectory(withoutLinks path: FilePath) throws(Errno) -> Directory { try openRoot(at: path) }
  package func noteRoot(_ root: Directory) {}
  package func passBarrier(in directory: Directory) -> Bool { false }
  package func mayReadContents(in directory: Directory) -> Bool { false }
  package func takeMountNews() -> [MountNews] { [] }
  package func attributes(of name: NameView, in directory: Directory) -> AttributeSummary? { nil }

  package func claimTagNotingTime(
    _ uuid: UUIDBits, for name: NameView, in directory: Directory, expecting key: FileKey
  ) throws(Errno) -> (outcome: TagWriting, changed: Int64?) {
    (try claimTag(uuid, for: name, in: directory, expecting: key), nil)
  }

  package func lookAfterWriters(of name: NameView, in directory: Directory) -> LookAfterWriters {
    lookByName(after: probeWriters(of: name, in: directory), at: name, in: directory)
  }

  /// Looks at whatever has a name after a probe for writers.
  func lookByName(after writers: WriterProbe, at name: NameView, in directory: Directory) -> LookAfterWriters {
    let status = Result { () throws(Errno) in try self.status(of: name, in: directory) }
    let kind = try? status.get().kind
    let tag = kind == .file || kind == .directory ? readTag(of: name, in: directory) : .unreadable
    return LookAfterWriters(writers: writers, status: status, tag: tag)
  }
}

/// What a probe for writers said, and what was found afterwards.
package struct LookAfterWriters: Sendable {
  package var writers: WriterProbe
  package var status: Result<FileStatus, Errno>
  /// Of a file or directory.
  package var tag: TagReading

  package init(writers: WriterProbe, status: Result<FileStatus, Errno>, tag: TagReading) {
    self.writers = writers
    self.status = status
    self.tag = tag
  }
}

/// A change in the state of a mount.
package struct MountNews: Sendable {
  package enum Kind: Sendable {
    case isSilent, answers, refuses
  }

  package var path: FilePath
  package var kind: Kind
}

/// The outcome of writing the tag of an inode.
package enum TagWriting: Sendable {
  case written
  /// The inode is not at the place, or has a tag that must stay.
  case notWritten
  /// The inode stays untagged, see `FileStatus.isSpared`.
  case spared
}
