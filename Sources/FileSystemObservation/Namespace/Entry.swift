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
  /// Why it has this tag, if that is not on the file.
  var presumption: Presumption?

  /// What stands for a tag that is not on the file.
  enum Presumption: Sendable {
    /// Its content, see Classifier+Evidence.
    case content
    /// Its name, see Classifier+BroughtFiles and Classifier+AbsentFiles.
    case name
    /// Its path, size and time, see Classifier+RestoredFiles.
    case place
    /// Its tag, of an identity that another has taken over, see `Classifier.successor(ofTagIn:)`.
    case formerTag
  }

  /// Whether the inode may have been changed last by a rename in a directory with this time.
  ///
  /// What chmod(1) and `cp -al` have changed later is younger than the directory.
  func mayBeRenamed(inDirectoryModified modified: Int64) -> Bool {
    WallClock.interval(from: modified, to: changed) <= WallClock.tick
  }

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

  /// Whether the tag is not on the file.
  var isPresumed: Bool { presumption != nil }

  /// Whether the tag was minted for this inode, so that it was not copied from another.
  var bearsOwnTag: Bool { tag.uuid?.isMinted(for: key, on: fileSystem) ?? false }
}

extension Entry {
  /// The same, with the tag that it must have been given.
  func presumed(_ uuid: UUIDBits, by presumption: Presumption) -> Entry {
    var entry = self
    entry.tag = .uuid(uuid)
    entry.presumption = presumption
    return entry
  }
}
