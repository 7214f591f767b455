/// A value that only one thread at a time can access.
///
/// It replaces `Synchronization.Mutex` by a `pthread_mutex_t`: the Thread Sanitizer of Swift 6.3 on Linux does not know
/// that type's futex calls, and reports races in everything it guards. It is sendable, because only the thread with the
/// lock accesses the value.
///
/// The value must not be a closure, optional or not: each access would wrap it in two further thunks, until a call
/// overflows the stack. A struct may contain a closure.
///
/// It is inlined in other modules, because generic calls across modules look up the type and box the arguments.
@safe @usableFromInline package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
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

  /// Calls `body` with exclusive access to the value.
  ///
  /// Do not call it from `body`: the thread would wait for itself.
  @inlinable package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lock.take()
    defer { lock.release() }
    return try unsafe body(&value.pointee)
  }
}
