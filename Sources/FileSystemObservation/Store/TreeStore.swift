package import SystemPackage

/// A place where an observer keeps its tree between runs.
package protocol TreeStore: Sendable {
  /// What makes digests of contents; `nil` if the store keeps none.
  var digesting: (any ContentDigesting)? { get }

  /// Whether the observed directory goes on with the tree of another one, because the app says so.
  var isTakenOver: Bool { get }

  /// Opens the store for the one observer that writes to it, and loads the tree.
  ///
  /// A store whose tree cannot be used is put aside, and another begun.
  ///
  /// - Parameters:
  ///   - fit: Whether a tree is that of the observed directory. It is asked of this store, and of those put aside.
  ///   - use: Takes the tree to go on with; throws if it is no tree.
  /// - Returns: The store, or why there is none for now: observation goes on without it.
  /// - Throws: `storeUnavailable` if the app has to choose another place.
  func open(
    _ fit: (StoredTree) throws -> TreeFit, _ use: (StoredTree) throws -> Void
  ) throws(FileSystemObserverError) -> OpenTreeStore
}

/// An open store, or why it is not open.
package struct OpenTreeStore: Sendable {
  package var storage: (any TreeStorage)?
  package var tree: StoredTree?
  /// What the app should know.
  package var problem: FileSystemObserver.Diagnostic?
  package var close: @Sendable () -> Void
  /// Loads the trees in the stores of a directory that were put aside, the oldest first.
  package var former: @Sendable (_ directory: FilePath) -> [StoredTree]

  package init(
    _ storage: (any TreeStorage)?, _ tree: StoredTree? = nil, problem: FileSystemObserver.Diagnostic? = nil,
    former: @escaping @Sendable (_ directory: FilePath) -> [StoredTree] = { _ in [] },
    close: @escaping @Sendable () -> Void = {}
  ) {
    self.former = former
    self.storage = storage
    self.tree = tree
    self.problem = problem
    self.close = close
  }
}
