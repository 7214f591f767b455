/// What kind of item a change is about.
///
/// FIFOs, sockets and devices are not observed.
public enum ItemKind: String, Hashable, Sendable, CaseIterable {
  /// A regular file.
  case file
  /// A directory.
  case directory
  /// A symbolic link. It is recorded itself; what it points at is never looked at.
  case symlink
}

/// What an item's UUID rests on.
public enum IdentityKind: Hashable, Sendable {
  /// The UUID stands in an extended attribute of the file: it survives everything that keeps the attribute.
  case tag
  /// The UUID is computed from device, inode number and birth time, because no tag can be written (or none has been written yet):
  /// it survives renames and restarts, and ends with the inode.
  case fileKey
}
