import Dispatch
import FileSystemObservation
import Synchronization

/// Runs an observer until the command has what it wants, something fails, a signal comes or nobody reads the output.
///
/// Make it before the observer: it must block the signals before there are other threads.
final class ObservationRun: Sendable {
  /// Whether the command wants to hear more.
  enum Verdict: Sendable {
    case goOn, finished
  }

  /// How the run ended.
  enum Outcome: Sendable {
    case finished, interrupted
  }

  private static let timeToFlush = Duration.seconds(5)
  private static var lostOutput: CommandFailure {
    CommandFailure("ended before the last lines were written: nobody took them in time")
  }

  private let monitor: TerminationMonitor
  private let queue = DispatchQueue(label: "fsobserve.output")
  private let result = Mutex<Result<Void, any Error>?>(nil)
  private let isStopping = Atomic<Bool>(false)

  init() throws {
    monitor = try TerminationMonitor()
  }

  /// Starts the observer and hands each event to `receive`, one after the other, until the run ends; then stops it.
  func perform(
    _ observer: FileSystemObserver, _ receive: @escaping @Sendable (FileSystemObserver.Event) throws -> Verdict
  ) throws -> Outcome {
    let token = observer.addNotificationBlock(on: queue, whenFull: .wait) { [self] _, event in
      handle(event, receive)
    }
    defer { token.invalidate() }
    try observer.start()
    switch try monitor.wait() {
    case .outputClosed: throw OutputFailure(errno: .brokenPipe)
    case .signal:
      try flush(observer)
      return .interrupted
    case .woken, .timeout:
      observer.stop()
      try result.withLock { $0 }?.get()
      return .finished
    }
  }

  private func handle(
    _ event: FileSystemObserver.Event, _ receive: (FileSystemObserver.Event) throws -> Verdict
  ) {
    guard result.withLock({ $0 == nil }) else { return }
    do {
      // What did not fit into the buffer at the end is lost: there is no time to wait for the reader any more.
      if case .reset = event, isStopping.load(ordering: .acquiring) { throw Self.lostOutput }
      if try receive(event) == .goOn { return }
      end(.success(()))
    } catch {
      end(.failure(error))
    }
  }

  private func end(_ value: Result<Void, any Error>) {
    result.withLock { $0 = value }
    monitor.wake()
  }

  /// Stops the observer and waits until what it told before has been written, but not for ever: a reader may be asleep.
  private func flush(_ observer: FileSystemObserver) throws {
    isStopping.store(true, ordering: .releasing)
    DispatchQueue.global().async { [self] in
      observer.stop()
      queue.sync {}
      monitor.wake()
    }
    let deadline = ContinuousClock.now + Self.timeToFlush
    while true {
      switch try monitor.wait(atMost: deadline - .now) {
      case .woken: return try result.withLock { $0 }?.get() ?? ()
      case .outputClosed: throw OutputFailure(errno: .brokenPipe)
      // Not thrown: on the way out the block would be waited for, and it waits for the reader.
      case .timeout: Ending(Self.lostOutput).end()
      // timeout(1) and impatient people send the signal twice.
      case .signal: break
      }
    }
  }
}
