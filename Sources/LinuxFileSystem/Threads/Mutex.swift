/// A value that only one thread at a time can touch.
///
/// What `Synchronization.Mutex` is, on a `pthread_mutex_t`: the Thread Sanitizer of Swift 6.3 on Linux does not see
/// that one, whose futex calls are in the standard library, and takes everything it guards for a race. It may be sent
/// anywhere, for its value is touched by nobody but the thread that holds the lock.
///
/// The value must not be a closure, nor an optional one: each access would wrap it once more (in two thunks), until
/// calling it overflows the stack. A struct may have one as a property.
///
/// Inlined in other modules: a call into this one would look up the type of the value each time, and box what is given
/// to it.
@safe @usableFromInline package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
  @usableFromInline let lock: NativeLock
  @usableFromInline let value: UnsafeMutablePointer<Value>

  @inlinable package init(_ initial: consuming sending Value) {
    lock = NativeLock()
    unsafe value = .allocate(capacity: 1)
    unsafe value.initialize(to: initial)
  }

  @inlinable deinit {
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }

  /// Calls `body` with the value, while no other thread has it.
  ///
  /// Not to be called within `body` again: that thread would wait for itself.
  @inlinable package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lock.take()
    defer { lock.release() }
    return try unsafe body(&value.pointee)
  }
}
