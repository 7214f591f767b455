public import SystemPackage

extension FileSystemObserver.Examination {
  /// One file system of the tree.
  public struct Mount: Sendable, Hashable, Codable {
    let place: EncodedPath
    /// Its type, with its subtype: `ext4`, `fuse.sshfs`.
    public let type: String
    /// Whether it is mounted for reading only.
    public let isReadOnly: Bool
    /// Where events would come from.
    public let source: FileSystemObserver.Backend
    /// Why from there, in a sentence.
    public let reason: String
    /// Whether files can be tagged; `nil` where that cannot be tried without changing anything.
    public let takesTags: Bool?
    /// Whether leases tell if somebody writes a file; `nil` where there was no file to try it with.
    public internal(set) var hasLeases: Bool?
    /// Whether it keeps when a file was made.
    public let hasBirthTimes: Bool
    /// How many directories on it would be observed.
    public internal(set) var directoryCount = 0
    /// Whether the kernel sets this process no limit of marks there.
    let isUnlimited: Bool

    /// Where it is mounted, or the directory itself where that lies below.
    public var path: FilePath { place.path }

    private enum CodingKeys: String, CodingKey {
      case type, isReadOnly, source, reason, takesTags, hasLeases, hasBirthTimes, directoryCount, isUnlimited
      case place = "path"
    }
  }
}
