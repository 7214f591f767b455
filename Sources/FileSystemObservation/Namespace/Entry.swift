import FileIdentity
import LinuxFileSystem

/// What a look found at a place.
struct Entry: Equatable, Sendable {
  var key: FileKey
  var kind: FileKind
  /// The number of links; always 1 for a directory.
  var linkCount: UInt32
  var size: Int64
  /// The time of the last change of content.
  var modified: Int64
  /// The time of the last change of content or attributes, tags included.
  var changed: Int64
  var tag: TagReading
  /// The file system's identifier, for minted UUIDs.
  var fileSystem: UInt64
  /// Whether the inode changed so recently that it may still be written.
  var isRecent: Bool
  /// Whether the tag is not on the file: its content stands for it, see Classifier+Evidence, or its name, see
  /// Classifier+BroughtFiles.
  var isPresumed = false

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

  /// Whether the tag was minted for this inode, so that it was not copied from another.
  var bearsOwnTag: Bool { tag.uuid?.isMinted(for: key, on: fileSystem) ?? false }
}

extension Entry {
  /// The same, with the tag that it must have been given.
  func presumed(_ uuid: UUIDBits) -> Entry {
    var entry = self
    entry.tag = .uuid(uuid)
    entry.isPresumed = true
    return entry
  }
}
