internal import LinuxFileSystem
internal import SystemPackage

// A start while the observed directory is away.

extension FileSystemObserver {
  /// Begins to look for the directory, on a queue of its own.
  func beginWaiting(for configuration: Configuration, _ reason: FileSystemObserverError) {
    let wait = RootWait(reason, at: configuration.directory, makeFiles(configuration))
    state.withLock { $0.wait = wait }
    hub.post { _ in .diagnostic(wait.diagnostic) }
    wait.begin { [weak self, weak wait] in
      guard let self, let wait else { return false }
      return goesOnWaiting(wait)
    }
  }

  /// Ends the wait; returns whether there was one.
  func endWaiting() -> Bool {
    let wait = state.withLock { state in
      defer { state.wait = nil }
      return state.wait
    }
    wait?.end()
    return wait != nil
  }

  /// Begins observation if the directory is there; returns whether it is still to be waited for.
  private func goesOnWaiting(_ wait: RootWait) -> Bool {
    if wait.isStillAway { return true }
    return lifecycle.withLock { _ in
      guard let configuration = state.withLock({ $0.wait === wait ? $0.configuration : nil }) else { return false }
      do throws(FileSystemObserverError) {
        try beginRun(configuration)
      } catch {
        if configuration.waitsForDirectory(error) {
          wait.noteMountPoint()
          return true
        }
        _ = endWaiting()
        hub.endObservation(error)
        return false
      }
      return !endWaiting()
    }
  }
}

extension FileSystemObserver.Configuration {
  /// Whether an observer with this configuration waits if a start fails for a reason.
  func waitsForDirectory(_ error: FileSystemObserverError) -> Bool {
    rootLossPolicy == .waitForReturn && (error.code == .rootNotFound || error.errno?.meansAway == true)
  }
}
