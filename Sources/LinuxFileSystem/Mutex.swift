import Glibc

/// A value that only one thread at a time can touch.
///
/// What `Synchronization.Mutex` is, on a `pthread_mutex_t`: the Thread Sanitizer of Swift 6.3 on Linux does not see that one, whose
/// futex calls are in the standard library, and takes everything it guards for a race.
/// It may be sent anywhere, for its value is touched by nobody but the thread that holds the lock.
@safe package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let value: UnsafeMutablePointer<Value>

  package init(_ initial: consuming sending Value) {
    unsafe lock = .allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(lock, nil)
    unsafe value = .allocate(capacity: 1)
    unsafe value.initialize(to: initial)
  }

  deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }

  /// Calls `body` with the value, while no other thread has it.
  ///
  /// Not to be called within `body` again: that thread would wait for itself.
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return try unsafe body(&value.pointee)
  }
}
