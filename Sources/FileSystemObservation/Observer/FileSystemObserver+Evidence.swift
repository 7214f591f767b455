internal import LinuxFileSystem

extension FileSystemObserver {
  /// Reads what ``Configuration/contentEvidence`` asks for at once, instead of when nothing has happened for a while, and
  /// waits until that is done.
  ///
  /// An app that runs for a moment only calls this before it stops: without digests, the next start has no evidence of
  /// contents. Reading a folder for the first time takes as long as copying it; where nothing has changed, nothing is
  /// read. Files that change meanwhile are read when they rest.
  ///
  /// Returns at once if contents are no evidence or the observer does not run, and when it is stopped. Blocks no thread.
  /// May be called on any.
  public func readContents() async {
    guard let driver = state.withLock({ $0.run?.driver }) else { return }
    await withCheckedContinuation { continuation in
      driver.perform { engine in
        guard let engine else { return continuation.resume() }
        engine.readAllContents(.now) { continuation.resume() }
      }
    }
  }
}
