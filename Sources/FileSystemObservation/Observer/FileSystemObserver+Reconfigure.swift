internal import LinuxFileSystem
internal import SystemPackage

extension FileSystemObserver {
  /// Changes the configuration.
  ///
  /// While the observer does not run, the new configuration is for the next start, and everything in it may be another. It is refused by
  /// ``start()`` where it cannot be used.
  ///
  /// - Parameter configuration: The new configuration.
  /// - Throws: `alreadyRunning` where the observer runs and what is different can be changed only while it does not.
  public func reconfigure(_ configuration: Configuration) throws(FileSystemObserverError) {
    var configuration = configuration
    if configuration.unusableURL == nil { configuration.directory = configuration.directory.lexicallyNormalized() }
    let isSet = state.withLock { state in
      if let run = state.run, run.configuration != configuration { return false }
      state.configuration = configuration
      return true
    }
    guard isSet else {
      throw FileSystemObserverError(
        code: .alreadyRunning, sentence: "the observer of \(directory) runs; stop it, change it, and start it again",
        path: directory)
    }
  }
}
