import LinuxFileSystem
import Testing

@testable import FileEvents

/// Collects hints, and lets a test wait until one is there.
final class HintCollector: Sendable {
  private struct State: Sendable {
    var hints: [Hint] = []
    var overflowed = false
  }

  private let state = Mutex(State())
  private let arrived: WakeSignal

  init() throws {
    arrived = try WakeSignal()
  }

  func deliver(_ batch: HintBatch) {
    state.withLock { state in
      state.hints += batch.hints
      state.overflowed = state.overflowed || batch.overflowed
    }
    arrived.send()
  }

  /// All hints up to the first about the name.
  func take(until name: String) throws -> [Hint] {
    let deadline = MonotonicTime.now + 20_000_000_000
    while true {
      let found: [Hint]? = state.withLock { state in
        guard let end = state.hints.firstIndex(where: { $0.name == FileName(name) }) else { return nil }
        defer { state.hints.removeFirst(end + 1) }
        return Array(state.hints[...end])
      }
      if let found { return found }
      let left = deadline - MonotonicTime.now
      try #require(left > 0, "no hint about \(name)")
      arrived.wait(nanoseconds: left)
    }
  }

  var isEmpty: Bool { state.withLock { $0.hints.isEmpty } }
  var count: Int { state.withLock { $0.hints.count } }
  /// How many hints tell of an entry; of the directory itself a mount anywhere may tell.
  var entryCount: Int { state.withLock { state in state.hints.count { $0.name != nil } } }
  var hasOverflowed: Bool { state.withLock { $0.overflowed } }
}
