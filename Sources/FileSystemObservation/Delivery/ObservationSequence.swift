import LinuxFileSystem

/// The notifications of an observer as an asynchronous sequence.
///
/// It begins with what happens after it was asked for: whoever asks for it before the observer is started misses nothing, however long
/// it takes until a task begins to iterate.
///
/// ```swift
/// let changes = observer.changes
/// let task = Task {
///   for await notification in changes { … }
/// }
/// try observer.start()
/// ```
///
/// It ends when the observer is stopped, after ``ObservationNotification/didEnd(_:)`` when observation ends by itself, and when the
/// observer is gone; what was told before is given first. Another start is told to a sequence that is asked for after the end.
///
/// Notifications wait in a bounded buffer (``ObservationOptions/listenerBufferLimit``), from the moment on in which the sequence is asked
/// for: a consumer that falls behind gets one ``ObservationNotification/mustRescan(_:)`` and a fresh start from there. What waits belongs
/// to the first iterator. A further one has a buffer of its own, and begins with what happens after it is made; where the sequence has
/// ended, it gives nothing. Dropping the iterator, or the sequence where it has none, ends the delivery.
public struct ObservationSequence: AsyncSequence, Sendable {
  /// What an iteration gives.
  public typealias Element = ObservationNotification
  /// Nothing is thrown.
  public typealias Failure = Never

  private let register: @Sendable () -> Registration
  private let first: FirstRegistration

  /// A buffer, and what keeps it among the listeners.
  struct Registration: Sendable {
    var listener: SequenceListener
    var token: NotificationToken
  }

  /// The buffer that was made with the sequence, until an iterator takes it.
  private final class FirstRegistration: Sendable {
    private let registration: Mutex<Registration?>

    init(_ registration: Registration) {
      self.registration = Mutex(registration)
    }

    func take() -> Registration? { registration.withLock { $0.take() } }
  }

  /// Begins to collect notifications.
  init(register: @escaping @Sendable () -> Registration) {
    self.register = register
    first = FirstRegistration(register())
  }

  /// Gives what has been collected since the sequence was asked for; a second iterator begins anew.
  public func makeAsyncIterator() -> Iterator { Iterator(first.take() ?? register()) }

  /// Takes notifications one by one.
  ///
  /// Not to be shared between tasks.
  public struct Iterator: AsyncIteratorProtocol {
    private let registration: Registration

    init(_ registration: Registration) {
      self.registration = registration
    }

    /// The next notification; nothing when the task is cancelled, observation has ended or the observer is gone.
    public mutating func next() async -> ObservationNotification? {
      await registration.listener.next()
    }

    /// The next notification; nothing when the task is cancelled, observation has ended or the observer is gone.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> ObservationNotification? {
      await registration.listener.next()
    }
  }
}

@available(*, unavailable)
extension ObservationSequence.Iterator: Sendable {}

/// The buffer of one iterator.
final class SequenceListener: Listener, Sendable {
  private struct State: Sendable {
    var mailbox: Mailbox
    var waiting: CheckedContinuation<Void, Never>?
    var isFinished = false
  }

  private let state: Mutex<State>
  private let takeInventory: @Sendable () -> Inventory

  init(limit: Int, takeInventory: @escaping @Sendable () -> Inventory) {
    self.takeInventory = takeInventory
    state = Mutex(State(mailbox: Mailbox(limit: limit)))
  }

  func post(_ notification: ObservationNotification) {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.isFinished else { return nil }
      state.mailbox.put(notification)
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  func next() async -> ObservationNotification? {
    while true {
      let (item, isFinished) = state.withLock { ($0.mailbox.take(), $0.isFinished) }
      switch item {
      case .notification(let notification): return notification
      case .rescan:
        let inventory = takeInventory()
        state.withLock { $0.mailbox.discard(through: inventory.sequence) }
        return .mustRescan(inventory)
      case nil:
        if isFinished || Task.isCancelled { return nil }
        await waitForMore()
      }
    }
  }

  private func waitForMore() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if !state.mailbox.isEmpty || state.isFinished || Task.isCancelled { return true }
          state.waiting = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      wake()
    }
  }

  private func wake() {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  func endObservation() { invalidate() }

  func invalidate() {
    state.withLock { $0.isFinished = true }
    wake()
  }

  func allowWaiting(_ allowed: Bool) {}
}
