public import SystemPackage

extension FileSystemObserver.Examination {
  /// One file system of the tree.
  public struct Mount: Sendable, Hashable, Codable {
    let place: EncodedPath
    /// The type, with the subtype: `ext4`, `fuse.sshfs`.
    public let type: String
    /// Whether the mount is read-only.
    public let isReadOnly: Bool
    /// The source of events for an observer.
    public let source: FileSystemObserver.Backend
    /// The reason for that source, in one sentence.
    public let reason: String
    /// Whether files can be tagged; `nil` if that cannot be tested without a change.
    public let takesTags: Bool?
    /// Whether leases reveal a file's writers; `nil` if there was no file to test.
    public internal(set) var hasLeases: Bool?
    /// Whether the file system records creation times.
    public let hasBirthTimes: Bool
    /// The number of directories to observe on the file system.
    public internal(set) var directoryCount = 0
    /// Whether marks of this process on the file system are unlimited.
    let isUnlimited: Bool

    /// The mount point, or the directory itself if that is below it.
    public var path: FilePath { place.path }

    private enum CodingKeys: String, CodingKey {
      case type, isReadOnly, source, reason, takesTags, hasLeases, hasBirthTimes, directoryCount, isUnlimited
      case place = "path"
    }
  }
}
