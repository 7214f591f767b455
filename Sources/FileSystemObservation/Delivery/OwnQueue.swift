import Dispatch
import LinuxFileSystem

/// Where blocks run for which the app names no queue: one job after another, on whatever thread is at hand.
///
/// What a step of the engine leads to is told by the thread that took the step, for no other has to be woken for that.
final class OwnQueue: Sendable {
  typealias Job = @Sendable () -> Void

  private struct State: Sendable {
    var jobs: [Job] = []
    /// Whether somebody runs the jobs, or is about to.
    var isRun = false
    /// Whether that is the one who collects them.
    var isLeft = false
  }

  /// Set on a thread that runs the jobs it leads to.
  private static let collects = ThreadFlag()

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "FileSystemObservation.notifications")

  /// Has a job run after those that are there.
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

  /// Does something, and says whether it led to jobs that the caller must `run()`.
  func collecting(_ body: () -> Void) -> Bool {
    Self.collects.whileSet(body)
    return takeLeft()
  }

  /// Whether what is done within `collecting` has led to jobs so far.
  var hasCollected: Bool { state.withLock { $0.isLeft } }

  /// Has jobs run now that were left to one who still has something else to do.
  func hurry() {
    if Self.collects.isSet, takeLeft() { queue.async { self.run() } }
  }

  private func takeLeft() -> Bool {
    state.withLock { state in
      defer { state.isLeft = false }
      return state.isLeft
    }
  }

  /// Runs all jobs, those included that are added meanwhile.
  func run() {
    while let job = next() { job() }
  }

  private func next() -> Job? {
    state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.isRun = false
        return nil
      }
      return state.jobs.removeFirst()
    }
  }
}
