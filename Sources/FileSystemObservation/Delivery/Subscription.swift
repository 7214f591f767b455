import Dispatch
import LinuxFileSystem
import SystemPackage

/// The registration of one listener, with its waiting events and its alert.
///
/// Blocks, asynchronous sequences and event queues are all built on it. They differ in their `alert`.
package final class Subscription: Sendable {
  /// The options of a listener.
  package struct Terms: Sendable {
    var scope = FileSystemObserver.Scope.all
    var details: FileSystemObserver.Details = []
    var start = FileSystemObserver.Start.now
    var limit = FileSystemObserver.defaultBufferLimit
    var whenFull = FileSystemObserver.WhenFull.reset
    /// Whether the subscription ends with the observer's run.
    var endsWithRun = false

    package init(
      scope: FileSystemObserver.Scope = .all, details: FileSystemObserver.Details = [],
      start: FileSystemObserver.Start = .now,
      limit: Int = FileSystemObserver.defaultBufferLimit, whenFull: FileSystemObserver.WhenFull = .reset,
      endsWithRun: Bool = false
    ) {
      self.scope = scope
      self.details = details
      self.start = start
      self.limit = limit
      self.whenFull = whenFull
      self.endsWithRun = endsWithRun
    }
  }

  /// The result of `next()`.
  package enum Next: Sendable {
    case event(FileSystemObserver.Event)
    /// No event waits; `alert` is called when one arrives.
    case nothing
    /// The subscription has ended, with the error if observation ended by itself.
    case finished(FileSystemObserverError?)
  }

  /// Where a listener gets what it begins with.
  struct Sources: Sendable {
    var snapshot: @Sendable (FileSystemObserver.Scope) -> FileSystemSnapshot
    var missed: @Sendable (FileSystemObserver.Cursor, FileSystemObserver.Scope) -> MissedAnswer
    var copies: @Sendable (FileSystemObserver.Cursor, FileSystemSnapshot) -> FileSystemChanges?

    /// - Parameters:
    ///   - missed: What is missed since a cursor; by default nobody knows.
    ///   - copies: The items of a snapshot that are copies made since a cursor whose set was not stored.
    init(
      snapshot: @escaping @Sendable (FileSystemObserver.Scope) -> FileSystemSnapshot,
      missed: @escaping @Sendable (FileSystemObserver.Cursor, FileSystemObserver.Scope) -> MissedAnswer = { _, _ in
        .unknown(.resumed)
      },
      copies: @escaping @Sendable (FileSystemObserver.Cursor, FileSystemSnapshot) -> FileSystemChanges? = { _, _ in nil
      }
    ) {
      self.snapshot = snapshot
      self.missed = missed
      self.copies = copies
    }
  }

  private struct State: Sendable {
    var mailbox: Mailbox
    /// Whether the listener was alerted and has not found the mailbox empty since.
    var isAlerted = false
    var isFinished = false
    var failure: FileSystemObserverError?
    /// A cursor that is not known, for which the listener gets a reset.
    var lostCursor: FileSystemObserver.Cursor?
    /// Whether the engine may wait for the listener.
    var mayWait = true
    /// Whether the observer is suspended: events wait, and the listener is not alerted.
    var isHeld = false
    /// Whether an alert waits for the release.
    var isDue = false
    var alert: (@Sendable () -> Void)?
    /// Takes back an alert that the listener has not followed.
    var withdraw: (@Sendable () -> Void)?
  }

  let terms: Terms
  private let state: Mutex<State>
  private let sources: Sources
  private let space = DispatchSemaphore(value: 0)

  init(_ terms: Terms, _ sources: Sources) {
    self.terms = terms
    self.sources = sources
    let mailbox =
      switch terms.start {
      case .now: Mailbox(limit: terms.limit)
      case .snapshot: Mailbox(limit: terms.limit, startingWith: .initial)
      case .after(let cursor): Mailbox(limit: terms.limit, after: cursor)
      }
    state = Mutex(State(mailbox: mailbox))
  }

  /// Adds the completed scan after the snapshot, if the listener begins with one.
  func begin(after scan: FileSystemObserver.ScanSummary) {
    if terms.start == .snapshot { state.withLock { $0.mailbox.put(.didCompleteFullScan(scan)) } }
  }

  /// Sets the alert, and calls it if an event already waits.
  ///
  /// - Parameter withdraw: Takes back an alert when the observer is suspended; called with a lock held.
  func onNews(_ alert: @escaping @Sendable () -> Void, withdraw: (@Sendable () -> Void)? = nil) {
    let hasNews = state.withLock { state in
      state.alert = alert
      state.withdraw = withdraw
      let hasNews = !state.mailbox.isEmpty || state.isFinished
      state.isAlerted = hasNews && !state.isHeld
      state.isDue = hasNews && state.isHeld
      return state.isAlerted
    }
    if hasNews { alert() }
  }

  /// Adds an event; called by the engine, one event at a time.
  ///
  /// A set for which the engine waits is added even if it is larger than the space that there is then.
  ///
  /// - Parameters:
  ///   - isOperating: Whether an operation of this process waits for the engine. The listener's own thread may have
  ///     called it: so the engine does not wait for the listener, which gets more than fits into its buffer.
  ///   - hurry: Starts blocks that are queued to run on this thread: the engine is about to wait for one of them.
  func post(_ event: FileSystemObserver.Event, isOperating: () -> Bool = { false }, hurry: () -> Void) {
    let waits = terms.whenFull == .wait
    // Wait only for changes: an event announced during a step must not wait for a listener that waits for the step's
    // end.
    if waits, case .didChange = event { waitForSpace(unless: isOperating, hurry) }
    let mustFit = waits && isOperating()
    alertIfNeeded { $0.mailbox.put(event, overfilling: mustFit || waits && !$0.mailbox.isFull) }
  }

  /// Adds a set of changes without an alert: the listener gets it with the next event.
  func postWithoutAlert(_ changes: FileSystemChanges) {
    state.withLock { state in
      if !state.isFinished { state.mailbox.put(.didChange(changes), overfilling: terms.whenFull == .wait) }
    }
  }

  /// Blocks the engine until there is space; if the kernel's queue overflows meanwhile, a rescan follows.
  ///
  /// Does not wait for a listener of a suspended observer, which takes nothing.
  private func waitForSpace(unless isOperating: () -> Bool, _ hurry: () -> Void) {
    while !isOperating(), state.withLock({ $0.mailbox.isFull && !$0.isFinished && $0.mayWait && !$0.isHeld }) {
      hurry()
      space.wait()
    }
  }

  private func alertIfNeeded(_ change: (inout State) -> Void) {
    let alert = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.isFinished else { return nil }
      change(&state)
      if state.isAlerted || state.mailbox.isEmpty && !state.isFinished { return nil }
      if state.isHeld {
        state.isDue = true
        return nil
      }
      state.isAlerted = true
      return state.alert
    }
    alert?()
  }

  /// Takes the next event.
  ///
  /// Never waits for an event; a reset waits for the engine's current step, and missed sets are read from the store.
  package func next() -> Next {
    var hasAsked = false
    while true {
      let (item, end) = takeItem()
      switch item {
      case .event(let event): return .event(event)
      case .reset(let reason): return .event(reset(reason))
      case .catchUp(let cursor):
        // The second question finds out whether the observer was started in between.
        if !catchUp(after: cursor) {
          if hasAsked { return end ?? .nothing }
          hasAsked = true
        }
      case nil: return end ?? .nothing
      }
    }
  }

  /// Takes the next item; without one, how the subscription has ended.
  private func takeItem() -> (Mailbox.Item?, Next?) {
    let (item, isFinished, failure) = state.withLock { state -> (Mailbox.Item?, Bool, FileSystemObserverError?) in
      if state.isHeld { return (nil, false, nil) }
      let item = state.mailbox.take()
      if item == nil, !state.isFinished { state.isAlerted = false }
      return (item, state.isFinished, state.failure)
    }
    if terms.whenFull == .wait { space.signal() }
    return (item, isFinished ? .finished(failure) : nil)
  }

  private func reset(_ reason: FileSystemObserver.ResetReason) -> FileSystemObserver.Event {
    let snapshot = sources.snapshot(terms.scope)
    let copies = state.withLock { $0.lostCursor.take() }.flatMap { sources.copies($0, snapshot) }
    state.withLock { state in
      state.mailbox.discard(through: snapshot.sequence)
      if let copies { state.mailbox.putAfterReset(copies) }
    }
    return .reset(snapshot, reason)
  }

  /// Asks for the sets after a cursor; whether there was an answer.
  ///
  /// Without one, the listener is alerted when the observer starts.
  private func catchUp(after cursor: FileSystemObserver.Cursor) -> Bool {
    switch sources.missed(cursor, terms.scope) {
    case .sets(let sets): state.withLock { $0.mailbox.insert(sets) }
    case .unknown(let reason):
      state.withLock { state in
        state.lostCursor = cursor
        state.mailbox.dropChanges(because: reason)
      }
    case .later:
      state.withLock { if !$0.isFinished { $0.isAlerted = false } }
      return false
    }
    return true
  }

  /// Takes note of the observer's cursor just after the listener was added.
  func note(current: FileSystemObserver.Cursor) { state.withLock { $0.mailbox.note(current: current) } }

  /// Goes on with the tree of an earlier run, after its last set.
  func resume(after number: UInt64) { alertIfNeeded { $0.mailbox.resume(after: number) } }

  /// Adds an event that comes before the sets which the listener has missed.
  func postFirst(_ event: FileSystemObserver.Event) { alertIfNeeded { $0.mailbox.putFirst(event) } }

  /// Resets a listener whose cursor is no longer known.
  func resetBecauseResumed() { alertIfNeeded { $0.mailbox.dropChanges(because: .resumed) } }

  /// Handles the end of observation; with an error, observation ended by itself.
  func endObservation(_ error: FileSystemObserverError?) {
    if terms.endsWithRun { return finish(error) }
    if let error { alertIfNeeded { $0.mailbox.put(.didEnd(error)) } }
  }

  /// Withholds all events until the release, unless the subscription has ended.
  func hold() {
    state.withLock { state in
      if state.isFinished { return }
      state.isHeld = true
      state.isDue = state.isAlerted && !state.mailbox.isEmpty
      state.isAlerted = false
      state.withdraw?()
    }
    space.signal()
  }

  /// Lets the listener take what has waited, in the order in which it happened.
  func release() {
    let alert = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.isHeld else { return nil }
      state.isHeld = false
      guard state.isDue else { return nil }
      (state.isDue, state.isAlerted) = (false, true)
      return state.alert
    }
    alert?()
  }

  /// Lets a listener that ends with the run take what has waited, if the run has ended.
  func releaseIfFinished() {
    if state.withLock({ $0.isFinished }) { release() }
  }

  /// Ends the subscription; waiting events may still be taken.
  private func finish(_ error: FileSystemObserverError?) {
    alertIfNeeded { state in
      state.isFinished = true
      state.failure = error
    }
    space.signal()
  }

  /// Drops the waiting events and ends the subscription.
  func invalidate() {
    let alert = state.withLock { state in
      state.isFinished = true
      state.isHeld = false
      state.mailbox.clear()
      state.withdraw = nil
      defer { state.alert = nil }
      return state.alert
    }
    space.signal()
    alert?()
  }

  /// Has the engine ask again whether it must wait for the listener.
  func reconsiderWaiting() { space.signal() }

  /// Sets whether the engine may wait for the listener; not while it is being stopped.
  func allowWaiting(_ allowed: Bool) {
    state.withLock { $0.mayWait = allowed }
    space.signal()
  }
}
