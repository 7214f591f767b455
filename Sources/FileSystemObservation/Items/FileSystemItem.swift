/// A file, folder or symbolic link of an observed tree.
///
/// FIFOs, sockets and devices are not observed.
public enum FileSystemItem {
  /// What an item is.
  @nonexhaustive
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// A regular file.
    case file
    /// A directory.
    case directory
    /// A symbolic link. It is an item of its own; its target is never looked at.
    case symlink
  }

  /// What an item's UUID rests on.
  @nonexhaustive
  public enum IdentityKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The UUID is in an extended attribute of the item: it survives everything that keeps the attribute.
    case tag
    /// The UUID is computed from file system, inode number and birth time, because no tag can be written or none has
    /// been written yet: it survives renames and restarts, and ends with the inode.
    case inode
  }
}
