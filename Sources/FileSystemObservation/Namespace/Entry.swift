import FileIdentity
import LinuxFileSystem

/// What the prober found at a place: a fact.
struct Entry: Equatable, Sendable {
  var key: FileKey
  var kind: FileKind
  /// How many names it has; a directory has one, whatever the file system counts.
  var linkCount: UInt32
  var size: Int64
  /// Time of the last change of content.
  var modified: Int64
  /// Time of the last change of anything, tags among it.
  var changed: Int64
  var tag: TagReading
  /// The identifier of the file system, for minting.
  var fileSystem: UInt64
  /// Whether the inode changed so recently that somebody may still be at it.
  var isRecent: Bool

  init(_ status: FileStatus, tag: TagReading, fileSystem: UInt64, isRecent: Bool) {
    key = FileKey(status)
    kind = status.kind
    linkCount = status.kind == .directory ? 1 : status.linkCount
    size = status.size
    modified = status.modified
    changed = status.changed
    self.tag = tag
    self.fileSystem = fileSystem
    self.isRecent = isRecent
  }

  /// Whether its tag was minted for its own inode: nobody copied it here.
  var bearsOwnTag: Bool { tag.uuid?.isMinted(for: key, on: fileSystem) ?? false }
}
