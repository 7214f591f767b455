import Dispatch
import LinuxFileSystem

/// The listeners of one observer.
package final class NotificationHub: Sendable {
  /// Calls a function on a listener's queue after the events announced before.
  typealias Fence = @Sendable (@escaping @Sendable () -> Void) -> Void

  private struct Listener: Sendable {
    var number: Int
    var subscription: Subscription
    /// `nil` for a listener that polls for its events.
    var fence: Fence?
  }

  private struct State: Sendable {
    var listeners: [Listener] = []
    var nextNumber = 0
    /// The number of times that observation has ended.
    var endCount = 0
    /// The scopes of listeners, each with its number of listeners.
    package var scopes: [FileSystemObserver.Scope: Int] = [:]
    /// The details that listeners want.
    var details: FileSystemObserver.Details = []
    /// The listeners that the current operation of this process notifies; `nil` if there is no operation.
    var audience: FileSystemObserver.Audience?
    /// The number of operations of this process that wait for the engine.
    var waitingOperations = 0
    /// The completed full scan of this run; `nil` while a scan runs.
    var completedScan: FileSystemObserver.ScanSummary?
    /// Whether all events wait for `resume()`.
    var isSuspended = false
    /// Whether the app has stopped the observer: sequences end although events are withheld.
    var isStopped = false
  }

  /// Where callers continue that have waited for blocks.
  private static let fences = DispatchQueue(label: "FileSystemObservation.fences")

  private let state = Mutex(State())
  /// Serialises `suspend` and `resume`.
  private let suspension = Mutex<Void>(())
  /// The queue for blocks without an app queue.
  private let ownQueue: OwnQueue

  init(_ ownQueue: OwnQueue) {
    self.ownQueue = ownQueue
  }

  /// Makes a hub whose listeners all poll for their events.
  package convenience init() { self.init(OwnQueue()) }

  /// The number of times that observation has ended.
  var endCount: Int { state.withLock { $0.endCount } }

  /// The scopes with listeners, without the whole tree.
  package var scopes: [FileSystemObserver.Scope] { state.withLock { $0.scopes.isEmpty ? [] : Array($0.scopes.keys) } }

  /// The details that listeners want.
  var details: FileSystemObserver.Details { state.withLock { $0.details } }

  /// Adds a listener; the result removes it.
  ///
  /// A listener that begins with a snapshot also gets the completion of a scan that is already complete.
  ///
  /// - Parameters:
  ///   - endCount: For a listener that ends with a run, the value of `endCount` when it was requested.
  ///   - fence: For a listener whose events are pushed.
  func add(
    _ subscription: Subscription, since endCount: Int? = nil, fence: Fence? = nil
  ) -> @Sendable () -> Void {
    let scope = subscription.terms.scope
    let (number, hasEnded) = state.withLock { state -> (Int, Bool) in
      defer { state.nextNumber += 1 }
      let hasEnded = endCount.map { $0 != state.endCount } ?? false
      if !hasEnded {
        if let scan = state.completedScan { subscription.begin(after: scan) }
        if state.isSuspended { subscription.hold() }
        state.listeners.append(Listener(number: state.nextNumber, subscription: subscription, fence: fence))
        state.details.formUnion(subscription.terms.details)
        if scope != .all { state.scopes[scope, default: 0] += 1 }
      }
      return (state.nextNumber, hasEnded)
    }
    if hasEnded { subscription.endObservation(nil) }
    return { [weak self] in self?.remove(number) }
  }

  /// Adds a listener that polls for its events; the result removes it.
  package func add(_ subscription: Subscription) -> @Sendable () -> Void { add(subscription, since: nil) }

  /// Calls `done` when every block has run for the events announced before this call.
  func afterBlocks(_ done: @escaping @Sendable () -> Void) {
    let fences = state.withLock { $0.listeners.compactMap(\.fence) }
    let blocks = DispatchGroup()
    for fence in fences {
      blocks.enter()
      fence { blocks.leave() }
    }
    blocks.notify(queue: Self.fences, execute: done)
  }

  private func remove(_ number: Int) {
    state.withLock { state in
      guard let index = state.listeners.firstIndex(where: { $0.number == number }) else { return }
      let scope = state.listeners.remove(at: index).subscription.terms.scope
      state.details = state.listeners.reduce([]) { $0.union($1.subscription.terms.details) }
      guard let count = state.scopes[scope] else { return }
      state.scopes[scope] = count > 1 ? count - 1 : nil
    }
  }

  private var listeners: [Subscription] { state.withLock { $0.listeners.map(\.subscription) } }

  /// Announces the own changes in the body to an audience.
  ///
  /// The engine's thread calls this: nothing else is announced meanwhile.
  func whileNotifying(_ audience: FileSystemObserver.Audience, _ body: () -> Void) {
    state.withLock { $0.audience = audience }
    defer { state.withLock { $0.audience = nil } }
    body()
  }

  /// Announces a set of changes to every listener that it is meant for.
  ///
  /// - Parameters:
  ///   - isOwn: Whether an operation of this process made all changes of the set: only such a set can leave out
  ///     listeners.
  ///   - changes: Returns the changes for a listener with given terms, or `nil` if there are none for it.
  func postChanges(isOwn: @autoclosure () -> Bool, _ changes: (Subscription.Terms) -> FileSystemChanges?) {
    let (audience, listeners) = state.withLock { ($0.audience, $0.listeners.map(\.subscription)) }
    guard let audience, audience != .everyone, isOwn() else {
      return post({ terms in changes(terms).map { .didChange($0) } }, to: listeners)
    }
    for listener in listeners {
      guard let changes = changes(listener.terms) else { continue }
      if audience.includes(listener) {
        listener.post(.didChange(changes), isOperating: { true }) { ownQueue.hurry() }
      } else {
        listener.postWithoutAlert(changes.forReplayOnly)
      }
    }
  }

  /// Announces an event to every listener.
  ///
  /// Copies the list first: a block may add and remove listeners.
  ///
  /// - Parameter event: Returns the event for a listener with given terms, or `nil` if there is none for it.
  func post(_ event: (Subscription.Terms) -> FileSystemObserver.Event?) { post(event, to: listeners) }

  /// Announces an event to one listener.
  func post(_ event: FileSystemObserver.Event, to listener: Subscription) { post({ _ in event }, to: [listener]) }

  /// Announces the beginning or completion of a full scan to every listener.
  func postScan(_ event: FileSystemObserver.Event) {
    let listeners = state.withLock { state in
      if case .didCompleteFullScan(let summary) = event {
        state.completedScan = summary
      } else {
        state.completedScan = nil
      }
      return state.listeners.map(\.subscription)
    }
    post({ _ in event }, to: listeners)
  }

  private func post(
    _ event: (Subscription.Terms) -> FileSystemObserver.Event?, to listeners: [Subscription]
  ) {
    let hurry = { self.ownQueue.hurry() }
    let isOperating = { self.state.withLock { $0.audience != nil || $0.waitingOperations > 0 } }
    var isChange = true
    for listener in listeners {
      guard let event = event(listener.terms) else { continue }
      if case .didChange = event {} else { isChange = false }
      listener.post(event, isOperating: isOperating, hurry: hurry)
    }
    // Changes are announced at the end of a step, other events during it.
    if !isChange { hurry() }
  }

  /// Whether there are no listeners.
  var isEmpty: Bool { state.withLock { $0.listeners.isEmpty } }

  /// Announces the end of observation to every listener, with the error if observation ended by itself.
  ///
  /// A listener added meanwhile belongs to the next run.
  func endObservation(_ error: FileSystemObserverError? = nil) {
    let listeners = noteEnd()
    for listener in listeners { listener.endObservation(error) }
    // The app may have stopped the observer while observation ended by itself.
    if state.withLock({ $0.isStopped }) { for listener in listeners { listener.releaseIfFinished() } }
    ownQueue.hurry()
  }

  /// Counts an end of observation.
  ///
  /// - Returns: The listeners of the ended run.
  private func noteEnd() -> [Subscription] {
    state.withLock { state in
      state.endCount += 1
      state.completedScan = nil
      return state.listeners.map(\.subscription)
    }
  }

  /// Whether all events wait for `resume()`.
  var isSuspended: Bool { state.withLock { $0.isSuspended } }

  /// Withholds all events from all listeners, or has them take what has waited.
  func setSuspended(_ suspended: Bool) {
    suspension.withLock { _ in
      let listeners = state.withLock { state -> [Subscription] in
        if state.isSuspended == suspended { return [] }
        state.isSuspended = suspended
        return state.listeners.map(\.subscription)
      }
      for listener in listeners { if suspended { listener.hold() } else { listener.release() } }
    }
  }

  /// Notes that the app has stopped or started the observer.
  ///
  /// Sequences of a stopped observer end although events are withheld.
  func setStopped(_ stopped: Bool) {
    let listeners = state.withLock { state in
      state.isStopped = stopped
      return stopped ? state.listeners.map(\.subscription) : []
    }
    for listener in listeners { listener.releaseIfFinished() }
  }

  /// Runs an operation of this process, which waits for the engine: the engine waits for no listener meanwhile.
  func whileOperating<Outcome, Failure: Error>(_ body: () throws(Failure) -> Outcome) throws(Failure) -> Outcome {
    state.withLock { $0.waitingOperations += 1 }
    defer { state.withLock { $0.waitingOperations -= 1 } }
    for listener in listeners { listener.reconsiderWaiting() }
    return try body()
  }

  func allowWaiting(_ allowed: Bool) {
    for listener in listeners { listener.allowWaiting(allowed) }
  }

  /// Has listeners go on with the tree of an earlier run, after its last set.
  func resume(after number: UInt64) {
    for listener in listeners {
      switch listener.terms.start {
      case .now: break
      case .snapshot: listener.resetBecauseResumed()
      case .after: listener.resume(after: number)
      }
    }
  }

  /// Announces at a start that the directory has another path than in the run before, to all that have not begun anew.
  func postFirst(_ event: FileSystemObserver.Event) {
    for listener in listeners { listener.postFirst(event) }
  }

  /// Ends every listener when the observer is deallocated.
  func close() {
    for listener in noteEnd() { listener.invalidate() }
  }
}
