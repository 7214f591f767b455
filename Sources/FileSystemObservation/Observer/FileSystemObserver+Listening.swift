public import Dispatch
internal import LinuxFileSystem
public import SystemPackage

// Ways to listen: blocks, an asynchronous sequence, a queue. All are built on `Subscription`.

extension FileSystemObserver {
  /// Registers a block that is called with each event.
  ///
  /// Calls are serial and in order. The block may call the observer, start or stop it, and invalidate tokens.
  ///
  /// - Parameters:
  ///   - queue: A serial queue to run the block on. If `nil`, the block runs on the observer's own threads, one block
  ///     at a time, which has the least delay.
  ///   - start: Where the listener starts.
  ///   - scope: The items whose changes the listener gets.
  ///   - details: What the listener gets besides the changes of the tree.
  ///   - bufferLimit: The number of changes that may wait for the listener, at least 1. If `nil`,
  ///     ``defaultBufferLimit``. A listener that is not behind gets a set of any size.
  ///   - whenFull: What happens when the listener falls behind.
  ///   - block: Called with the observer and the event.
  /// - Returns: A token. Keep it for as long as you listen: in a property, with ``NotificationToken/store(in:)``, or in
  ///   a local variable with `withExtendedLifetime(_:_:)`. In optimised code a local variable alone is released after
  ///   its last use.
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
  /// The main actor runs only in a program that drains its main queue: in `dispatchMain()`, in an asynchronous `main`,
  /// or with `ObservationGLib` on a GLib main loop.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - start: Where the listener starts.
  ///   - scope: The items whose changes the listener gets.
  ///   - details: What the listener gets besides the changes of the tree.
  ///   - bufferLimit: The number of changes that may wait for the listener, at least 1. If `nil`,
  ///     ``defaultBufferLimit``.
  ///   - block: Called with the observer and the event.
  /// - Returns: A token. Keep it for as long as you listen.
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

  /// Calls a block with each event until an object is deallocated.
  ///
  /// There is no token to keep: the registration ends with the owner.
  ///
  /// - Parameters:
  ///   - owner: The object whose deallocation ends the registration. The observer does not retain it.
  ///   - queue: A serial queue to run the block on. If `nil`, the block runs on the observer's own threads.
  ///   - start: Where the listener starts.
  ///   - scope: The items whose changes the listener gets.
  ///   - details: What the listener gets besides the changes of the tree.
  ///   - block: Called with the owner and the event.
  public func observe<Owner: AnyObject & Sendable>(
    _ owner: Owner, on queue: DispatchQueue? = nil, startingWith start: Start = .now, of scope: Scope = .all,
    including details: Details = [], _ block: @escaping @Sendable (Owner, Event) -> Void
  ) {
    let terms = Subscription.Terms(scope: scope, details: details, start: start)
    observe(owner, terms, on: queue.map { .queue($0) } ?? .own(ownQueue), block)
  }

  /// Calls a block on the main actor with each event until an object is deallocated.
  ///
  /// - Parameters:
  ///   - owner: The object whose deallocation ends the registration. The observer does not retain it.
  ///   - actor: `MainActor.shared`.
  ///   - start: Where the listener starts.
  ///   - scope: The items whose changes the listener gets.
  ///   - details: What the listener gets besides the changes of the tree.
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

  /// Returns the events as an asynchronous sequence; see ``Events``.
  ///
  /// By default the sequence begins with ``Event/reset(_:_:)`` and ``ResetReason/initial``. The first `next()` takes
  /// that snapshot, so it includes every change announced before. Other events, and with ``Start/now`` changes too, are
  /// collected from this call on.
  ///
  /// - Parameters:
  ///   - start: Where the sequence starts.
  ///   - scope: The items whose changes the sequence delivers.
  ///   - details: What the sequence delivers besides the changes of the tree.
  ///   - bufferLimit: The number of changes that may wait, at least 1. If `nil`, ``defaultBufferLimit``.
  public func events(
    startingWith start: Start = .snapshot, of scope: Scope = .all, including details: Details = [],
    bufferLimit: Int? = nil
  ) -> Events {
    let terms = Subscription.Terms(
      scope: scope, details: details, start: start, limit: bufferLimit ?? Self.defaultBufferLimit, endsWithRun: true)
    return Events { [weak self, hub, listenerSources, endCount = hub.endCount] in
      let subscription = Subscription(terms, listenerSources)
      let remove = hub.add(subscription, since: endCount)
      self?.noteListener(subscription)
      return AsyncListener(subscription, remove: remove)
    }
  }

