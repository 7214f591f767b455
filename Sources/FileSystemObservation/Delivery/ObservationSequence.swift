import LinuxFileSystem

/// The notifications of an observer as an asynchronous sequence.
///
/// It begins with what happens after its iterator is made, and ends when the observer is gone. Notifications wait in a bounded
/// buffer (``ObservationOptions/listenerBufferLimit``): a consumer that falls behind gets one ``ObservationNotification/mustRescan(_:)``
/// and a fresh start from there. Each iterator has a buffer of its own; dropping it ends the delivery.
public struct ObservationSequence: AsyncSequence, Sendable {
  /// What an iteration gives.
  public typealias Element = ObservationNotification
  /// Nothing is thrown.
  public typealias Failure = Never

  private let register: @Sendable () -> Iterator

  init(register: @escaping @Sendable () -> Iterator) {
    self.register = register
  }

  /// Begins to collect notifications.
  public func makeAsyncIterator() -> Iterator { register() }

  /// Takes notifications one by one.
  ///
  /// Not to be shared between tasks.
  public struct Iterator: AsyncIteratorProtocol {
    private let listener: SequenceListener
    private let token: NotificationToken

    init(_ listener: SequenceListener, _ token: NotificationToken) {
      self.listener = listener
      self.token = token
    }

    /// The next notification; nothing when the task is cancelled or the observer is gone.
    public mutating func next() async -> ObservationNotification? {
      await listener.next()
    }

    /// The next notification; nothing when the task is cancelled or the observer is gone.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> ObservationNotification? {
      await listener.next()
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

  func invalidate() {
    state.withLock { $0.isFinished = true }
    wake()
  }

  func allowWaiting(_ allowed: Bool) {}
}
