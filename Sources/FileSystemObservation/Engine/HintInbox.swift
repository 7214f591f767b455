import FileEvents
import LinuxFileSystem
import Synchronization
import SystemPackage

/// Where the source's thread leaves hints for the engine's.
///
/// Bounded: when it is full, hints are dropped, and a rescan makes up for them.
final class HintInbox: Sendable {
  private static let limit = 262_144

  private struct State: Sendable {
    var batches: [HintBatch] = []
    var count = 0
    var overflowed = false
    var isStopped = false
  }

  private let state = Mutex(State())
  let signal: WakeSignal

  init() throws(Errno) {
    signal = try WakeSignal()
  }

  func put(_ batch: HintBatch) {
    state.withLock { state in
      state.overflowed = state.overflowed || batch.overflowed
      if state.count + batch.hints.count > Self.limit {
        state.overflowed = true
        return
      }
      state.count += batch.hints.count
      state.batches.append(batch)
    }
    signal.send()
  }

  /// Takes everything out.
  func take() -> (batches: [HintBatch], overflowed: Bool) {
    state.withLock { state in
      defer {
        state.batches = []
        state.count = 0
        state.overflowed = false
      }
      return (state.batches, state.overflowed)
    }
  }

  var isEmpty: Bool { state.withLock { $0.batches.isEmpty } }

  func stop() {
    state.withLock { $0.isStopped = true }
    signal.send()
  }

  var isStopped: Bool { state.withLock { $0.isStopped } }
}
