import LinuxFileSystem

/// The events of one live object that it has not taken yet.
///
/// They wait until the object takes them. Tasks and a descriptor tell when some wait.
final class LiveFeed: Sendable {
  fileprivate struct Source: Sendable {
    var subscription: Subscription
    var remove: @Sendable () -> Void
  }

  private struct State: Sendable {
    var source: Source?
    /// Whether events may wait.
    var hasNews = false
    var isEnded = false
    var signal: WakeSignal?
    var nextNumber = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Mutex(State())
  /// Registers a subscription; the result removes it.
  private let register: @Sendable (Subscription.Terms) -> (Subscription, @Sendable () -> Void)?

  private let start: FileSystemObserver.Start

  /// Makes a feed of a scope.
  init(
    of scope: FileSystemObserver.Scope, startingWith start: FileSystemObserver.Start,
    register: @escaping @Sendable (Subscription.Terms) -> (Subscription, @Sendable () -> Void)?
  ) {
    self.start = start
    self.register = register
    begin(scope)
  }

  /// Begins again, with another scope.
  func begin(_ scope: FileSystemObserver.Scope) {
    let terms = Subscription.Terms(scope: scope, details: .properties, start: start)
    let registered = register(terms)
    let former = state.withLock { state -> Source? in
      defer { state.source = registered.map { Source(subscription: $0.0, remove: $0.1) } }
      return state.source
    }
    former?.end()
    registered?.0.onNews { [weak self] in self?.wake() }
  }

  /// Takes the next event; `nil` if none waits.
  ///
  /// Never waits for an event; a reset waits for the observer's current step.
  func next() -> FileSystemObserver.Event? {
    guard let subscription = state.withLock({ $0.source?.subscription }) else { return nil }
    if case .event(let event) = subscription.next() { return event }
    state.withLock { state in
      state.hasNews = false
      state.signal?.clear()
    }
    // An event announced between the two calls is taken here, or has woken those who wait.
    switch subscription.next() {
    case .event(let event):
      wake()
      return event
    case .finished: end()
    case .nothing: break
    }
    return nil
  }

  /// Whether events may wait.
  var hasNews: Bool { state.withLock { $0.hasNews } }

  /// Has those who wait look for news.
  func wake() {
    let waiting = state.withLock { state in
      state.hasNews = true
      state.signal?.send()
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume() }
  }

  /// Ends the registration; nothing waits any more.
  func end() {
    let source = state.withLock { state -> Source? in
      state.isEnded = true
      return state.source.take()
    }
    source?.end()
    wake()
  }

  /// The descriptor that is readable while events wait; -1 if no descriptor is available.
  var fileDescriptor: CInt {
    state.withLock { state in
      if state.signal == nil {
        state.signal = try? WakeSignal()
        if state.hasNews { state.signal?.send() }
      }
      return state.signal?.descriptor.number ?? -1
    }
  }

  /// Waits until events may wait; returns `false` if the feed has ended or the task is cancelled.
  func waitForNews() async -> Bool {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          if state.hasNews || state.isEnded || Task.isCancelled { return false }
          state.waiting[number] = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
    return !Task.isCancelled && state.withLock { !$0.isEnded }
  }
}

extension LiveFeed.Source {
  fileprivate func end() {
    remove()
    subscription.invalidate()
  }
}
