internal import Dispatch
internal import FileSystemObservation
internal import SystemPackage

/// Makes batches of the events of an observer, and calls the blocks of a watcher.
final class WatchedBatches: Sendable {
  struct Blocks: Sendable {
    var changesStarted: DirectoryWatcher.BatchBlock
    var filesAdded: DirectoryWatcher.FilesBlock
    var filesRemoved: DirectoryWatcher.FilesBlock
    var changesEnded: DirectoryWatcher.BatchBlock
  }

  private struct State: Sendable {
    var contents = DirectoryContents()
    /// Whether the contents are those of an earlier start: then a difference is news.
    var hasContents = false
    /// Whether the watcher runs.
    var isOn = false
    /// Whether the first scan of this start goes on.
    var isScanning = false
    /// The last set of changes that the contents include.
    var sequence: UInt64 = 0
    /// Whether a batch has begun.
    var isOpen = false
    /// Counts what happens, to find out whether something has.
    var eventCount = 0
    /// Whether a task waits for the end of the batch.
    var isEnding = false
  }

  private weak let observer: FileSystemObserver?
  private let blocks: Blocks
  private let queue: DispatchQueue
  private let state = Guarded(State())

  init(_ observer: FileSystemObserver, _ blocks: Blocks, on queue: DispatchQueue) {
    self.observer = observer
    self.blocks = blocks
    self.queue = queue
  }

  /// The watcher starts.
  func begin() {
    state.withLock { state in
      state.isOn = true
      state.isScanning = true
    }
  }

  /// The watcher stops: a batch that has begun ends.
  func end() {
    state.withLock { state in
      state.isOn = false
      close(&state)
    }
  }

  // MARK: Events

  /// Takes an event; called for one event at a time.
  func take(_ event: FileSystemObserver.Event) {
    // The blocks are queued with the lock held, so that they keep their order.
    state.withLock { state in
      guard state.isOn else { return }
      switch event {
      case .willBeginFullScan(.start): state.isScanning = true
      case .didCompleteFullScan where state.isScanning:
        if let snapshot = observer?.snapshot() { takeAll(snapshot, &state) }
      case .reset(let snapshot, _): takeAll(snapshot, &state)
      case .didChange(let changes) where !state.isScanning: takeChanges(changes, &state)
      case .didEnd: close(&state)
      default: break
      }
    }
  }

  private func takeAll(_ snapshot: FileSystemSnapshot, _ state: inout State) {
    let items = snapshot.lazy.filter { $0.relativePath.components.count == 1 }
    let difference = state.contents.replace(with: items)
    (state.sequence, state.isScanning) = (snapshot.sequence, false)
    let isNews = state.hasContents
    state.hasContents = true
    if isNews, !difference.isEmpty || !state.contents.isComplete { tell(difference, below: snapshot.directory, &state) }
  }

  private func takeChanges(_ changes: FileSystemChanges, _ state: inout State) {
    // Details have the number of the set before.
    if changes.sequence <= state.sequence, !changes.allSatisfy(\.isDetail) { return }
    state.sequence = max(state.sequence, changes.sequence)
    let difference = state.contents.apply(changes, below: changes.directory)
    let isBeginning = !state.contents.isComplete || changes.contains(where: \.isActivityInDirectory)
    if state.isOpen || isBeginning || !difference.isEmpty { tell(difference, below: changes.directory, &state) }
  }

  // MARK: Batches

  private func tell(_ difference: DirectoryContents.Difference, below directory: FilePath, _ state: inout State) {
    state.eventCount += 1
    if !state.isOpen {
      state.isOpen = true
      queue.async(execute: blocks.changesStarted)
    }
    let (added, removed) = (difference.added.map(directory.pushing), difference.removed.map(directory.pushing))
    if !removed.isEmpty { queue.async { [blocks] in blocks.filesRemoved(removed) } }
    if !added.isEmpty { queue.async { [blocks] in blocks.filesAdded(added) } }
    if state.isEnding || !state.contents.isComplete { return }
    state.isEnding = true
    Task { await closeWhenQuiet() }
  }

  /// Ends the batch when everything that has happened is decided, and nothing happened meanwhile.
  private func closeWhenQuiet() async {
    var count = -1
    while let latest = closeIfQuiet(since: count) {
      count = latest
      await observer?.synchronize()
    }
  }

  /// Ends the batch if nothing has happened since some event.
  ///
  /// - Returns: The number of events so far, if the batch may end when nothing happens meanwhile.
  private func closeIfQuiet(since count: Int) -> Int? {
    state.withLock { state in
      let isQuiet = state.eventCount == count || observer == nil
      if state.isOpen, state.contents.isComplete, !isQuiet { return state.eventCount }
      if state.contents.isComplete { close(&state) }
      state.isEnding = false
      return nil
    }
  }

  private func close(_ state: inout State) {
    guard state.isOpen else { return }
    state.isOpen = false
    queue.async(execute: blocks.changesEnded)
  }
}

extension FileSystemChange {
  /// Whether the change may be in a set of details.
  fileprivate var isDetail: Bool { kind == .activity || kind == .attributesChanged || kind == .copyFinished }

  fileprivate var isActivityInDirectory: Bool {
    kind == .activity && item.relativePath.components.count == 1
  }
}
