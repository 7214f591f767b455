import Dispatch
import LinuxFileSystem
import SystemPackage

/// Writes the announced tree and its changes to a store, on a thread of its own.
///
/// The engine only hands over its change sets, and never waits. Each transaction has the tree after one set, and all
/// sets up to it: changes are collected for a moment first. If the store does not take them, sets are kept up to a limit,
/// and beyond that they are left out of the store. The tree lacks nothing even then: what has changed in it is marked,
/// however long the store takes.
final class StoreWriter: Sendable {
  /// How much is collected, tried and kept.
  struct Limits: Sendable {
    /// How long changes are collected after a rest, in nanoseconds: little may be lost if the process is killed.
    var delay: Int64 = 100_000_000
    /// The shortest time between two writes, in nanoseconds.
    var interval: Int64 = 1_000_000_000
    /// The same for copies: their tags wait for the store.
    var copyDelay: Int64 = 10_000_000
    var copyInterval: Int64 = 100_000_000
    /// How long digests of contents are collected, in nanoseconds.
    var contentDelay: Int64 = 30_000_000_000
    /// The number of bytes of changes that are written at once.
    var batchBytes = 1 << 20
    /// The number of bytes of changes that wait for the store.
    var waitingBytes = 16 << 20
    /// How long to wait after a failure, in nanoseconds: at first, and at most.
    var retryDelays: ClosedRange<Int64> = 1_000_000_000...60_000_000_000
    /// For how long sets are kept, in nanoseconds.
    var age: Int64 = 90 * 86_400 * 1_000_000_000
    /// The number of bytes of sets that are kept.
    var keptBytes = 64 << 20
    /// How long the last write may take when observation ends, in nanoseconds.
    var farewell = longestFarewell

    init() {}
  }

  /// What the writer asks of its surroundings.
  struct Surroundings: Sendable {
    /// The announced tree; `nil` while there is none.
    var picture: @Sendable () -> GraphPicture?
    /// A number for a file system, by its device number, that outlasts a restart of the machine; 0 if there is none.
    var identity: @Sendable (UInt64) -> UInt64
    /// Called with each failure to write, and with `nil` when writing works again.
    var failed: @Sendable ((any Error)?) -> Void
    /// Called with the number of the last set that the store has, whenever it has more, and with `nil` after a failure.
    var stored: @Sendable (UInt64?) -> Void

    init(
      picture: @escaping @Sendable () -> GraphPicture?, identity: @escaping @Sendable (UInt64) -> UInt64,
      failed: @escaping @Sendable ((any Error)?) -> Void, stored: @escaping @Sendable (UInt64?) -> Void = { _ in }
    ) {
      self.picture = picture
      self.identity = identity
      self.failed = failed
      self.stored = stored
    }
  }

  private struct State: Sendable {
    var waiting: WaitingSets
    /// The number of the last set in the store.
    var durable: UInt64
    /// The number of the last set that the store has or that waits for it.
    var lastNumber: UInt64 { max(durable, waiting.last) }
    var isEnding = false
    /// Since when there are digests to be written.
    var contentsSince: MonotonicTime?
    var hasEnded = false
    /// What the thread calls at its end, if it was left behind.
    var farewell: Farewell?
    /// Whether somebody waits for the store.
    var isUrgent: Bool { !waiters.isEmpty }
    var waiters: [(number: UInt64, semaphore: DispatchSemaphore)] = []
    var directory: FilePath
  }

  private struct Farewell: Sendable {
    let call: @Sendable () -> Void
  }

  private let state: Mutex<State>
  private let signal: WakeSignal
  private let thread: Mutex<NativeThread?>
  private let limits: Limits

  /// Begins to write.
  ///
  /// - Parameters:
  ///   - tree: What the store has; its last run is the one whose changes are written. Its layout is empty if nothing is
  ///     stored.
  /// - Throws: EAGAIN or EMFILE if there is no thread or descriptor to be had.
  init(
    to storage: any TreeStorage, after head: StoredHead, _ layout: StoredLayout, limits: Limits = Limits(),
    _ surroundings: Surroundings
  ) throws(Errno) {
    self.limits = limits
    signal = try WakeSignal()
    state = Mutex(
      State(waiting: WaitingSets(after: head.number), durable: head.number, directory: FilePath(bytes: head.directory)))
    thread = Mutex(nil)
    let job = StoreJob(storage, head, layout, limits, surroundings)
    let thread = try NativeThread(name: "fso-store") { [self] in run(job) }
    self.thread.withLock { $0 = thread }
  }

  // MARK: - On the threads of the observer

  /// Takes note of the engine's output; never blocks.
  func note(_ output: EngineOutput) {
    let date = WallClock.nanoseconds
    let isNews = state.withLock { state in
      switch output {
      case .discovered(_, let sequence): state.waiting.add(.wholeTree, sequence, date)
      case .changes(let log, _, let sequence): state.waiting.add(.changes(log.whole), sequence, date)
      case .rootMoved(_, let path): state.directory = path
      default: return false
      }
      state.waiting.limit(to: limits.waitingBytes)
      return true
    }
    if isNews { signal.send() }
  }

