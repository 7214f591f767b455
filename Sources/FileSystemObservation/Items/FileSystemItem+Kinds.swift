extension FileSystemItem {
  /// The kind of an item.
  @nonexhaustive
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// A regular file.
    case file
    /// A directory.
    case directory
    /// A symbolic link. It is an item of its own; its target is never read.
    case symlink
  }

  /// The basis of an item's UUID.
  ///
  /// The tag may be written a moment after the item is announced, after a burst of new files up to 5 s later. Until
  /// then the kind is `inode`; the UUID stays the same.
  @nonexhaustive
  public enum IdentityKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The UUID is in an extended attribute of the item. It survives everything that preserves the attribute.
    case tag
    /// The UUID is computed from file system, inode number and birth time, because no tag can be written or none is
    /// written yet. It survives renames and restarts, and ends with the inode.
    case inode
  }
}
