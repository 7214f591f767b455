public import Dispatch
internal import LinuxFileSystem
public import SystemPackage

// The ways to be told: blocks, an asynchronous sequence, a queue. All are made of subscriptions.

extension FileSystemObserver {
  /// Registers a block that is called with each event.
  ///
  /// It is called with one event at a time, in order. It may call back into the observer, start and stop it, and
  /// invalidate tokens.
  ///
  /// - Parameters:
  ///   - queue: The queue the block runs on; it must be serial. Without one, the observer's own threads, one block at a
  ///     time: that is soonest.
  ///   - start: What it begins with.
  ///   - scope: The items whose changes it gets.
  ///   - details: What it gets besides the changes of the tree.
  ///   - bufferLimit: How many changes may wait for it, at least 1; without it, ``defaultBufferLimit``. A set with more
  ///     changes is given to a listener that is not behind.
  ///   - whenFull: What happens when it falls behind.
  ///   - block: Called with the observer and the event.
  /// - Returns: A token that you must keep as long as you want to be told: in a property, with
  ///   ``NotificationToken/store(in:)``, or in a local variable with `withExtendedLifetime(_:_:)`. With optimisation, a
  ///   local variable alone is let go of after its last use.
  public func addNotificationBlock(
    on queue: DispatchQueue? = nil, startingWith start: Start = .now, of scope: Scope = .all,
    including details: Details = [], bufferLimit: Int? = nil, whenFull: WhenFull = .reset,
    _ block: @escaping NotificationBlock
  ) -> NotificationToken {
    let terms = Subscription.Terms(
      scope: scope, details: details, start: start, limit: bufferLimit ?? Self.defaultBufferLimit, whenFull: whenFull)
    return addBlock(terms, on: queue.map { .queue($0) } ?? .own(ownQueue), block)
  }

  /// Registers a block that is called on the main actor with each event.
  ///
  /// The main actor runs where the program's main queue is drained: in `dispatchMain()`, in an asynchronous `main`, or
  /// with `ObservationGLib` on a GLib main loop.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - start: What it begins with.
  ///   - scope: The items whose changes it gets.
  ///   - details: What it gets besides the changes of the tree.
  ///   - bufferLimit: How many changes may wait for it, at least 1; without it, ``defaultBufferLimit``.
  ///   - block: Called with the observer and the event.
  /// - Returns: A token that you must keep as long as you want to be told.
  public func addNotificationBlock(
    on actor: MainActor, startingWith start: Start = .now, of scope: Scope = .all,
    including details: Details = [], bufferLimit: Int? = nil,
    _ block: @escaping @MainActor (FileSystemObserver, Event) -> Void
  ) -> NotificationToken {
    let terms = Subscription.Terms(
      scope: scope, details: details, start: start, limit: bufferLimit ?? Self.defaultBufferLimit)
    return addBlock(terms, on: .queue(.main)) { observer, event in
      MainActor.assumeIsolated { block(observer, event) }
    }
  }

  /// Calls a block with each event as long as an object lives.
  ///
  /// There is no token to keep: when the owner is gone, so is the block.
  ///
  /// - Parameters:
  ///   - owner: Whose life ends the notifications. It is not kept alive.
  ///   - queue: The queue the block runs on; it must be serial. Without one, the observer's own threads.
  ///   - start: What it begins with.
  ///   - scope: The items whose changes it gets.
  ///   - details: What it gets besides the changes of the tree.
  ///   - block: Called with the owner and the event.
  public func observe<Owner: AnyObject & Sendable>(
    _ owner: Owner, on queue: DispatchQueue? = nil, startingWith start: Start = .now, of scope: Scope = .all,
    including details: Details = [], _ block: @escaping @Sendable (Owner, Event) -> Void
  ) {
    let terms = Subscription.Terms(scope: scope, details: details, start: start)
    observe(owner, terms, on: queue.map { .queue($0) } ?? .own(ownQueue), block)
  }

  /// Calls a block on the main actor with each event as long as an object lives.
  ///
  /// - Parameters:
  ///   - owner: Whose life ends the notifications. It is not kept alive.
  ///   - actor: `MainActor.shared`.
  ///   - start: What it begins with.
  ///   - scope: The items whose changes it gets.
  ///   - details: What it gets besides the changes of the tree.
  ///   - block: Called with the owner and the event.
  public func observe<Owner: AnyObject & Sendable>(
    _ owner: Owner, on actor: MainActor, startingWith start: Start = .now, of scope: Scope = .all,
    including details: Details = [], _ block: @escaping @MainActor (Owner, Event) -> Void
  ) {
    observe(owner, Subscription.Terms(scope: scope, details: details, start: start), on: .queue(.main)) {
      owner, event in
      MainActor.assumeIsolated { block(owner, event) }
    }
  }