  /// There are new digests of contents; they are written with the next changes, or by themselves.
  func noteContents() {
    let isNews = state.withLock { state in
      defer { state.contentsSince = state.contentsSince ?? .now }
      return state.contentsSince == nil
    }
    if isNews { signal.send() }
  }

  /// The number of the last set that the store has, so that it outlasts a loss of power.
  var durableNumber: UInt64 { state.withLock { $0.durable } }

  /// The sets that the store has not taken, and the number of the last set that was noted.
  var waitingSets: WaitingSets.Rest {
    state.withLock { ($0.waiting.all, $0.lastNumber) }
  }

  /// Writes without delay, and waits until the store has a set; whether it has it in time.
  func flush(through number: UInt64, until deadline: DispatchTime = .distantFuture) -> Bool {
    let semaphore = DispatchSemaphore(value: 0)
    let isThere = state.withLock { state in
      if state.durable >= number || state.isEnding { return true }
      state.waiters.append((number, semaphore))
      return false
    }
    signal.send()
    if !isThere { _ = semaphore.wait(timeout: deadline) }
    return durableNumber >= number
  }

  /// Writes what is left, and ends the thread.
  ///
  /// - Parameter close: Closes the store. If the store does not take what is left in time, the thread is left behind,
  ///   and calls this when it has ended.
  func stop(thenClosing close: @escaping @Sendable () -> Void = {}) {
    state.withLock { $0.isEnding = true }
    signal.send()
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if thread?.join(until: .now + limits.farewell) == false {
      let mustClose = state.withLock { state in
        if state.hasEnded { return true }
        state.farewell = Farewell(call: close)
        return false
      }
      if mustClose { close() }
    } else {
      close()
    }
    for waiter in state.withLock({ $0.waiters }) { waiter.semaphore.signal() }
  }
}

// MARK: - On the writer's thread

extension StoreWriter {
  private func run(_ job: consuming StoreJob) {
    defer { end() }
    var job = job
    var retryDelay: Int64?
    var latest: MonotonicTime?
    while true {
      collect(after: latest, orFor: retryDelay)
      latest = .now
      let isEnding = state.withLock { $0.isEnding }
      if write(&job) {
        retryDelay = nil
      } else {
        retryDelay = min(limits.retryDelays.upperBound, retryDelay.map { $0 * 2 } ?? limits.retryDelays.lowerBound)
      }
      if isEnding { return }
    }
  }

  private func end() {
    let farewell = state.withLock { state in
      state.hasEnded = true
      return state.farewell
    }
    farewell?.call()
  }

  /// Waits for changes, and then for more of them, some time after the latest write; or, after a failure, for some time.
  private func collect(after latest: MonotonicTime?, orFor retryDelay: Int64?) {
    let start = MonotonicTime.now
    var first: MonotonicTime? = retryDelay.map { _ in start }
    while true {
      let (bytes, isHurried) = state.withLock { ($0.waiting.bytes, $0.isEnding || $0.isUrgent) }
      let hasNews = state.withLock { !$0.waiting.isEmpty }
      let isFull = retryDelay == nil && bytes >= limits.batchBytes
      if isHurried && (hasNews || state.withLock { $0.isEnding }) || isFull { return }
      if first == nil, hasNews { first = .now }
      guard let begun = first else {
        let due = state.withLock { $0.contentsSince }.map { $0 + limits.contentDelay - .now }
        if let due, due <= 0 { return }
        signal.wait(nanoseconds: due)
        continue
      }
      let end = retryDelay.map { begun + $0 } ?? timeToWrite(since: begun, after: latest)
      let left = end - .now
      if left <= 0 { return }
      signal.wait(nanoseconds: left)
    }
  }

  private func timeToWrite(since begun: MonotonicTime, after latest: MonotonicTime?) -> MonotonicTime {
    let hasCopies = state.withLock { $0.waiting.hasCopies }
    let (delay, interval) = hasCopies ? (limits.copyDelay, limits.copyInterval) : (limits.delay, limits.interval)
    return max(begun + delay, latest.map { $0 + interval } ?? begun)
  }

  /// Writes the tree and all sets up to its own; whether the store has taken them.
  private func write(_ job: inout StoreJob) -> Bool {
    state.withLock { $0.contentsSince = nil }
    guard let number = job.takePicture() else { return true }
    awaitSets(through: number)
    let (sets, directory) = state.withLock { ($0.waiting.sets(through: number), $0.directory) }
    let isWritten = job.write(sets, directory: directory)
    guard isWritten else { return false }
    let woken = state.withLock { state in
      state.waiting.remove(through: number)
      state.durable = number
      let woken = state.waiters.filter { $0.number <= number }
      state.waiters.removeAll { $0.number <= number }
      return woken
    }
    for waiter in woken { waiter.semaphore.signal() }
    return true
  }

  /// Waits for the sets that the picture includes: the engine hands over a set a moment after it has counted it.
  private func awaitSets(through number: UInt64) {
    let deadline = MonotonicTime.now + limits.farewell / 3
    // In a run in which nothing has happened, the store has that set already.
    while state.withLock({ $0.lastNumber < number }) {
      let left = deadline - .now
      // An observer that was left behind hands over nothing more.
      guard left > 0 else { return state.withLock { $0.waiting.add(.gap, number, WallClock.nanoseconds) } }
      signal.wait(nanoseconds: left)
    }
  }
}
