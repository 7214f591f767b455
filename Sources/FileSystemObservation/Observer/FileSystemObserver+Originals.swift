import LinuxFileSystem

// Settings under their names in TOFileSystemObserver. New code sets them in a `Configuration`.

extension FileSystemObserver {
  /// Patterns of items that are not observed: ``Configuration/excludedPatterns``.
  ///
  /// A value set while the observer runs takes effect at its next start; see ``reconfigure(_:)``.
  public var excludedItems: [String] {
    get { state.withLock { $0.configuration.excludedPatterns } }
    set { state.withLock { $0.configuration.excludedPatterns = newValue } }
  }

  /// The number of observed directory levels: ``Configuration/depth``.
  ///
  /// A value set while the observer runs takes effect at its next start; see ``reconfigure(_:)``.
  public var includedDirectoryLevels: Int? {
    get { state.withLock { $0.configuration.depth } }
    set { state.withLock { $0.configuration.depth = newValue } }
  }
}
