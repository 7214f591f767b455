internal import Glibc

/// A lock that many readers or one writer can hold.
@safe
package final class ReadWriteLock: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_rwlock_t>

  package init() {
    unsafe lock = .allocate(capacity: 1)
    unsafe pthread_rwlock_init(lock, nil)
  }

  deinit {
    unsafe pthread_rwlock_destroy(lock)
    unsafe lock.deallocate()
  }

  package func reading<Value>(_ body: () throws -> Value) rethrows -> Value {
    _ = unsafe pthread_rwlock_rdlock(lock)
    defer { _ = unsafe pthread_rwlock_unlock(lock) }
    return try body()
  }

  package func writing<Value>(_ body: () throws -> Value) rethrows -> Value {
    _ = unsafe pthread_rwlock_wrlock(lock)
    defer { _ = unsafe pthread_rwlock_unlock(lock) }
    return try body()
  }
}
