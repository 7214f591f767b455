internal import LinuxFileSystem
internal import SystemPackage

extension FileSystemObserver {
  /// Changes the configuration.
  ///
  /// While the observer does not run, the new configuration is for the next start, and everything in it may be another.
  /// It is refused by ``start()`` where it cannot be used.
  ///
  /// While it runs, other items may be observed: the patterns, the depth, and whether hidden items are. What is not
  /// observed any more is announced as `deleted` (``DeletionReason/movedOut``), and what is observed from now on as
  /// `discovered`; nothing else is announced. That happens on threads of the observer's own, soon after the call: only
  /// directories that may hold other items than before are listed.
  ///
  /// It does not wait. It may be called from any thread, and from a notification block.
  ///
  /// - Parameter configuration: The new configuration.
  /// - Throws: While the observer runs: `invalidArgument` for a configuration that cannot be used, and `alreadyRunning`
  ///   where something else is different, which can be changed only while it does not run. Nothing is changed then.
  public func reconfigure(_ configuration: Configuration) throws(FileSystemObserverError) {
    var configuration = configuration
    if configuration.unusableURL == nil { configuration.directory = configuration.directory.lexicallyNormalized() }
    guard let run = setWhileStopped(configuration) else { return }
    guard run.configuration.whatIsFixed == configuration.whatIsFixed else {
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

  /// Sets the configuration, unless the observer runs: then gives the run.
  private func setWhileStopped(_ configuration: Configuration) -> Run? {
    state.withLock { state in
      if state.run == nil { state.configuration = configuration }
      return state.run
    }
  }
}

extension FileSystemObserver.Configuration {
  /// The configuration without what may be changed while an observer runs.
  fileprivate var whatIsFixed: Self {
    var fixed = self
    fixed.excludedPatterns = []
    fixed.includedPatterns = []
    fixed.depth = nil
    fixed.includesHiddenItems = false
    fixed.warnsWithoutListeners = false
    return fixed
  }
}
