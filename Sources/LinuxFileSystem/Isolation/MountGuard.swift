import Dispatch
import Synchronization
package import SystemPackage

/// Makes the calls on a mount that may not answer (FUSE, NFS), with a time limit.
///
/// Workers make the calls; a worker stuck in the kernel is abandoned (see `Isolation`). While a call is overdue,
/// further calls fail at once with ETIMEDOUT.
package final class MountGuard: Sendable {
  /// The time limit of a call in nanoseconds.
  ///
  /// Everything else waits for it.
  package static let timeout: Int64 = 400_000_000
  /// The time limit at the start, when nothing else waits yet.
  package static let startTimeout: Int64 = 1_500_000_000
  /// The limit of simultaneous calls.
  private static let mostWorkers = 4

  private final class Job: Sendable {
    let body: @Sendable (Progress) -> Void
    let progress = Progress()
    let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable (Progress) -> Void) {
      self.body = body
    }
  }

  /// Counts the steps of a long operation, each of which has the time limit.
  package final class Progress: Sendable {
    private let steps = Atomic(0)

    package func note() { steps.add(1, ordering: .relaxed) }

    fileprivate var count: Int { steps.load(ordering: .relaxed) }
  }

  private struct State: Sendable {
    var queue: [Job] = []
    var running: [ObjectIdentifier: Job] = [:]
    var overdue: Set<ObjectIdentifier> = []
    var (workers, idle) = (0, 0)
    var isEnded = false
    /// Whether the mount has not answered, and no later call has succeeded in time.
    var isSilent = false
    /// Whether `takeSilence()` must report that.
    var isSilenceNew = false
    /// Whether `takeAnswer()` must report that an overdue call has returned.
    var isAnswerNew = false
  }

  private let timeout: Int64
  private let news: @Sendable () -> Void
  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - timeout: The time limit of a call in nanoseconds.
  ///   - news: Called when the mount stops answering, and when it answers again.
  package init(timeout: Int64 = MountGuard.timeout, news: @escaping @Sendable () -> Void = {}) {
    self.timeout = timeout
    self.news = news
  }

  deinit {
    end()
  }

  /// Calls `body`, which may never return, with the time limit.
  ///
  /// `body` may still be called after the time limit, and must not use anything owned by the caller.
  ///
  /// - Throws: ETIMEDOUT if the call or an earlier one is overdue; the error of `body`.
  package func perform<Result>(
    _ body: @escaping @Sendable (Progress) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    let outcome = Outcome<Result>()
    let job = Job { progress in outcome.catching { () throws(Errno) in try body(progress) } }
    guard submit(job) else { throw .timedOut }
    var steps = 0
    while job.done.wait(timeout: .now() + .nanoseconds(Int(timeout))) == .timedOut {
      let count = job.progress.count
      if count == steps, giveUp(job) { throw .timedOut }
      steps = count
    }
    return try outcome.get()
  }

  /// Takes the fact that the mount has stopped answering.
  package func takeSilence() -> Bool {
    state.withLock { state in
      defer { state.isSilenceNew = false }
      return state.isSilenceNew
    }
  }

  /// Takes the fact that the mount answers again.
  package func takeAnswer() -> Bool {
    state.withLock { state in
      defer { state.isAnswerNew = false }
      return state.isAnswerNew
    }
  }

  /// Ends all waits, and starts no further call.
  package func end() {
    let (jobs, workers) = state.withLock { state in
      state.isEnded = true
      let jobs = state.queue + state.running.values.filter { !state.overdue.contains(ObjectIdentifier($0)) }
      state.queue = []
      return (jobs, state.workers)
    }
    for job in jobs { job.done.signal() }
    for _ in 0..<workers { work.signal() }
  }
}

// MARK: - Callers

