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
  /// The sequence may be made before or after the start of the observer, and iterated any time later. It ends when the
  /// observer is stopped, and throws the error if observation ends by itself; in both cases it first delivers the
  /// events announced before, and with ``Start/after(_:)`` also what came after the cursor. It also ends when the task
  /// is cancelled or the observer is deallocated: the sequence does not retain the observer. After the end, make a new
  /// sequence to get the events of the next start.
  ///
  /// Events wait in a bounded buffer: a consumer that falls behind gets one ``Event/reset(_:_:)`` and continues from
  /// there. The first iterator gets the waiting events; each further iterator is a new listener. Releasing the
  /// iterator, or the sequence if no iterator was made, ends the delivery.
  public struct Events: AsyncSequence, Sendable {
    /// The type of the elements.
    public typealias Element = Event
    /// The type of the error that ends the sequence.
    public typealias Failure = FileSystemObserverError

    private let register: @Sendable () -> AsyncListener
    private let first: Locked<AsyncListener?>

    /// Registers the first listener.
    init(register: @escaping @Sendable () -> AsyncListener) {
      self.register = register
      first = Locked<AsyncListener?>(register())
    }

    /// Makes an iterator; the first gets the waiting events, each further one is a new listener.
    public func makeAsyncIterator() -> Iterator { Iterator(first.mutex.withLock { $0.take() } ?? register()) }

    /// An iterator over the events.
    ///
    /// Must not be shared between tasks.
    public struct Iterator: AsyncIteratorProtocol {
      private let listener: AsyncListener

      init(_ listener: AsyncListener) {
        self.listener = listener
      }

      /// Waits for the next event; `nil` if the task is cancelled, or the observer is stopped or deallocated.
      ///
      /// - Throws: The error that ended observation.
      public mutating func next() async throws(FileSystemObserverError) -> Event? { try await listener.next() }

      /// Waits for the next event; `nil` if the task is cancelled, or the observer is stopped or deallocated.
      ///
      /// - Throws: The error that ended observation.
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

/// A shared value behind a lock.
private final class Locked<Value: Sendable>: Sendable {
  let mutex: Mutex<Value>

  init(_ value: Value) {
    mutex = Mutex(value)
  }
}

/// A subscription whose events a task awaits.
final class AsyncListener: Sendable {
  private struct State: Sendable {
    var waiting: CheckedContinuation<Void, Never>?
    /// Whether an event arrived while no task was waiting.
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
