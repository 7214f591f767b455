import LinuxFileSystem

extension FileSystemObserver {
  /// The events of an observer as an asynchronous sequence.
  ///
  /// ```swift
  /// for try await event in observer.events() {
  ///   print(event)
  /// }
  /// ```
  ///
  /// It collects events from the moment it is asked for, before or after the observer is started, however long it takes
  /// until a task begins to iterate. It ends when the observer is stopped, and throws the error when observation ends
  /// by itself; what was announced before is given first. When the task is cancelled it ends, too. Another start is
  /// announced to a sequence that is asked for after the end.
  ///
  /// Events wait in a bounded buffer: a consumer that falls behind gets one ``Event/reset(_:_:)``, and goes on from
  /// there. What waits belongs to the first iterator; a further one is a listener of its own. Letting go of the
  /// iterator, or of the sequence where it has none, ends the delivery.
  public struct Events: AsyncSequence, Sendable {
    /// What an iteration gives.
    public typealias Element = Event
    /// What ends it.
    public typealias Failure = FileSystemObserverError

    private let register: @Sendable () -> AsyncListener
    private let first: Locked<AsyncListener?>

    /// Begins to collect events.
    init(register: @escaping @Sendable () -> AsyncListener) {
      self.register = register
      first = Locked<AsyncListener?>(register())
    }

    /// Gives what has been collected since the sequence was asked for; a second iterator begins anew.
    public func makeAsyncIterator() -> Iterator { Iterator(first.mutex.withLock { $0.take() } ?? register()) }

    /// Takes events one by one.
    ///
    /// Not to be shared between tasks.
    public struct Iterator: AsyncIteratorProtocol {
      private let listener: AsyncListener

      init(_ listener: AsyncListener) {
        self.listener = listener
      }

      /// The next event; `nil` when the task is cancelled, the observer is stopped or gone.
      ///
      /// - Throws: What ended observation.
      public mutating func next() async throws(FileSystemObserverError) -> Event? { try await listener.next() }

      /// The next event; `nil` when the task is cancelled, the observer is stopped or gone.
      ///
      /// - Throws: What ended observation.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(FileSystemObserverError) -> Event? {
        try await listener.next()
      }
    }
  }
}

@available(*, unavailable)
extension FileSystemObserver.Events.Iterator: Sendable {}

/// A value behind a lock that several can have.
private final class Locked<Value: Sendable>: Sendable {
  let mutex: Mutex<Value>

  init(_ value: Value) {
    mutex = Mutex(value)
  }
}

/// A subscription that a task waits for.
final class AsyncListener: Sendable {
  private struct State: Sendable {
    var waiting: CheckedContinuation<Void, Never>?
    /// Whether news came while nobody waited.
    var hasNews = false
  }

  private let subscription: Subscription
  private let remove: @Sendable () -> Void
  private let state: Locked<State>

  init(_ subscription: Subscription, remove: @escaping @Sendable () -> Void) {
    self.subscription = subscription
    self.remove = remove
    let state = Locked<State>(State())
    self.state = state
    subscription.onNews { Self.wake(state) }
  }

  deinit {
    remove()
    subscription.invalidate()
  }

  func next() async throws(FileSystemObserverError) -> FileSystemObserver.Event? {
    while true {
      switch subscription.next() {
      case .event(let event): return event
      case .finished(let error?): throw error
      case .finished(nil): return nil
      case .nothing:
        if Task.isCancelled { return nil }
        await waitForNews()
      }
    }
  }

  private func waitForNews() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.mutex.withLock { state in
          if state.hasNews || Task.isCancelled {
            state.hasNews = false
            return true
          }
          state.waiting = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      Self.wake(state)
    }
  }

  private static func wake(_ state: Locked<State>) {
    let waiting = state.mutex.withLock { state -> CheckedContinuation<Void, Never>? in
      state.hasNews = state.waiting == nil
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }
}
