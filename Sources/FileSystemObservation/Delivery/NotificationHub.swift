import Dispatch
import LinuxFileSystem

/// The listeners of one observer.
package final class NotificationHub: Sendable {
  /// Calls something where a listener takes its events, after those that were announced before.
  typealias Fence = @Sendable (@escaping @Sendable () -> Void) -> Void

  private struct Listener: Sendable {
    var number: Int
    var subscription: Subscription
    /// Nothing for a listener that takes its events when it wants to.
    var fence: Fence?
  }

  private struct State: Sendable {
    var listeners: [Listener] = []
    var nextNumber = 0
    /// How often observation has ended.
    var endCount = 0
    /// Scopes of listeners, each with how many have it.
    package var scopes: [FileSystemObserver.Scope: Int] = [:]
    /// The full scan of this run, where none is going on.
    var completedScan: FileSystemObserver.ScanSummary?
  }

  private let state = Mutex(State())
  /// Where blocks run for which the app names no queue.
  private let ownQueue: OwnQueue

  init(_ ownQueue: OwnQueue) {
    self.ownQueue = ownQueue
  }

  /// A hub whose listeners all take what they want by themselves.
  package convenience init() { self.init(OwnQueue()) }

  /// How often observation has ended.
  var endCount: Int { state.withLock { $0.endCount } }

  /// The parts of the tree for which changes are wanted, besides the whole.
  package var scopes: [FileSystemObserver.Scope] { state.withLock { $0.scopes.isEmpty ? [] : Array($0.scopes.keys) } }

  /// What listeners want to know besides the changes of the tree.
  var details: FileSystemObserver.Details {
    state.withLock { state in state.listeners.reduce([]) { $0.union($1.subscription.terms.details) } }
  }

  /// Adds a listener, until what is returned is called.
  ///
  /// One that begins with the state is told that the scan is complete, as one that was there in time.
  ///
  /// - Parameters:
  ///   - endCount: For a listener that ends with a run, how often observation had ended when it asked.
  ///   - fence: For a listener whose events are brought to it.
  func add(
    _ subscription: Subscription, since endCount: Int? = nil, fence: Fence? = nil
  ) -> @Sendable () -> Void {
    let scope = subscription.terms.scope
    let (number, hasEnded) = state.withLock { state -> (Int, Bool) in
      defer { state.nextNumber += 1 }
      let hasEnded = endCount.map { $0 != state.endCount } ?? false
      if !hasEnded {
        if let scan = state.completedScan { subscription.begin(after: scan) }
        state.listeners.append(Listener(number: state.nextNumber, subscription: subscription, fence: fence))
        if scope != .all { state.scopes[scope, default: 0] += 1 }
      }
      return (state.nextNumber, hasEnded)
    }
    if hasEnded { subscription.endObservation(nil) }
    return { [weak self] in self?.remove(number) }
  }

  /// Adds a listener that takes its events when it wants to, until what is returned is called.
  package func add(_ subscription: Subscription) -> @Sendable () -> Void { add(subscription, since: nil) }

  /// Calls `done` when every block has run for what is announced by now.
  func afterBlocks(_ done: @escaping @Sendable () -> Void) {
    let fences = state.withLock { $0.listeners.compactMap(\.fence) }
    let blocks = DispatchGroup()
    for fence in fences {
      blocks.enter()
      fence { blocks.leave() }
    }
    blocks.notify(queue: .global(), execute: done)
  }

  private func remove(_ number: Int) {
    state.withLock { state in
      guard let index = state.listeners.firstIndex(where: { $0.number == number }) else { return }
      let scope = state.listeners.remove(at: index).subscription.terms.scope
      guard let count = state.scopes[scope] else { return }
      state.scopes[scope] = count > 1 ? count - 1 : nil
    }
  }

  private var listeners: [Subscription] { state.withLock { $0.listeners.map(\.subscription) } }

  /// Announces an event to every listener.
  ///
  /// The list is taken first: a block may add and remove listeners.
  ///
  /// - Parameter event: What is announced to a listener with these terms; nothing where nothing happened for it.
  func post(_ event: (Subscription.Terms) -> FileSystemObserver.Event?) { post(event, to: listeners) }

  /// Announces to every listener that a full scan begins or is complete.
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
    var isChange = true
    for listener in listeners {
      guard let event = event(listener.terms) else { continue }
      if case .didChange = event {} else { isChange = false }
      listener.post(event, hurry: hurry)
    }
    // Changes are announced at the end of a step, anything else in its midst.
    if !isChange { hurry() }
  }

  /// Whether nobody would be told.
  var isEmpty: Bool { state.withLock { $0.listeners.isEmpty } }

  /// Tells every listener that observation has ended, and why if it ended by itself.
  ///
  /// Whoever begins to listen meanwhile listens to what comes next.
  func endObservation(_ error: FileSystemObserverError? = nil) {
    for listener in noteEnd() { listener.endObservation(error) }
    ownQueue.hurry()
  }

  /// Counts an end of observation.
  ///
  /// - Returns: Whoever has listened until now.
  private func noteEnd() -> [Subscription] {
    state.withLock { state in
      state.endCount += 1
      state.completedScan = nil
      return state.listeners.map(\.subscription)
    }
  }

  func allowWaiting(_ allowed: Bool) {
    for listener in listeners { listener.allowWaiting(allowed) }
  }

  /// Ends every listener: the observer is gone.
  func close() {
    for listener in noteEnd() { listener.invalidate() }
  }
}
