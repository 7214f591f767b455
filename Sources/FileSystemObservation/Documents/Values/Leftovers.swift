public import SystemPackage

extension FileSystemObserver {
  /// What operations of killed processes had left in folders; see ``FileSystemObserver/removeLeftovers(unchangedFor:)``.
  public struct Leftovers: Sendable, Hashable {
    /// The hidden items that were removed.
    public var removed: [FilePath]
    /// Hidden files that were kept: each may be the only place of what a program has saved last.
    ///
    /// Beside it is the document. Compare both, then remove the hidden file.
    public var kept: [FilePath]
    /// Why items could not be removed, or folders not be looked through.
    public var problems: [FileSystemObserverError]

    /// Makes a value, for apps that mock the observer.
    public init(removed: [FilePath] = [], kept: [FilePath] = [], problems: [FileSystemObserverError] = []) {
      self.removed = removed
      self.kept = kept
      self.problems = problems
    }
  }
}