extension MountGuard {
  private func submit(_ job: Job) -> Bool {
    let (isTaken, needsWorker) = state.withLock { state -> (Bool, Bool) in
      guard !state.isEnded, state.overdue.isEmpty else { return (false, false) }
      state.queue.append(job)
      let needsWorker = state.queue.count > state.idle && state.workers < Self.mostWorkers
      if needsWorker { state.workers += 1 }
      return (true, needsWorker)
    }
    guard isTaken else { return false }
    if needsWorker, !startWorker(), !withdraw(job) { return false }
    work.signal()
    return true
  }

  private func startWorker() -> Bool {
    let thread = try? NativeThread(name: "fso-mount") { [self] in
      Isolation.run { self.serve() }
      workerEnded()
    }
    thread?.detach()
    return thread != nil
  }

  /// Corrects the number of workers after a failed start; returns whether another worker can do the job.
  private func withdraw(_ job: Job) -> Bool {
    state.withLock { state in
      state.workers -= 1
      if state.workers == 0 { state.queue.removeAll { $0 === job } }
      return state.workers > 0
    }
  }

  /// Gives up an unfinished job; returns whether it was unfinished.
  private func giveUp(_ job: Job) -> Bool {
    let (isGivenUp, isNews) = state.withLock { state -> (Bool, Bool) in
      if let queued = state.queue.firstIndex(where: { $0 === job }) {
        // All workers are busy: the job has not begun.
        state.queue.remove(at: queued)
      } else if state.running[ObjectIdentifier(job)] != nil {
        state.overdue.insert(ObjectIdentifier(job))
      } else {
        return (false, false)
      }
      let isNews = !state.isSilent
      if isNews { state.isSilenceNew = true }
      state.isSilent = true
      return (true, isNews)
    }
    if isNews { news() }
    return isGivenUp
  }
}

// MARK: - Workers

extension MountGuard {
  private func serve() {
    while let job = next() {
      job.body(job.progress)
      finish(job)
    }
  }

  private func next() -> Job? {
    state.withLock { $0.idle += 1 }
    defer { state.withLock { $0.idle -= 1 } }
    while true {
      work.wait()
      let (job, isEnded) = state.withLock { state -> (Job?, Bool) in
        // The job was withdrawn or given up.
        guard !state.isEnded, !state.queue.isEmpty else { return (nil, state.isEnded) }
        let job = state.queue.removeFirst()
        state.running[ObjectIdentifier(job)] = job
        return (job, false)
      }
      if let job { return job }
      if isEnded { return nil }
    }
  }

  private func finish(_ job: Job) {
    let isNews = state.withLock { state in
      state.running[ObjectIdentifier(job)] = nil
      let wasOverdue = state.overdue.remove(ObjectIdentifier(job)) != nil
      guard state.overdue.isEmpty else { return false }
      if wasOverdue { state.isAnswerNew = true } else { state.isSilent = false }
      return wasOverdue
    }
    job.done.signal()
    if isNews { news() }
  }

  /// The worker's process may have been killed, so that its job never returns.
  private func workerEnded() {
    state.withLock { state in
      state.workers -= 1
      guard state.workers == 0 else { return }
      for job in state.running.values { job.done.signal() }
      state.running = [:]
      state.overdue = []
    }
  }
}

/// The result of a call; nothing if it was not made.
private final class Outcome<Value>: Sendable {
  private let result = Mutex<Transfer<Value>?>(nil)

  func catching(_ body: () throws(Errno) -> Value) {
    do throws(Errno) {
      let value = try body()
      result.withLock { $0 = Transfer(value: .success(value)) }
    } catch {
      result.withLock { $0 = Transfer(value: .failure(error)) }
    }
  }

  func get() throws(Errno) -> Value {
    guard let transfer = result.withLock({ $0 }) else { throw .timedOut }
    return try transfer.value.get()
  }
}

/// Passes a value from one thread to another, which owns it afterwards.
private struct Transfer<Value>: @unchecked Sendable {
  let value: Result<Value, Errno>
}
