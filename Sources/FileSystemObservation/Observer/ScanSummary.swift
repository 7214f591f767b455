extension FileSystemObserver {
  /// The result of a full scan.
  public struct ScanSummary: Sendable, Hashable, Codable {
    /// The reason for the scan.
    public var reason: ScanReason
    /// The number of items after the scan, without the observed directory itself.
    public var itemCount: Int
    /// The number of directories among them.
    public var directoryCount: Int
    /// The number of files and directories that got a tag.
    public var taggedCount: Int
    /// The number of copies that had another item's UUID and got their own.
    public var duplicateCount: Int
    /// The number of items left out or left without a tag, by reason.
    public var skipped: [SkipReason: Int]
    /// The duration of the scan.
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

  /// The progress of a full scan.
  public struct ScanProgress: Sendable, Hashable, Codable {
    /// The reason for the scan.
    public var reason: ScanReason
    /// The number of items found so far.
    public var itemCount: Int
    /// The number of directories found but not listed yet: a lower bound, since there may be more below them.
    public var awaitedDirectoryCount: Int

    /// Makes a progress value, for tests.
    public init(reason: ScanReason, itemCount: Int, awaitedDirectoryCount: Int) {
      self.reason = reason
      self.itemCount = itemCount
      self.awaitedDirectoryCount = awaitedDirectoryCount
    }
  }

  /// The reason why a scan left an item out, or without a tag.
  @nonexhaustive
  public enum SkipReason: String, Hashable, Sendable, Codable, CodingKeyRepresentable, CaseIterable {
    /// The process has no permission to list the folder.
    case unreadableFolder
    /// The name is excluded.
    case excluded
    /// The name begins with a dot, and hidden items are not observed.
    case hidden
    /// The item is a FIFO, socket or device.
    case special
    /// The item is below the deepest observed level.
    case belowLevels
    /// The process has no permission to write the tag: another user's file, or a read-only one (EACCES, EPERM).
    case tagNotPermitted
    /// The file system keeps no `user.*` attributes, or the item is a symbolic link (ENOTSUP).
    case tagNotSupported
    /// There is no space for the tag (ENOSPC, EDQUOT).
    case noRoomForTag
    /// The file system is read-only (EROFS).
    case readOnly
    /// The item is in a lower layer of an overlay file system, and a tag would copy it into the upper layer; see
    /// ``Configuration/tagsFilesOfLowerLayers``.
    case onlyInLowerLayer
  }
}

extension FileSystemObserver.ScanSummary: CustomStringConvertible {
  /// The counts and the time, in one line.
  public var description: String {
    let untagged = untaggedCount == 0 ? "" : ", \(untaggedCount) left without a tag"
    return "\(itemCount.counted("item")), \(directoryCount) of them folders, \(taggedCount) newly tagged\(untagged), "
      + "in \(duration)"
  }

  private var untaggedCount: Int {
    let reasons: [FileSystemObserver.SkipReason] = [
      .tagNotPermitted, .tagNotSupported, .noRoomForTag, .readOnly, .onlyInLowerLayer,
    ]
    return reasons.reduce(0) { $0 + (skipped[$1] ?? 0) }
  }
}

extension FileSystemObserver.ScanProgress: CustomStringConvertible {
  /// The counts, in one line.
  public var description: String {
    "\(itemCount.counted("item")) so far, \(awaitedDirectoryCount) folders or more to go"
  }
}
