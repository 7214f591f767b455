import Dispatch
import LinuxFileSystem
import SystemPackage

/// One listener's registration: what it has not taken yet, and how it is woken.
///
/// Blocks, asynchronous sequences and event queues are all made of it. They differ in what `alert` does.
package final class Subscription: Sendable {
  /// What a listener asks for.
  package struct Terms: Sendable {
    var scope = FileSystemObserver.Scope.all
    var details: FileSystemObserver.Details = []
    var start = FileSystemObserver.Start.now
    var limit = FileSystemObserver.defaultBufferLimit
    var whenFull = FileSystemObserver.WhenFull.reset
    /// Whether it ends with the run of the observer.
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

  /// What `next()` gives.
  package enum Next: Sendable {
    case event(FileSystemObserver.Event)
    /// Nothing at this moment; `alert` is called when there is.
    case nothing
    /// Nothing any more, and why, if observation ended by itself.
    case finished(FileSystemObserverError?)
  }

  private struct State: Sendable {
    var mailbox: Mailbox
    /// Whether the listener has been woken, and has not found the mailbox empty since.
    var isAlerted = false
    var isFinished = false
    var failure: FileSystemObserverError?
    /// Whether the engine may be kept waiting.
    var mayWait = true
    var alert: (@Sendable () -> Void)?
  }

  let terms: Terms
  private let state: Mutex<State>
  private let takeSnapshot: @Sendable (FileSystemObserver.Scope) -> FileSystemSnapshot
  private let space = DispatchSemaphore(value: 0)

  init(_ terms: Terms, takeSnapshot: @escaping @Sendable (FileSystemObserver.Scope) -> FileSystemSnapshot) {
    self.terms = terms
    self.takeSnapshot = takeSnapshot
    let mailbox =
      switch terms.start {
      case .now: Mailbox(limit: terms.limit)
      case .snapshot: Mailbox(limit: terms.limit, startingWith: .initial)
      case .after(let cursor): Mailbox(limit: terms.limit, after: cursor.number)
      }
    state = Mutex(State(mailbox: mailbox))
  }

  /// Has the state, if the listener begins with it, followed by the scan that is complete already.
  func begin(after scan: FileSystemObserver.ScanSummary) {
    if terms.start == .snapshot { state.withLock { $0.mailbox.put(.didCompleteFullScan(scan)) } }
  }

  /// Says how the listener is woken, and wakes it if something waits already.
  func onNews(_ alert: @escaping @Sendable () -> Void) {
    let hasNews = state.withLock { state in
      state.alert = alert
      state.isAlerted = !state.mailbox.isEmpty || state.isFinished
      return state.isAlerted
    }
    if hasNews { alert() }
  }

  /// Takes an event in; called by the engine, one at a time.
  ///
  /// - Parameter hurry: Has blocks run that wait to be run on this thread: the engine is about to wait for one of them.
  func post(_ event: FileSystemObserver.Event, hurry: () -> Void) {
    // Only for changes: what is announced in the midst of a step must not wait for one who waits for its end.
    if terms.whenFull == .wait, case .didChange = event { waitForSpace(hurry) }
    alertIfNeeded { $0.mailbox.put(event) }
  }

  /// The engine waits, and with it the kernel's queue: if that overflows, a rescan makes up for it.
  private func waitForSpace(_ hurry: () -> Void) {
    while state.withLock({ $0.mailbox.isFull && !$0.isFinished && $0.mayWait }) {
      hurry()
      space.wait()
    }
  }

  private func alertIfNeeded(_ change: (inout State) -> Void) {
    let alert = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.isFinished else { return nil }
      change(&state)
      if state.isAlerted || state.mailbox.isEmpty && !state.isFinished { return nil }
      state.isAlerted = true
      return state.alert
    }
    alert?()
  }

  /// The next event.
  ///
  /// It never waits for one; a reset waits for the step of the engine that is going on.
  package func next() -> Next {
    let (item, isFinished, failure) = state.withLock { state -> (Mailbox.Item?, Bool, FileSystemObserverError?) in
      let item = state.mailbox.take()
      if item == nil, !state.isFinished { state.isAlerted = false }
      return (item, state.isFinished, state.failure)
    }
    if terms.whenFull == .wait { space.signal() }
    switch item {
    case .event(let event): return .event(event)
    case .reset(let reason):
      let snapshot = takeSnapshot(terms.scope)
      state.withLock { $0.mailbox.discard(through: snapshot.sequence) }
      return .event(.reset(snapshot, reason))
    case nil: return isFinished ? .finished(failure) : .nothing
    }
  }

  /// The listener goes on after a cursor that is not known any more.
  func resetBecauseResumed() { alertIfNeeded { $0.mailbox.dropChanges(because: .resumed) } }

  /// Takes in that observation has ended, by itself if there is an error.
  func endObservation(_ error: FileSystemObserverError?) {
    if terms.endsWithRun { return finish(error) }
    if let error { alertIfNeeded { $0.mailbox.put(.didEnd(error)) } }
  }

  /// Nothing is announced any more; what waits may still be taken.
  private func finish(_ error: FileSystemObserverError?) {
    alertIfNeeded { state in
      state.isFinished = true
      state.failure = error
    }
    space.signal()
  }

  /// Drops what waits, and takes nothing in any more.
  func invalidate() {
    let alert = state.withLock { state in
      state.isFinished = true
      state.mailbox.clear()
      defer { state.alert = nil }
      return state.alert
    }
    space.signal()
    alert?()
  }

  var isFinished: Bool { state.withLock { $0.isFinished } }

  /// Whether the engine may be kept waiting: not while it is being stopped.
  func allowWaiting(_ allowed: Bool) {
    state.withLock { $0.mayWait = allowed }
    space.signal()
  }
}
