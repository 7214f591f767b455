import Dispatch
import FileEvents
import LinuxFileSystem
import SystemPackage

// Operations of this process, between two steps of the engine.

extension ObservationDriver {
  /// How long an operation waits for the engine to end its step, in nanoseconds.
  private static var longestWait: Int64 { 1_000_000_000 }

  /// Makes an operation take effect between two steps of the engine, and announces it before this returns.
  ///
  /// If the engine is busy for long, as with a scan, the operation takes effect without it, and is announced later as
  /// if another program had made it.
  ///
  /// - Parameters:
  ///   - operation: The places that the operation changes.
  ///   - announce: Called on the engine's thread; it calls its argument, which announces the changes.
  ///   - commit: Makes the system calls with which the operation takes effect. Called once, on this thread or on the
  ///     engine's.
  func perform(
    _ operation: OwnOperation, announcing announce: @escaping @Sendable (() -> Void) -> Void,
    _ commit: () throws(Errno) -> CommittedItem
  ) throws(Errno) {
    guard state.content.withLock({ $0.isLoaded }) else { return _ = try commit() }
    let outcome = withoutActuallyEscaping(commit) { commit in
      let turn = Turn(commit)
      perform { [inbox] engine in
        turn.take { commit in
          guard let engine else { return nil }
          var outcome: Result<Void, Errno>?
          announce { outcome = Self.outcome(of: operation, engine, inbox, commit) }
          return outcome
        }
      }
      return turn.wait(until: .now + Self.longestWait)
    }
    if let outcome { try outcome.get() } else { _ = try commit() }
  }

  private static func outcome(
    of operation: OwnOperation, _ engine: HostEngine, _ inbox: HintInbox, _ commit: () throws(Errno) -> CommittedItem
  ) -> Result<Void, Errno> {
    let handleAll = {
      engine.source.deliverPending()
      handleHints(engine, inbox)
    }
    do throws(Errno) {
      try engine.perform(operation, clock: { .now }, handleAll: handleAll, commit)
      return .success(())
    } catch {
      return .failure(error)
    }
  }
}

/// The turn of an operation between two steps of the engine: the engine takes it, or the caller gives it up.
///
/// Only one thread at a time calls the function inside: the caller waits while the engine's thread does. When the
/// caller continues, no other thread has a reference to it.
private final class Turn: @unchecked Sendable {
  typealias Commit = () throws(Errno) -> CommittedItem
  typealias Outcome = Result<Void, Errno>

  private struct State {
    /// `nil` once the turn is taken or given up.
    var commit: Commit?
    var outcome: Outcome?
  }

  private let lock = Mutex<Void>(())
  private var state: State
  private let isOver = DispatchSemaphore(value: 0)

  init(_ commit: @escaping Commit) {
    state = State(commit: commit)
  }

  /// Takes the turn, unless given up; `body` returns the outcome, or `nil` if it has not called the function.
  func take(_ body: (Commit) -> Outcome?) {
    do {
      let commit = lock.withLock { _ in state.commit.take() }
      guard let commit else { return }
      let outcome = body(commit)
      lock.withLock { _ in state.outcome = outcome }
    }
    isOver.signal()
  }

  /// Waits for the end of the turn; `nil` if the function has not been called and will not be.
  func wait(until deadline: MonotonicTime) -> Outcome? {
    let nanoseconds = max(0, deadline - .now)
    if isOver.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .timedOut {
      let isGivenUp = lock.withLock { _ in state.commit.take() != nil }
      if isGivenUp { return nil }
      isOver.wait()
    }
    return lock.withLock { _ in state.outcome }
  }
}
