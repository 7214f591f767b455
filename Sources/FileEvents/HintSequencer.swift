import LinuxFileSystem

/// Numbers the hints of all sources in one order, and passes them on.
///
/// Sources call it from several threads. The handler runs on one thread at a time, and sees the numbers without a gap.
final class HintSequencer: Sendable {
  private struct State: Sendable {
    var handler: (@Sendable (HintBatch) -> Void)?
    /// How many hints have been delivered.
    var count: UInt64 = 0
  }

  private let state = Mutex(State())

  /// How many hints have been delivered: the number of the next one.
  var delivered: UInt64 { state.withLock { $0.count } }

  /// Sets the receiver.
  ///
  /// Without one, hints are dropped and get no number.
  func deliver(to handler: @escaping @Sendable (HintBatch) -> Void) {
    state.withLock { $0.handler = handler }
  }

  /// Numbers the hints of a batch, and delivers it unless it is empty.
  func send(_ unnumbered: consuming HintBatch) {
    if unnumbered.isEmpty { return }
    state.withLock { state in
      guard let handler = state.handler else { return }
      unnumbered.number(from: state.count)
      state.count = unnumbered.next
      handler(unnumbered)
    }
  }
}
