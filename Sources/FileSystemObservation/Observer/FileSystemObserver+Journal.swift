public import FoundationEssentials
internal import LinuxFileSystem

// What has happened, from the store.

extension FileSystemObserver {
  /// The changes after a cursor, up to now.
  ///
  /// With a store, those of earlier runs too, and for as long as the store keeps them: 90 days, and at most 64 MiB.
  /// Without one, only the cursor of the last set is known. A listener gets the same, and what happens next, with
  /// ``Start/after(_:)``.
  ///
  /// Reads the store on the calling thread. May be called on any thread.
  ///
  /// - Throws: `notRunning` before the start and after the end; `storeUnavailable` if the store cannot be read.
  public func changes(since cursor: Cursor) throws(FileSystemObserverError) -> Catchup {
    guard let run = state.withLock({ $0.run }) else { throw notRunning }
    if cursor == Cursor(epoch: run.epoch, number: run.driver.state.sequence) { return .changes([]) }
    let current = snapshot()
    guard let store = run.store else { return .reset(current, .resumed) }
    switch try readingStore({ try store.sets(after: cursor, upTo: current, of: run.directory) }) {
    case .sets(let missed): return .changes(missed.sets)
    case .unknown(let reason): return .reset(current, reason)
    case .later: return .reset(current, .resumed)
    }
  }

  /// The changes of an item that the store has, oldest first, and those that made copies of it.
  ///
  /// Where a document was, when it was saved, of what it is a copy. An item that a first scan found has no change for
  /// that. The move of a folder is a change of the folder, not of what is in it: the folder has a history of its own.
  ///
  /// Reads all changes in the store, on the calling thread. May be called on any thread.
  ///
  /// - Throws: `notRunning` before the start and after the end; `storeUnavailable` if the observer has no store, or it
  ///   cannot be read.
  public func history(of uuid: UUID) throws(FileSystemObserverError) -> [HistoryEntry] {
    guard let run = state.withLock({ $0.run }) else { throw notRunning }
    guard let journal = run.store?.journal(of: run.directory) else {
      throw FileSystemObserverError(
        code: .storeUnavailable,
        sentence: "the observer of \(directory) has no store, which would keep the history; make it with one",
        path: directory)
    }
    return try readingStore { try journal.history(of: uuid).map(HistoryEntry.init) }
  }

  var notRunning: FileSystemObserverError {
    FileSystemObserverError(
      code: .notRunning, sentence: "the observer of \(directory) does not run; start it first", path: directory)
  }

  private func readingStore<Result>(_ body: () throws -> Result) throws(FileSystemObserverError) -> Result {
    do {
      return try body()
    } catch {
      throw FileSystemObserverError(
        code: .storeUnavailable, sentence: "the store cannot be read: \(String(describing: error))", path: directory)
    }
  }
}
