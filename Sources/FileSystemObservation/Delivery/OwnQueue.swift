import DequeModule
import Dispatch
import LinuxFileSystem

/// Runs blocks without an app queue: one job after another, on any available thread.
///
/// The thread that took a step of the engine also runs the jobs of that step, so that no other thread need wake.
final class OwnQueue: Sendable {
  typealias Job = @Sendable () -> Void

  private struct State: Sendable {
    var jobs = Deque<Job>()
    /// Whether a thread runs the jobs, or is about to.
    var isRun = false
    /// Whether that thread is the collecting one.
    var isLeft = false
  }

  /// Set on a thread that runs the jobs it caused.
  private static let collects = ThreadFlag()

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "FileSystemObservation.notifications")

  /// Adds a job after the queued ones.
  func async(_ job: @escaping Job) {
    let mustBegin = state.withLock { state -> Bool in
      state.jobs.append(job)
      if state.isRun { return false }
      state.isRun = true
      state.isLeft = Self.collects.isSet
      return !state.isLeft
    }
    if mustBegin { queue.async { self.run() } }
  }

  /// Runs a function and returns whether it added jobs that the caller must `run()`.
  func collecting(_ body: () -> Void) -> Bool {
    Self.collects.whileSet(body)
    return takeLeft()
  }

  /// Whether the function in `collecting` has added jobs so far.
  var hasCollected: Bool { state.withLock { $0.isLeft } }

  /// Starts jobs that were left to a collecting thread which still has other work.
  func hurry() {
    if Self.collects.isSet, takeLeft() { queue.async { self.run() } }
  }

  private func takeLeft() -> Bool {
    state.withLock { state in
      defer { state.isLeft = false }
      return state.isLeft
    }
  }

  /// Runs all jobs, including those added meanwhile.
  func run() {
    while let job = next() { job() }
  }

  private func next() -> Job? {
    state.withLock { state in
      let job = state.jobs.popFirst()
      if job == nil { state.isRun = false }
      return job
    }
  }
}
