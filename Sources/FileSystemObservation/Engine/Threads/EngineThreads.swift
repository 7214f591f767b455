import Dispatch
import LinuxFileSystem
import SystemPackage

/// Two threads that take turns with the engine.
///
/// The thread that took a step announces its results itself, so that no thread has to be woken. If the app's blocks
/// take long, the other thread continues with the engine.
final class EngineThreads: Sendable {
  /// The work of the thread that has the engine.
  struct Work: Sendable {
    /// Runs the engine until there is something to announce or observation ends; returns whether there is something.
    let serve: @Sendable () -> Bool
    /// Announces the results, without the engine.
    let announce: @Sendable () -> Void
    /// Whether observation has ended.
    let isEnded: @Sendable () -> Bool
    /// Releases the engine; `serve` does nothing after that.
    let end: @Sendable () -> Void
  }

  private enum Engine {
    /// A thread has the engine.
    case taken
    /// The thread that had the engine is announcing, and takes it back unless the other thread has it by then.
    case offered
    case ended
  }

  private struct State: Sendable {
    var engine = Engine.taken
    /// The threads that are announcing.
    var announcers: Set<Int> = []
    var threads: [Int: NativeThread] = [:]
  }

  /// How long the engine waits for the end of a block, in nanoseconds; events are queued meanwhile.
  private static let patience: Int64 = 5_000_000
  /// Set on the thread that has the engine.
  private static let hasEngine = ThreadFlag()

  private let work: Work
  private let state = Mutex(State())
  /// Wakes the thread that waits for the engine.
  private let alarm: Alarm
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ work: Work) throws(Errno) {
    self.work = work
    alarm = try Alarm()
  }

  /// - Throws: EAGAIN if the threads cannot be created; then none is left.
  func start() throws(Errno) {
    do throws(Errno) {
      // Thread 0 has the engine. It begins when thread 1 exists.
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

  /// Whether the calling thread has the engine.
  var isCallerWithEngine: Bool { Self.hasEngine.isSet }

  /// Waits until no thread has the engine, unless the caller has it.
  ///
  /// Observation must have ended. At the deadline, a thread that is stuck in the kernel is left behind; it releases the
  /// engine when it returns.
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
    let announcers = state.withLock { $0.announcers }
    // An announcing thread may wait for the caller, or be the caller.
    for (number, thread) in takeThreads() {
      if announcers.contains(number) { thread.detach() } else { thread.join(until: deadline) }
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
      let mustAnnounce = serve(number)
      if !mustAnnounce || work.isEnded() { endAll() } else { offer() }
      if mustAnnounce { work.announce() }
    } while takeBack(number) || awaitEngine()
  }

  private func serve(_ number: Int) -> Bool {
    var mustAnnounce = false
    Self.hasEngine.whileSet { mustAnnounce = work.serve() }
    if mustAnnounce { state.withLock { _ = $0.announcers.insert(number) } }
    return mustAnnounce
  }

  private func offer() {
    state.withLock { state in
      state.engine = .offered
      alarm.set(after: Self.patience)
    }
  }

  /// Takes the engine back after announcing; `false` if the other thread has it.
  private func takeBack(_ number: Int) -> Bool {
    state.withLock { state in
      state.announcers.remove(number)
      guard state.engine == .offered else { return false }
      state.engine = .taken
      alarm.cancel()
      return true
    }
  }

  /// Waits until the engine has been on offer for a while; `false` when observation has ended.
  private func awaitEngine() -> Bool {
    while !takeOffered() {
      if state.withLock({ $0.engine == .ended }) {
        // The alarm wakes one thread only, and both may wait.
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

  /// Releases the engine, which the caller has, and wakes the waiting threads.
  private func endAll() {
    work.end()
    state.withLock { state in
      state.engine = .ended
      alarm.set(after: 1)
    }
    hasEnded.signal()
  }
}
