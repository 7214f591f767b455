import LinuxFileSystem

// Settings under the names that they have in TOFileSystemObserver. New code sets them in a `Configuration`.

extension FileSystemObserver {
  /// Patterns of items that are not observed: ``Configuration/excludedPatterns``.
  ///
  /// What is set while the observer runs takes effect at its next start; see ``reconfigure(_:)``.
  public var excludedItems: [String] {
    get { state.withLock { $0.configuration.excludedPatterns } }
    set { state.withLock { $0.configuration.excludedPatterns = newValue } }
  }

  /// How many levels of directories are observed: ``Configuration/depth``.
  ///
  /// What is set while the observer runs takes effect at its next start; see ``reconfigure(_:)``.
  public var includedDirectoryLevels: Int? {
    get { state.withLock { $0.configuration.depth } }
    set { state.withLock { $0.configuration.depth = newValue } }
  }
}
