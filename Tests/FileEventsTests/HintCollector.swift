import LinuxFileSystem
import Testing

@testable import FileEvents

/// Collects hints, and lets a test wait until one is there.
final class HintCollector: Sendable {
  /// The numbers of a batch.
  struct Batch: Sendable {
    var first: UInt64
    var next: UInt64
    var count: Int
    var overflowed: Bool
  }

  private struct State: Sendable {
    var hints: [Hint] = []
    var batches: [Batch] = []
  }

  private let state = Mutex(State())
  private let arrived: WakeSignal

  init() throws {
    arrived = try WakeSignal()
  }

  func deliver(_ batch: HintBatch) {
    state.withLock { state in
      state.hints += batch.hints
      state.batches.append(
        Batch(first: batch.first, next: batch.next, count: batch.hints.count, overflowed: batch.overflowed))
    }
    arrived.send()
  }

  /// All hints up to the first about the name.
  func take(until name: String) throws -> [Hint] {
    try take("a hint about \(name)") { $0.name == FileName(name) }
  }

  /// Waits for a hint, and takes it and all before it.
  func await(_ isWanted: (Hint) -> Bool) throws {
    _ = try take("the hint", until: isWanted)
  }

  private func take(_ wanted: String, until isWanted: (Hint) -> Bool) throws -> [Hint] {
    let deadline = MonotonicTime.now + 20_000_000_000
    while true {
      let hints = state.withLock { $0.hints }
      if let end = hints.firstIndex(where: isWanted) {
        state.withLock { $0.hints.removeFirst(end + 1) }
        return Array(hints[...end])
      }
      let left = deadline - MonotonicTime.now
      try #require(left > 0, "\(wanted) did not come")
      arrived.wait(nanoseconds: left)
    }
  }

  func takeAll() -> [Hint] {
    state.withLock { state in
      defer { state.hints = [] }
      return state.hints
    }
  }

  /// Waits for the next batch, or for some time.
  func wait(nanoseconds: Int64) { arrived.wait(nanoseconds: nanoseconds) }

  func contains(_ isWanted: (Hint) -> Bool) -> Bool { state.withLock { $0.hints }.contains(where: isWanted) }

  /// How many hints tell of an entry; of the directory itself a mount anywhere may tell.
  var entryCount: Int { state.withLock { state in state.hints.count { $0.name != nil } } }
  var batches: [Batch] { state.withLock { $0.batches } }
  var hasOverflowed: Bool { batches.contains { $0.overflowed } }
}
