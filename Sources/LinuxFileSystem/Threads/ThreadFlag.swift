import Glibc

/// A flag of each thread, for instance that it is within a callback.
@safe
package final class ThreadFlag: Sendable {
  private let key: pthread_key_t

  /// `pthread_key_create(3)`.
  ///
  /// Use it for a few static flags: a process has 1024 keys.
  package init() {
    var key = pthread_key_t()
    // Without a key the flag is never set, which only costs an avoidable wait.
    self.key = unsafe pthread_key_create(&key, nil) == 0 ? key : pthread_key_t.max
  }

  /// Whether the flag is set on this thread.
  package var isSet: Bool { unsafe pthread_getspecific(key) != nil }

  /// Runs `body` with the flag set.
  package func whileSet(_ body: () -> Void) {
    let before = unsafe pthread_getspecific(key)
    _ = unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    body()
    _ = unsafe pthread_setspecific(key, before)
  }
}
