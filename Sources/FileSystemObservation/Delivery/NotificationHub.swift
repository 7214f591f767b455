import LinuxFileSystem

/// Someone who is told of notifications.
protocol Listener: AnyObject, Sendable {
  /// Takes a notification in; called by the engine, one at a time.
  func post(_ notification: ObservationNotification)
  /// Ends the delivery.
  func invalidate()
  /// Takes in that observation has ended, and that nothing is told until it begins anew.
  func endObservation()
  /// Whether the engine may be kept waiting: not while it is being stopped.
  func allowWaiting(_ allowed: Bool)
}

/// The listeners of one observer.
final class NotificationHub: Sendable {
  private struct State: Sendable {
    var listeners: [(number: Int, listener: any Listener)] = []
    var nextNumber = 0
    /// How often observation has ended.
    var endCount = 0
  }

  private let state = Mutex(State())

  /// How often observation has ended.
  var endCount: Int { state.withLock { $0.endCount } }

  /// Adds a listener, until the token is invalidated or dropped.
  ///
  /// - Parameter endCount: For a listener that is told nothing after the next end of observation, how often it had ended before.
  func add(_ listener: any Listener, since endCount: Int? = nil) -> NotificationToken {
    let (number, hasEnded) = state.withLock { state -> (Int, Bool) in
      defer { state.nextNumber += 1 }
      let hasEnded = endCount.map { $0 != state.endCount } ?? false
      if !hasEnded { state.listeners.append((state.nextNumber, listener)) }
      return (state.nextNumber, hasEnded)
    }
    if hasEnded { listener.endObservation() }
    return NotificationToken { [weak self] in
      self?.remove(number)
      listener.invalidate()
    }
  }

  private func remove(_ number: Int) {
    state.withLock { state in state.listeners.removeAll { $0.number == number } }
  }

  private var listeners: [any Listener] { state.withLock { $0.listeners.map(\.listener) } }

  /// Tells every listener.
  ///
  /// The list is taken first: a block may add and remove listeners.
  func post(_ notification: ObservationNotification) {
    for listener in listeners { listener.post(notification) }
  }

  /// Whether nobody would be told.
  var isEmpty: Bool { state.withLock { $0.listeners.isEmpty } }

  /// Tells every listener that observation has ended, and why if it ended by itself.
  ///
  /// Whoever begins to listen meanwhile listens to what comes next.
  func endObservation(_ error: ObservationError? = nil) {
    let listeners = noteEnd()
    if let error {
      for listener in listeners { listener.post(.didEnd(error)) }
    }
    for listener in listeners { listener.endObservation() }
  }

  /// Counts an end of observation.
  ///
  /// - Returns: Whoever has listened until now.
  private func noteEnd() -> [any Listener] {
    state.withLock { state in
      state.endCount += 1
      return state.listeners.map(\.listener)
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
