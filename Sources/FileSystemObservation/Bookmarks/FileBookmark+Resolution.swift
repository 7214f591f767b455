public import SystemPackage

extension FileBookmark {
  /// Where the file is now, and how that is known.
  public struct Resolution: Sendable, Hashable {
    /// The present path; of a file with several names, the last known one if it is among them.
    public let path: FilePath
    /// Whether the path or the file differs from what the bookmark has recorded; then keep ``bookmark`` in its place.
    public let isStale: Bool
    /// Everything that speaks for the file; `sorted()` has a fixed order, the strongest first.
    public let evidence: Set<Evidence>
    /// The bookmark to keep: made anew if the old one is stale.
    ///
    /// It has the same UUID, unless the old one was made of a file without a tag that has one by now, or of a copy that
    /// its original has taken over, as an observer knows.
    public let bookmark: FileBookmark

    /// Whether the file is in a trash folder of this user, by its path.
    ///
    /// An app offers to restore it instead of opening it there, see ``FileSystemObserver/trashedItems()``.
    public var isInTrash: Bool { TrashFolders.has(path) }

    /// Makes a resolution, for tests.
    public init(path: FilePath, isStale: Bool, evidence: Set<Evidence>, bookmark: FileBookmark) {
      self.path = path
      self.isStale = isStale
      self.evidence = evidence
      self.bookmark = bookmark
    }
  }

  /// What speaks for a file.
  @nonexhaustive
  public enum Evidence: String, Sendable, Hashable, Codable, CaseIterable {
    /// It bears the UUID in its tag.
    case tag
    /// It is the inode that the bookmark has recorded, by its number and birth time, or what its file system has in
    /// their place.
    ///
    /// After a save that made a new inode there is `journal` instead, if an observer or a store has followed it.
    case inode
    /// It has the same file handle (name_to_handle_at(2)), which no other file ever has.
    case handle
    /// An observer or a store has it there, by the UUID or the inode.
    case journal
    /// It is at the last known path.
    ///
    /// Without `tag`, `inode` and `journal`: the file that was there is gone from everything that was searched, and this
    /// one was made since. Editors that save by replacement leave that, and so does whoever removes a file and makes
    /// another.
    case place
    /// The file of the bookmark stands beside it, under the name of a backup.
    case backup
  }
}

extension FileBookmark.Evidence: Comparable, CustomStringConvertible, CustomDebugStringConvertible {
  /// Whether one is listed before another: in the order of `allCases`.
  public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }

  /// The name, as `fsobserve resolve` prints it.
  public var description: String { rawValue }

  /// The same as the description.
  public var debugDescription: String { rawValue }
}

extension FileBookmark.Resolution: CustomStringConvertible {
  /// The path and what speaks for it, in a fixed order: `/home/me/a.md (tag, inode)`.
  public var description: String {
    let reasons = evidence.sorted().map(\.description).joined(separator: ", ")
    return "\(path) (\(reasons))\(isStale ? ", stale" : "")"
  }
}