  /// Makes an event queue; see ``EventQueue``.
  ///
  /// By default the queue begins with ``Event/reset(_:_:)`` and ``ResetReason/initial``. The first `next()` takes that
  /// snapshot, so it includes every change announced before. Other events, and with ``Start/now`` changes too, are
  /// collected from this call on.
  ///
  /// - Parameters:
  ///   - start: Where the queue starts.
  ///   - scope: The items whose changes the queue delivers.
  ///   - details: What the queue delivers besides the changes of the tree.
  ///   - bufferLimit: The number of changes that may wait, at least 1. If `nil`, ``defaultBufferLimit``.
  ///   - whenFull: What happens when the program does not take events in time.
  /// - Throws: EMFILE or ENFILE if no more descriptors are available.
  public func makeEventQueue(
    startingWith start: Start = .snapshot, of scope: Scope = .all, including details: Details = [],
    bufferLimit: Int? = nil, whenFull: WhenFull = .reset
  ) throws(Errno) -> EventQueue {
    let terms = Subscription.Terms(
      scope: scope, details: details, start: start, limit: bufferLimit ?? Self.defaultBufferLimit, whenFull: whenFull)
    let subscription = Subscription(terms, listenerSources)
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
    let subscription = Subscription(terms, listenerSources)
    let runner = BlockRunner(subscription, on: place) { [weak self] event in
      guard let self else { return }
      block(self, event)
    }
    let remove = hub.add(subscription, fence: { runner.afterBlocks($0) })
    noteListener(subscription)
    runner.begin()
    return NotificationToken(subscription) {
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

  /// Sees to a listener that was just added: what it has missed, and the details it wants.
  func noteListener(_ subscription: Subscription) {
    if let wait = state.withLock({ $0.wait }) { hub.post(.diagnostic(wait.diagnostic), to: subscription) }
    if let current = currentCursor { subscription.note(current: current) }
    awaitDetails(subscription.terms.details)
  }

  /// Has an idle observer see which details are wanted: a copy grows already, and attributes are to be compared with
  /// those of now.
  ///
  /// So this waits until the attributes are read, but not for an observer that is busy; during the first scan they are
  /// read at its end.
  private func awaitDetails(_ details: Details) {
    guard !details.isEmpty, let driver = state.withLock({ $0.run?.driver }) else { return }
    let isDone = DispatchSemaphore(value: 0)
    driver.perform { engine in
      engine?.watchDetails()
      isDone.signal()
    }
    guard details.contains(.attributes), driver.state.content.withLock({ $0.isLoaded }) else { return }
    _ = isDone.wait(timeout: .now() + Self.longestReading)
  }

  /// How long a listener's registration may wait for the reading of attributes.
  private static let longestReading = DispatchTimeInterval.seconds(1)

  /// The cursor after the last set that was announced; `nil` if the observer does not run.
  var currentCursor: Cursor? {
    state.withLock { $0.run }.map { Cursor(epoch: $0.epoch, number: $0.driver.state.sequence) }
  }

  var listenerSources: Subscription.Sources {
    let fallback = directory
    return Subscription.Sources(
      snapshot: { [weak self] scope in self?.snapshot(of: scope) ?? FileSystemSnapshot(directory: fallback) },
      missed: { [weak self] cursor, scope in self?.setsMissed(since: cursor, scope) ?? .unknown(.resumed) },
      copies: { [weak self] cursor, snapshot in self?.copies(in: snapshot, madeSince: cursor) })
  }

  /// The copies that a listener may have missed, because its last sets were lost in a crash: a set of details.
  private func copies(in snapshot: FileSystemSnapshot, madeSince cursor: Cursor) -> FileSystemChanges? {
    guard let run = latestRun, let store = run.store, let now = snapshot.cursor,
      let copies = try? store.copies(after: cursor, upTo: snapshot, of: run.directory)
    else { return nil }
    let details = copies.compactMap { change in
      // The item may have been renamed since, or be gone.
      snapshot[change.uuid].map { FileSystemChange(change.event, $0, origin: change.origin) }
    }
    if details.isEmpty { return nil }
    return FileSystemChanges(details: details, sequence: now.number, directory: run.directory, epoch: now.epoch)
  }

  /// What a listener has missed since a cursor, up to the end of the last run if the observer has been stopped.
  private func setsMissed(since cursor: Cursor, _ scope: Scope) -> MissedAnswer {
    guard let run = latestRun else { return store == nil ? .unknown(.resumed) : .later }
    if Cursor(epoch: run.epoch, number: run.observed.sequence) == cursor { return .sets(MissedSets(end: cursor)) }
    guard let store = run.store else { return .unknown(.resumed) }
    let answer =
      (try? store.sets(after: cursor, upTo: snapshot(), of: run.directory, atMost: Self.missedAtOnce))
      ?? .unknown(.resumed)
    // What is stored is the whole tree's.
    if scope != .all, case .sets(let sets) = answer, !sets.sets.isEmpty { return .unknown(.resumed) }
    return answer
  }

  /// The number of changes that are read from the store at once.
  private static let missedAtOnce = 4_096
}

/// The registration of a block that ends with its owner; it retains itself until then.
private final class OwnedRegistration: Sendable {
  private let token = Mutex<NotificationToken?>(nil)

  func keep(_ token: NotificationToken) { self.token.withLock { $0 = token } }

  func end() {
    let token = token.withLock { $0.take() }
    token?.invalidate()
  }
}
