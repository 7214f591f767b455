import LinuxFileSystem

/// Where the hints of several sources come together: they are numbered anew, in the order in which they come.
final class HintOutlet: Sendable {
  private struct State: Sendable {
    var handler: @Sendable (HintBatch) -> Void = { _ in }
    var count: UInt64 = 0
  }

  private let state = Mutex(State())

  func deliver(to handler: @escaping @Sendable (HintBatch) -> Void) {
    state.withLock { $0.handler = handler }
  }

  var delivered: UInt64 { state.withLock { $0.count } }

  func put(_ told: HintBatch) {
    var batch = told
    state.withLock { state in
      batch.first = state.count
      state.count += UInt64(batch.hints.count)
      batch.next = state.count
      state.handler(batch)
    }
  }
}
