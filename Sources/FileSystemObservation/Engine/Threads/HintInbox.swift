import FileEvents
import LinuxFileSystem
import SystemPackage

/// A bounded queue of hints from the source's thread to the engine's; a rescan makes up for dropped hints.
final class HintInbox: Sendable {
  private static let limit = 262_144

  private struct State: Sendable {
    var batches: [HintBatch] = []
    var count = 0
    /// The number of the first hint of the next batch to take out.
    var first: UInt64 = 0
    var next: UInt64 = 0
    /// The directories of the batches, and how many batches have been searched for them.
    var directories: Set<MarkID> = []
    var counted = 0
    /// Whether hints were dropped; because of the gap, no more are accepted.
    var isFull = false
    var isStopped = false
    /// Whether a thread waits for the signal.
    var isAwaited = false
  }

  private let state = Mutex(State())
  let signal: WakeSignal

  init() throws(Errno) {
    signal = try WakeSignal()
  }

  func put(_ batch: HintBatch) {
    let isAwaited = state.withLock { state in
      state.next = batch.next
      state.isFull = state.isFull || state.count + batch.hints.count > Self.limit
      if !state.isFull {
        state.count += batch.hints.count
        state.batches.append(batch)
      }
      defer { state.isAwaited = false }
      return state.isAwaited
    }
    if isAwaited { signal.send() }
  }

  /// Runs `wait` if there are no hints; the signal is sent only during that call.
  @discardableResult
  func whileEmpty<Result>(_ wait: () -> Result) -> Result? {
    let isEmpty = state.withLock { state in
      state.isAwaited = state.batches.isEmpty && !state.isFull && !state.isStopped
      return state.isAwaited
    }
    guard isEmpty else { return nil }
    defer { state.withLock { $0.isAwaited = false } }
    return wait()
  }

  /// Takes all hints as one batch, because related hints may have come in two reads.
  func take() -> HintBatch {
    state.withLock { state in
      defer {
        state.batches = []
        state.directories = []
        state.counted = 0
        state.count = 0
        state.isFull = false
        state.first = state.next
      }
      var batch = HintBatch(first: state.first)
      for next in state.batches { batch.append(next) }
      if state.isFull { batch.noteLoss() }
      batch.next = state.next
      return batch
    }
  }

  func hasHints(of directory: MarkID) -> Bool {
    state.withLock { state in
      for batch in state.batches[state.counted...] {
        for hint in batch.hints { state.directories.insert(hint.directory) }
      }
      state.counted = state.batches.count
      return state.directories.contains(directory)
    }
  }

  var isEmpty: Bool { state.withLock { $0.batches.isEmpty } }

  func stop() {
    state.withLock { $0.isStopped = true }
    signal.send()
  }

  var isStopped: Bool { state.withLock { $0.isStopped } }
}
