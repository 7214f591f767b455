internal import LinuxFileSystem
internal import SystemPackage

extension FileSystemObserver {
  /// Changes the configuration.
  ///
  /// While the observer does not run, the new configuration applies to the next start and may differ in everything;
  /// ``start()`` rejects an unusable one.
  ///
  /// While the observer runs, the patterns, the depth, hidden items, ``Configuration/directories`` below the same
  /// ``Configuration/directory``, and ``Configuration/warnsWithoutListeners`` may differ. Items that are no longer
  /// observed are announced as `deleted` (``DeletionReason/movedOut``), newly observed items as `discovered`; nothing
  /// else is announced. The observer does this on its own threads soon after the call, and lists only directories whose
  /// observed items may differ.
  ///
  /// Does not block. May be called on any thread, also in a notification block.
  ///
  /// - Parameter configuration: The new configuration.
  /// - Throws: While the observer runs: `invalidArgument` for an unusable configuration, and `alreadyRunning` if a
  ///   setting differs that can change only while the observer is stopped. After an error nothing has changed.
  public func reconfigure(_ configuration: Configuration) throws(FileSystemObserverError) {
    var configuration = configuration
    if configuration.unusableURL == nil { configuration.directory = configuration.directory.lexicallyNormalized() }
    guard let run = setWhileStopped(configuration) else { return }
    guard run.configuration.fixedSettings == configuration.fixedSettings else {
      throw FileSystemObserverError(
        code: .alreadyRunning,
        sentence: "the observer of \(run.directory) runs: its patterns, depth and hidden items may be changed, and all "
          + "else when it is stopped",
        path: run.directory)
    }
    try configuration.check()
    let filter = try configuration.filter()
    state.withLock { state in
      state.configuration = configuration
      if state.run?.epoch == run.epoch { state.run?.configuration = configuration }
    }
    run.driver.perform { engine in engine?.reconfigure(filter, .now) }
  }

  /// Sets the configuration while the observer does not run; otherwise returns the run.
  private func setWhileStopped(_ configuration: Configuration) -> Run? {
    state.withLock { state in
      if state.run == nil { state.configuration = configuration }
      return state.run
    }
  }
}

extension FileSystemObserver.Configuration {
  /// The configuration without the settings that may change during a run.
  fileprivate var fixedSettings: Self {
    var fixed = self
    fixed.selectedDirectories = []
    fixed.excludedPatterns = []
    fixed.includedPatterns = []
    fixed.depth = nil
    fixed.includesHiddenItems = false
    fixed.warnsWithoutListeners = false
    return fixed
  }
}
