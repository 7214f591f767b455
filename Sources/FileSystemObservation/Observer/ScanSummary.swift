extension FileSystemObserver {
  /// What a full scan found and did.
  public struct ScanSummary: Sendable, Hashable, Codable {
    /// Why it was done.
    public var reason: ScanReason
    /// The number of items afterwards, without the observed directory itself.
    public var itemCount: Int
    /// The number of directories among them.
    public var directoryCount: Int
    /// The number of files and directories that were given a tag.
    public var taggedCount: Int
    /// The number of copies that bore another's UUID and were given their own.
    public var duplicateCount: Int
    /// What was left out or left without a tag, and how often.
    public var skipped: [SkipReason: Int]
    /// How long it took.
    public var duration: Duration

    /// Makes a summary, for tests.
    public init(
      reason: ScanReason = .start, itemCount: Int, directoryCount: Int = 0, taggedCount: Int = 0,
      duplicateCount: Int = 0, skipped: [SkipReason: Int] = [:], duration: Duration = .zero
    ) {
      self.reason = reason
      self.itemCount = itemCount
      self.directoryCount = directoryCount
      self.taggedCount = taggedCount
      self.duplicateCount = duplicateCount
      self.skipped = skipped
      self.duration = duration
    }
  }

  /// How far a full scan has come.
  public struct ScanProgress: Sendable, Hashable, Codable {
    /// Why the tree is scanned.
    public var reason: ScanReason
    /// The number of items found so far.
    public var itemCount: Int
    /// The number of directories that have been found, and are still to be listed: at least so many, for there may be
    /// more below them.
    public var awaitedDirectoryCount: Int

    /// Makes a value, for tests.
    public init(reason: ScanReason, itemCount: Int, awaitedDirectoryCount: Int) {
      self.reason = reason
      self.itemCount = itemCount
      self.awaitedDirectoryCount = awaitedDirectoryCount
    }
  }

  /// Why a scan left something out, or without a tag.
  @nonexhaustive
  public enum SkipReason: String, Hashable, Sendable, Codable, CodingKeyRepresentable, CaseIterable {
    /// The folder may not be listed.
    case unreadableFolder
    /// The name is excluded.
    case excluded
    /// The name begins with a dot, and hidden items are not wanted.
    case hidden
    /// A FIFO, socket or device.
    case special
    /// The item lies deeper than the levels included.
    case belowLevels
    /// The tag may not be written: another's file, or a read-only one (EACCES, EPERM).
    case tagNotPermitted
    /// The file system keeps no `user.*` attributes, or the item is a symbolic link (ENOTSUP).
    case tagNotSupported
    /// No room for the tag (ENOSPC, EDQUOT).
    case noRoomForTag
    /// The file system is read-only (EROFS).
    case readOnly
    /// The item is in a lower layer of an overlay file system, so that a tag would have it copied into the upper layer;
    /// see ``Configuration/tagsFilesOfLowerLayers``.
    case onlyInLowerLayer
  }
}

extension FileSystemObserver.ScanSummary: CustomStringConvertible {
  /// The counts and the time, in one line.
  public var description: String {
    "\(itemCount.counted("item")), \(directoryCount) of them folders, \(taggedCount) newly tagged, in \(duration)"
  }
}

extension FileSystemObserver.ScanProgress: CustomStringConvertible {
  /// The counts, in one line.
  public var description: String {
    "\(itemCount.counted("item")) so far, \(awaitedDirectoryCount) folders or more to go"
  }
}