  /// The events as an asynchronous sequence, collected from this call on; see ``Events``.
  ///
  /// - Parameters:
  ///   - start: What it begins with.
  ///   - scope: The items whose changes it gives.
  ///   - details: What it gets besides the changes of the tree.
  ///   - bufferLimit: How many changes may wait, at least 1; without it, ``defaultBufferLimit``.
  public func events(
    startingWith start: Start = .snapshot, of scope: Scope = .all, including details: Details = [],
    bufferLimit: Int? = nil
  ) -> Events {
    let terms = Subscription.Terms(
      scope: scope, details: details, start: start, limit: bufferLimit ?? Self.defaultBufferLimit, endsWithRun: true)
    return Events { [weak self, hub, snapshotTaker, endCount = hub.endCount] in
      let subscription = Subscription(terms, takeSnapshot: snapshotTaker)
      let remove = hub.add(subscription, since: endCount)
      self?.noteListener(subscription)
      return AsyncListener(subscription, remove: remove)
    }
  }

  /// Makes a queue that collects events from this call on; see ``EventQueue``.
  ///
  /// - Parameters:
  ///   - start: What it begins with.
  ///   - scope: The items whose changes it gives.
  ///   - details: What it gets besides the changes of the tree.
  ///   - bufferLimit: How many changes may wait, at least 1; without it, ``defaultBufferLimit``.
  ///   - whenFull: What happens when nobody takes them.
  /// - Throws: EMFILE or ENFILE where there can be no more descriptors.
  public func makeEventQueue(
    startingWith start: Start = .snapshot, of scope: Scope = .all, including details: Details = [],
    bufferLimit: Int? = nil, whenFull: WhenFull = .reset
  ) throws(Errno) -> EventQueue {
    let terms = Subscription.Terms(
      scope: scope, details: details, start: start, limit: bufferLimit ?? Self.defaultBufferLimit, whenFull: whenFull)
    let subscription = Subscription(terms, takeSnapshot: snapshotTaker)
    let remove = hub.add(subscription)
    noteListener(subscription)
    do throws(Errno) {
      return try EventQueue(subscription, remove: remove)
    } catch {
      remove()
      throw error
    }
  }
}

// MARK: - Registration

extension FileSystemObserver {
  private func addBlock(
    _ terms: Subscription.Terms, on place: BlockRunner.Place, _ block: @escaping NotificationBlock
  ) -> NotificationToken {
    let subscription = Subscription(terms, takeSnapshot: snapshotTaker)
    let runner = BlockRunner(subscription, on: place) { [weak self] event in
      guard let self else { return }
      block(self, event)
    }
    let remove = hub.add(subscription, fence: { runner.afterBlocks($0) })
    runner.begin()
    noteListener(subscription)
    return NotificationToken {
      remove()
      runner.invalidate()
    }
  }

  private func observe<Owner: AnyObject & Sendable>(
    _ owner: Owner, _ terms: Subscription.Terms, on place: BlockRunner.Place,
    _ block: @escaping @Sendable (Owner, Event) -> Void
  ) {
    let registration = OwnedRegistration()
    let token = addBlock(terms, on: place) { [weak owner] _, event in
      if let owner { block(owner, event) } else { registration.end() }
    }
    registration.keep(token)
  }

  /// Somebody has begun to listen.
  private func noteListener(_ subscription: Subscription) {
    resumeIfNeeded(subscription)
    guard !subscription.terms.details.isEmpty else { return }
    state.withLock { $0.run }?.driver.perform { [hub] engine in engine?.watchDetails(hub.details) }
  }

  /// Gives the whole state to a listener that goes on after a cursor, where what happened since is not known.
  private func resumeIfNeeded(_ subscription: Subscription) {
    guard case .after(let cursor) = subscription.terms.start else { return }
    let current = state.withLock { state in
      state.run.map { Cursor(epoch: $0.epoch, number: $0.driver.state.sequence) }
    }
    if current != cursor { subscription.resetBecauseResumed() }
  }

  private var snapshotTaker: @Sendable (Scope) -> FileSystemSnapshot {
    let fallback = directory
    return { [weak self] scope in self?.snapshot(of: scope) ?? FileSystemSnapshot(directory: fallback) }
  }
}

/// The registration of a block that ends with its owner: it keeps itself until then.
private final class OwnedRegistration: Sendable {
  private let token = Mutex<NotificationToken?>(nil)

  func keep(_ token: NotificationToken) { self.token.withLock { $0 = token } }

  func end() {
    let token = token.withLock { $0.take() }
    token?.invalidate()
  }
}
