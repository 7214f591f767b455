import Dispatch
import FileSystemObservation
import Synchronization

/// Runs observers until the command is done, an error or signal occurs, or the output has no reader.
///
/// Make it before any observer: it must block the signals before there are other threads.
final class ObservationRun: Sendable {
  /// Whether the command needs more events.
  enum Verdict: Sendable {
    case goOn, finished
  }

  /// How the run ended.
  enum Outcome: Sendable {
    case finished, interrupted, timedOut
  }

  /// The time limit of a run, and whether it waits for folders.
  struct Terms: Sendable {
    /// Where the events begin.
    var start = FileSystemObserver.Start.now
    /// Whether to wait for missing folders.
    var waitsForRoots = false
    /// The time limit.
    var limit: Duration?
    /// Called on SIGUSR1, and before the process ends without returning from the run.
    var save: @Sendable () -> Void = {}
  }

  /// Makes an observer; `nil` if there is nothing to observe yet.
  typealias Maker = () throws -> FileSystemObserver?
  /// Takes an event of an observer, and the observer's number.
  typealias Receiver = @Sendable (Int, FileSystemObserver, FileSystemObserver.Event) throws -> Verdict

  private struct Running {
    var observer: FileSystemObserver
    var token: NotificationToken
  }

  private static let timeToFlush = Duration.seconds(5)
  /// The time between two looks for a missing folder.
  private static let timeBetweenLooks = Duration.seconds(1)
  private static var lostOutput: CommandFailure {
    CommandFailure("ended before the last lines were written: nobody took them in time")
  }

  private let monitor: TerminationMonitor
  private let queue = DispatchQueue(label: "fsobserve.output")
  private let result = Mutex<Result<Void, any Error>?>(nil)
  private let isStopping = Atomic<Bool>(false)

  /// - Parameter takesRequests: Whether SIGUSR1 is a request to save something.
  init(takesRequests: Bool = false) throws {
    monitor = try TerminationMonitor(takesRequests: takesRequests)
  }

  /// Starts observers, passes each event to `receive`, one after the other, until the run ends, and stops the
  /// observers.
  func perform(_ makers: [Maker], _ terms: Terms = Terms(), _ receive: @escaping Receiver) throws -> Outcome {
    result.withLock { $0 = nil }
    isStopping.store(false, ordering: .releasing)
    let end = terms.limit.map { ContinuousClock.now + $0 }
    var running: [Running] = []
    defer { for one in running { one.token.invalidate() } }
    var waiting = Array(makers.enumerated())
    while true {
      waiting = try waiting.filter { number, make in
        guard let one = try start(make, number, terms, receive) else { return true }
        running.append(one)
        return false
      }
      if let outcome = try wait(running, isComplete: waiting.isEmpty, until: end, terms) { return outcome }
    }
  }

  /// Ends the run from outside of `receive`.
  func finish(_ value: Result<Void, any Error> = .success(())) {
    result.withLock { $0 = value }
    monitor.wake()
  }

  private func start(
    _ make: Maker, _ number: Int, _ terms: Terms, _ receive: @escaping Receiver
  ) throws -> Running? {
    guard let observer = try make() else { return nil }
    let token = observer.addNotificationBlock(on: queue, startingWith: terms.start, whenFull: .wait) {
      [self] observer, event in
      handle(event) { try receive(number, observer, event) }
    }
    do {
      try observer.start()
    } catch {
      token.invalidate()
      if terms.waitsForRoots, error.code == .rootNotFound { return nil }
      throw error
    }
    return Running(observer: observer, token: token)
  }

  /// Waits until the run ends, or until the next look for a missing folder.
  private func wait(
    _ running: [Running], isComplete: Bool, until end: ContinuousClock.Instant?, _ terms: Terms
  ) throws -> Outcome? {
    let left = end.map { max(.zero, $0 - .now) }
    let time = isComplete ? left : min(left ?? Self.timeBetweenLooks, Self.timeBetweenLooks)
    switch try monitor.wait(atMost: time) {
    case .outputClosed: throw OutputFailure(errno: .brokenPipe)
    case .signal:
      try flush(running, terms)
      return .interrupted
    case .request:
      terms.save()
      return nil
    case .woken:
      guard let value = result.withLock({ $0 }) else { return nil }
      for one in running { one.observer.stop() }
      try value.get()
      return .finished
    case .timeout:
      guard let end, end <= .now else { return nil }
      try flush(running, terms)
      return .timedOut
    }
  }

  private func handle(_ event: FileSystemObserver.Event, _ receive: () throws -> Verdict) {
    guard result.withLock({ $0 == nil }) else { return }
    do {
      // Events that did not fit into the buffer at the end are lost: it is too late to wait for the reader.
      if case .reset = event, isStopping.load(ordering: .acquiring) { throw Self.lostOutput }
      if try receive() == .goOn { return }
      finish()
    } catch {
      finish(.failure(error))
    }
  }

  /// Stops the observers and waits until their last lines are written, but not for ever: the reader may be asleep.
  private func flush(_ running: [Running], _ terms: Terms) throws {
    isStopping.store(true, ordering: .releasing)
    let observers = running.map(\.observer)
    let isFlushed = Flag()
    DispatchQueue.global().async { [self] in
      for observer in observers { observer.stop() }
      queue.sync {}
      isFlushed.set()
      monitor.wake()
    }
    let deadline = ContinuousClock.now + Self.timeToFlush
    while true {
      switch try monitor.wait(atMost: deadline - .now) {
      case .woken:
        if isFlushed.isSet { return try result.withLock { $0 }?.get() ?? () }
      case .outputClosed: throw OutputFailure(errno: .brokenPipe)
      // Not thrown: unwinding would wait for the block, which waits for the reader.
      case .timeout:
        terms.save()
        Ending(Self.lostOutput).end()
      // timeout(1) and impatient people send the signal twice.
      case .signal, .request: break
      }
    }
  }
}

/// A flag that is set once.
private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}
