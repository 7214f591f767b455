extension FileSystemObserver {
  /// Whether events wait for ``resume()``; `false` at first.
  public var isSuspended: Bool { hub.isSuspended }

  /// Withholds all events from all listeners until ``resume()``.
  ///
  /// Observation goes on: ``snapshot()`` and look-ups answer with the current state, and operations work as ever.
  /// Events wait in the listeners' buffers, also those of listeners added meanwhile. Nothing is lost, and the order is
  /// kept. A listener whose buffer overflows gets ``Event/reset(_:_:)`` with ``ResetReason/fellBehind`` afterwards,
  /// also one with ``WhenFull/wait``: observation does not wait for a suspended listener. ``synchronize(writingTags:)`` does not
  /// wait for the delivery of what is withheld.
  ///
  /// Suspension is a plain state: calls do not nest, a second one does nothing, and it outlasts ``stop()`` and
  /// ``start()``. ``stop()`` ends sequences all the same; they first deliver what has waited. If observation ends by
  /// itself, sequences end at ``resume()`` or ``stop()``, and ``Event/didEnd(_:)`` waits for ``resume()``.
  ///
  /// It may be called on any thread, also in a notification block, and does not block. When it returns, listeners take
  /// no further event; a block that is called with an event taken before may still run.
  public func suspend() { hub.setSuspended(true) }

  /// Delivers the events that have waited since ``suspend()``, and from then on events as they happen.
  ///
  /// Does nothing if the observer is not suspended. It may be called on any thread, also in a notification block, and
  /// does not wait for the delivery.
  public func resume() { hub.setSuspended(false) }
}
