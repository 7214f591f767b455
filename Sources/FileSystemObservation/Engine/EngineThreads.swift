import Dispatch
import LinuxFileSystem
import SystemPackage

/// Two threads, one of which has the engine.
///
/// What a step leads to is told at once by the thread that took the step: no other has to be woken for that. Where that
/// takes long, for a block of the app's runs, the other thread goes on with the engine.
final class EngineThreads: Sendable {
  /// What the thread does that has the engine.
  struct Work: Sendable {
    /// Runs the engine until there is something to tell, or observation ends; whether there is.
    let serve: @Sendable () -> Bool
    /// Tells it, without the engine.
    let tell: @Sendable () -> Void
    /// Whether observation has ended.
    let isEnded: @Sendable () -> Bool
    /// Lets go of the engine; after that nothing is served.
    let end: @Sendable () -> Void
  }

  private enum Engine {
    /// A thread has it.
    case taken
    /// Whoever had it is telling, and has it again if nobody takes it.
    case offered
    case ended
  }

  private struct State: Sendable {
    var engine = Engine.taken
    /// Which threads tell something.
    var tellers: Set<Int> = []
    var threads: [Int: NativeThread] = [:]
  }

  /// How long the engine may wait for the end of a block, in nanoseconds; events are read meanwhile.
  private static let patience: Int64 = 5_000_000
  /// Set on the thread that has the engine.
  private static let hasEngine = ThreadFlag()

  private let work: Work
  private let state = Mutex(State())
  /// What the thread waits for that does not have the engine.
  private let alarm: Alarm
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ work: Work) throws(Errno) {
    self.work = work
    alarm = try Alarm()
  }

  /// - Throws: EAGAIN where there can be no more threads; then none is left.
  func start() throws(Errno) {
    do throws(Errno) {
      // The first has the engine, and begins when the other is there.
      for number in [1, 0] {
        let thread = try NativeThread(name: "fso-engine") { [self] in run(number) }
        state.withLock { $0.threads[number] = thread }
      }
    } catch {
      endAll()
      for thread in takeThreads().values { thread.join() }
      throw error
    }
  }

  /// Waits until nobody has the engine any more, unless the caller has it; observation must have been ended.
  ///
  /// A thread that is stuck in the kernel is left behind when the time is over: it lets go of the engine when it comes
  /// back.
  func stop(until deadline: MonotonicTime = .now + longestFarewell) {
    if Self.hasEngine.isSet {
      for thread in takeThreads().values { thread.detach() }
      return
    }
    if takeOffered() {
      endAll()
    } else {
      let time = DispatchTime.now() + .nanoseconds(Int(max(0, deadline - .now)))
      guard hasEnded.wait(timeout: time) == .success else {
        for thread in takeThreads().values { thread.detach() }
        return
      }
      hasEnded.signal()
    }
    let tellers = state.withLock { $0.tellers }
    // Whoever tells may wait for the caller, or be the caller.
    for (number, thread) in takeThreads() {
      if tellers.contains(number) { thread.detach() } else { thread.join(until: deadline) }
    }
  }

  private func takeThreads() -> [Int: NativeThread] {
    state.withLock { state in
      defer { state.threads = [:] }
      return state.threads
    }
  }
}

// MARK: - On the threads

extension EngineThreads {
  private func run(_ number: Int) {
    guard number == 0 || awaitEngine() else { return }
    repeat {
      let mustTell = serve(number)
      if !mustTell || work.isEnded() { endAll() } else { offer() }
      if mustTell { work.tell() }
    } while takeBack(number) || awaitEngine()
  }

  private func serve(_ number: Int) -> Bool {
    var mustTell = false
    Self.hasEngine.whileSet { mustTell = work.serve() }
    if mustTell { state.withLock { _ = $0.tellers.insert(number) } }
    return mustTell
  }

  private func offer() {
    state.withLock { state in
      state.engine = .offered
      alarm.set(after: Self.patience)
    }
  }

  /// Whether a thread that has told something has the engine again.
  private func takeBack(_ number: Int) -> Bool {
    state.withLock { state in
      state.tellers.remove(number)
      guard state.engine == .offered else { return false }
      state.engine = .taken
      alarm.cancel()
      return true
    }
  }

  /// Waits until the engine has been on offer for a while; false when observation has ended.
  private func awaitEngine() -> Bool {
    while !takeOffered() {
      if state.withLock({ $0.engine == .ended }) {
        // The alarm wakes one thread, and both may wait.
        alarm.set(after: 1)
        return false
      }
      alarm.wait()
    }
    return true
  }

  private func takeOffered() -> Bool {
    state.withLock { state in
      guard state.engine == .offered else { return false }
      state.engine = .taken
      return true
    }
  }

  /// Lets go of the engine, which the caller has, and wakes whoever waits for it.
  private func endAll() {
    work.end()
    state.withLock { state in
      state.engine = .ended
      alarm.set(after: 1)
    }
    hasEnded.signal()
  }
}
