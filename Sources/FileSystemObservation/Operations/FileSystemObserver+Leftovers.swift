internal import LinuxFileSystem
internal import SystemPackage

extension FileSystemObserver {
  /// Removes what operations have left in the observed ``Configuration/directories`` because their process was killed
  /// or the machine failed.
  ///
  /// These are hidden items that no observer shows: incomplete copies and new versions, and what was about to be
  /// removed. They take up space for good otherwise; an app may call this after its start. Only the user's own are
  /// removed, and none that an operation of any process still uses. A save with a version may have left the only place
  /// of what another program has saved at the same moment: such a file is kept, and returned.
  ///
  /// Reads the whole tree, on a thread of its own; works without a running observer.
  ///
  /// - Parameter age: For how long an item must not have been changed; a day by default.
  /// - Returns: What was removed, what was kept, and what could not be removed.
  @discardableResult
  public func removeLeftovers(unchangedFor age: Duration = .seconds(24 * 60 * 60)) async -> Leftovers {
    let directories = configuration.directories
    let nanoseconds = Int64(min(max(0, age / .nanoseconds(1)), 1e18))
    return await offThread { LeftoverRemoval.run(below: directories, unchangedFor: nanoseconds) }
  }
}
