import Glibc

/// A `pthread_mutex_t` at a fixed address.
@safe @usableFromInline struct NativeLock: ~Copyable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  @usableFromInline init() {
    unsafe lock = .allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(lock, nil)
  }

  @usableFromInline deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  @usableFromInline borrowing func take() { unsafe pthread_mutex_lock(lock) }

  @usableFromInline borrowing func release() { unsafe pthread_mutex_unlock(lock) }
}
