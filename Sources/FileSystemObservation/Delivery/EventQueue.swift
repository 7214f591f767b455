import LinuxFileSystem
import SystemPackage

extension FileSystemObserver {
  /// A queue of the events that one listener has not taken yet.
  ///
  /// For programs with a main loop of their own, and for other languages: wait until ``fileDescriptor`` is readable,
  /// with poll(2), epoll(7), GLib, Qt, libuv or asyncio, then take the waiting events.
  ///
  /// ```swift
  /// let queue = try observer.makeEventQueue()
  /// try observer.start()
  /// while true {
  ///   waitUntilReadable(queue.fileDescriptor)
  ///   while let event = queue.next() { print(event) }
  /// }
  /// ```
  ///
  /// Use it from one thread at a time: it is not `Sendable`. The observer adds events on its own threads, also after
  /// another start. Deallocation ends the registration.
  public final class EventQueue {
    private let subscription: Subscription
    private let signal: WakeSignal
    private let remove: @Sendable () -> Void

    init(_ subscription: Subscription, remove: @escaping @Sendable () -> Void) throws(Errno) {
      self.subscription = subscription
      self.remove = remove
      let signal = try WakeSignal()
      self.signal = signal
      subscription.onNews({ signal.send() }, withdraw: { signal.clear() })
    }

    deinit {
      remove()
      subscription.invalidate()
    }

    /// The descriptor that is readable while an event waits, for poll(2) and the like.
    ///
    /// It may be readable once although no event waits. While the observer is suspended it is not readable, whatever
    /// waits. The queue owns it: do not read from it, and do not close it.
    public var fileDescriptor: CInt { signal.descriptor.number }

    /// Takes the next event; `nil` if no event waits, or the observer is suspended or deallocated.
    ///
    /// Never waits for an event. For a ``Event/reset(_:_:)`` it blocks until the observer's current step ends: a few
    /// milliseconds, longer for a rescan of a large tree.
    public func next() -> Event? {
      if case .event(let event) = subscription.next() { return event }
      signal.clear()
      // An event announced between the two calls made the descriptor readable, or is taken here.
      if case .event(let event) = subscription.next() {
        signal.send()
        return event
      }
      return nil
    }

    /// Takes events until no event waits.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of events to take, so that a main loop can do other work in between.
    ///   - body: Called with each event.
    /// - Returns: The number of events taken.
    @discardableResult
    public func drain(atMost limit: Int = .max, _ body: (Event) throws -> Void) rethrows -> Int {
      var count = 0
      while count < limit, let event = next() {
        count += 1
        try body(event)
      }
      return count
    }
  }
}

@available(*, unavailable)
extension FileSystemObserver.EventQueue: Sendable {}
