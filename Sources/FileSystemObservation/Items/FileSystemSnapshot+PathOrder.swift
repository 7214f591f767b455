internal import LinuxFileSystem

extension FileSystemSnapshot {
  /// The items ordered by the bytes of their paths, like `LC_ALL=C sort`.
  ///
  /// The iterator creates each item on demand. Only the current item's ancestors and their items are sorted in memory
  /// at one time: a million items take no more memory than the largest directory.
  ///
  /// - Complexity: O(*n* log *m*) for *n* items of which *m* are in one directory.
  public var inPathOrder: PathOrder { PathOrder(self) }

  /// The items of a snapshot, ordered by the bytes of their paths.
  public struct PathOrder: Sequence, Sendable {
    private let snapshot: FileSystemSnapshot

    init(_ snapshot: FileSystemSnapshot) {
      self.snapshot = snapshot
    }

    /// The number of items in the snapshot.
    public var underestimatedCount: Int { snapshot.count }

    /// Makes an iterator at the first item.
    public func makeIterator() -> Iterator { Iterator(snapshot) }

    /// An iterator over the items.
    ///
    /// Must not be shared between threads.
    public struct Iterator: IteratorProtocol {
      private let tree: KnownTree
      private var walk: PathOrderWalk

      init(_ snapshot: FileSystemSnapshot) {
        tree = snapshot.tree
        walk =
          snapshot.isWhole
          ? PathOrderWalk(snapshot.tree.storage) : PathOrderWalk(snapshot.order, snapshot.tree.storage)
      }

      /// The next item; `nil` after the last.
      public mutating func next() -> FileSystemItem.Snapshot? { walk.next().map(tree.item) }
    }
  }
}

@available(*, unavailable)
extension FileSystemSnapshot.PathOrder.Iterator: Sendable {}
