/// Why an item counts as deleted.
@nonexhaustive
public enum DeletionReason: String, Hashable, Sendable, Codable, CaseIterable {
  /// Its last name was removed.
  case removed
  /// It was moved into a trash folder.
  case trashed
  /// It was moved out of the observed tree, or to a name that is excluded or hidden; out of the scope of a listener
  /// that asked for a part of the tree.
  case movedOut
  /// Another item was moved over it, or made in its place, and it had not been moved away before.
  case replaced
  /// The file system it is on was unmounted, or another was mounted over it: it cannot be seen, and may well be there.
  case unmounted
}
