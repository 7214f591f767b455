import LinuxFileSystem
import SystemPackage

extension FileSystemObserver {
  /// The events that have been announced to one listener and that it has not taken yet.
  ///
  /// The base of all other ways to listen, for programs with a main loop of their own, and for other languages: wait
  /// until the ``fileDescriptor`` is readable, with poll(2), epoll(7), GLib, Qt, libuv or asyncio, and take what there
  /// is.
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
  /// It belongs to whoever takes from it and is not `Sendable`; the observer puts events in from threads of its own. It
  /// ends when it is let go of. An observer that is started again goes on filling it.
  public final class EventQueue {
    private let subscription: Subscription
    private let signal: WakeSignal
    private let remove: @Sendable () -> Void

    init(_ subscription: Subscription, remove: @escaping @Sendable () -> Void) throws(Errno) {
      self.subscription = subscription
      self.remove = remove
      let signal = try WakeSignal()
      self.signal = signal
      subscription.onNews { signal.send() }
    }

    deinit {
      remove()
      subscription.invalidate()
    }

    /// Readable while something waits to be taken, for poll(2) and the like.
    ///
    /// It may be readable once without anything waiting. Do not read from it, and do not close it: it is the queue's.
    public var fileDescriptor: CInt { signal.descriptor.number }

    /// The next event; `nil` where none waits, or the observer is gone.
    ///
    /// It never waits for an event. A ``Event/reset(_:_:)`` waits for the end of the step that the observer is in: some
    /// milliseconds at most, but for the rescan of a large tree.
    public func next() -> Event? {
      if case .event(let event) = subscription.next() { return event }
      signal.clear()
      // What was announced between the two made the descriptor readable, or is taken here.
      if case .event(let event) = subscription.next() {
        signal.send()
        return event
      }
      return nil
    }

    /// Takes events until none waits.
    ///
    /// - Parameters:
    ///   - limit: How many are taken at most, so that a main loop can do other work in between.
    ///   - body: Called with each event.
    /// - Returns: How many were taken.
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
