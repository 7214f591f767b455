/// The reason for an item's deletion.
@nonexhaustive
public enum DeletionReason: String, Hashable, Sendable, Codable, CaseIterable {
  /// The last name of the item was removed, perhaps a hidden one that it got a moment before.
  case removed
  /// The item was moved into a trash folder.
  case trashed
  /// The item was moved out of the observed tree, to an excluded or hidden name, or out of a listener's scope.
  case movedOut
  /// Another item was moved over the item or created in its place, and the item had not been moved away before.
  ///
  /// Also of an identity that ends while its file stays: a copy in which its original goes on, because the original was
  /// moved by copying (``FileSystemChanges/movesBelow(_:)`` lists these), and an item that got another UUID by
  /// ``FileSystemObserver/adopt(_:forItemAt:)``. Then another identity arrives at the same path in the same set.
  case replaced
  /// The item's file system was unmounted, or another was mounted over it: the item cannot be seen, but may still
  /// exist.
  case unmounted
}
