internal import LinuxFileSystem

extension FileSystemSnapshot {
  /// The items in the order of the bytes of their paths, as `LC_ALL=C sort` has them.
  ///
  /// An item is made when it is its turn, and forgotten then. Only the directories above it, and their items, are in
  /// order in memory at one time: a million items take no more memory than the largest directory.
  ///
  /// - Complexity: O(*n* log *m*) for *n* items of which *m* are in one directory.
  public var inPathOrder: PathOrder { PathOrder(self) }

  /// The items of a snapshot in the order of the bytes of their paths.
  public struct PathOrder: Sequence, Sendable {
    private let snapshot: FileSystemSnapshot

    init(_ snapshot: FileSystemSnapshot) {
      self.snapshot = snapshot
    }

    /// The number of items: all of the snapshot.
    public var underestimatedCount: Int { snapshot.count }

    /// Begins with the first item.
    public func makeIterator() -> Iterator { Iterator(snapshot) }

    /// Gives item by item.
    ///
    /// Not to be shared between threads.
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
