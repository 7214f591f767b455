import Dispatch
import Synchronization
package import SystemPackage

/// Does for others what has to do with a mount that may not answer, as those of FUSE and NFS, so that nobody waits for
/// it for long.
///
/// Calls are made by workers, which are left behind if they are stuck in the kernel (see `Isolation`). As long as one
/// is overdue, nobody else calls: whoever wants to is told ETIMEDOUT at once.
package final class MountGuard: Sendable {
  /// How long a call may take, in nanoseconds: all else waits for that.
  package static let patience: Int64 = 400_000_000
  /// The same where nothing else is there yet that could wait.
  package static let patienceAtStart: Int64 = 1_500_000_000
  /// Calls that are made at a time, where several ask for something.
  private static let mostWorkers = 4

  private final class Job: Sendable {
    let body: @Sendable (Progress) -> Void
    let progress = Progress()
    let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable (Progress) -> Void) {
      self.body = body
    }
  }

  /// Counts the steps of what consists of many calls: it is overdue when one of them is.
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
    /// Whether the mount has not answered, and no later call has been answered in time.
    var isSilent = false
    /// Whether nobody has been told that.
    var isSilenceNew = false
    /// Whether what was overdue has come back, and nobody has been told.
    var isAnswerNew = false
  }

  private let patience: Int64
  private let news: @Sendable () -> Void
  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - patience: How long a call may take, in nanoseconds.
  ///   - news: Called when the mount begins not to answer, and when it answers again.
  package init(patience: Int64 = MountGuard.patience, news: @escaping @Sendable () -> Void = {}) {
    self.patience = patience
    self.news = news
  }

  deinit {
    end()
  }

  /// Calls `body` where it may take for ever.
  ///
  /// It may be called after all when this has given it up, and must use nothing that is the caller's only.
  ///
  /// - Throws: ETIMEDOUT where it has not come back in time, or others have not; what `body` throws.
  package func perform<Result>(
    _ body: @escaping @Sendable (Progress) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    let outcome = Outcome<Result>()
    let job = Job { progress in outcome.catching { () throws(Errno) in try body(progress) } }
    guard submit(job) else { throw .timedOut }
    var steps = 0
    while job.done.wait(timeout: .now() + .nanoseconds(Int(patience))) == .timedOut {
      let count = job.progress.count
      if count == steps, giveUp(job) { throw .timedOut }
      steps = count
    }
    return try outcome.get()
  }

  /// Whether the mount has begun not to answer since this was asked last.
  package func takeSilence() -> Bool {
    state.withLock { state in
      defer { state.isSilenceNew = false }
      return state.isSilenceNew
    }
  }

  /// Whether the mount has answered at last since this was asked last.
  package func takeAnswer() -> Bool {
    state.withLock { state in
      defer { state.isAnswerNew = false }
      return state.isAnswerNew
    }
  }

  /// Nobody waits any more, and nothing is called any more.
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

// MARK: - Whoever asks

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

  /// There is no worker more; whether another will do it.
  private func withdraw(_ job: Job) -> Bool {
    state.withLock { state in
      state.workers -= 1
      if state.workers == 0 { state.queue.removeAll { $0 === job } }
      return state.workers > 0
    }
  }

  /// Whether a job is not done yet, and will not be waited for.
  private func giveUp(_ job: Job) -> Bool {
    let (isGivenUp, isNews) = state.withLock { state -> (Bool, Bool) in
      if let queued = state.queue.firstIndex(where: { $0 === job }) {
        // Others have kept all workers: it has not been begun.
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
        // Withdrawn, or given up.
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

  /// Somebody may have killed it: what it was at will not come back.
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

/// What a call gave; nothing where it was not made.
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

/// Made by one thread, and used by another when that has let go of it.
private struct Transfer<Value>: @unchecked Sendable {
  let value: Result<Value, Errno>
}
