internal import FileIdentity
internal import LinuxFileSystem
internal import SystemPackage

extension FileSystemObserver {
  /// The last steps of the observer as text: what came in, what it looked at, and what it decided and why.
  ///
  /// For a report of a wrong change. Set ``Configuration/keepsFlightRecording`` before the start; then the observer
  /// keeps the last 16,384 records in a buffer of fixed size. The text has a line for each, in all at most about four
  /// megabytes; Documentation/FlightRecorder.md explains them.
  ///
  /// The text reveals the path of the directory, names and paths of items below it, their sizes, times and UUIDs, and
  /// no contents. With `hidingNames`, each name is replaced by a hash; its extension stays, and so do the marks of
  /// hidden, temporary and backup files at its beginning and end. The same name always has the same hash, so that
  /// whoever guesses a name can recognise it. The patterns of the configuration are left out then.
  ///
  /// May be called on any thread, also in a notification block, while the observer runs and until its next start after
  /// that. It does not stop the observer; it takes some milliseconds, and may wait for an instant for the observer's
  /// state.
  ///
  /// - Parameter hidingNames: Whether hashes replace names.
  /// - Returns: The text; empty before the first start, and if ``Configuration/keepsFlightRecording`` was false then.
  public func flightRecording(hidingNames: Bool = false) -> String {
    guard let run = latestRun, let recorder = run.recorder else { return "" }
    return recorder.text(run.observed, hidingNames: hidingNames)
  }
}

extension FileSystemObserver.Configuration {
  /// The recorder for a run; `nil` if there is to be none.
  func makeRecorder() -> FlightRecorder? {
    guard keepsFlightRecording else { return nil }
    let recorder = FlightRecorder()
    let patterns =
      excludedPatterns.map { "pattern kind=excluded text=" + RecordedName.text($0.utf8) }
      + includedPatterns.map { "pattern kind=included text=" + RecordedName.text($0.utf8) }
      + selectedFolders.paths.map { "pattern kind=selected text=" + RecordedName.text($0) }
      + (namePatterns == FileSystemObserver.NamePatterns() ? [] : ["namePatterns custom=yes"])
    recorder.subject.withLock { $0.patterns = patterns }
    return recorder
  }
}
