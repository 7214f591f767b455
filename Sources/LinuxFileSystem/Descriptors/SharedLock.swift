import Glibc
package import SystemPackage

// A lock that says that a process still uses an item: `flock(2)`. The kernel releases it with the descriptor, also when
// the process is killed.

extension OwnedDescriptor {
  /// Holds a lock together with others until the descriptor is closed.
  ///
  /// Where the file system has no locks, nothing happens.
  package borrowing func holdLock() {
    let number = number
    _ = try? retryingOnInterrupt { flock(number, LOCK_SH | LOCK_NB) }
  }

  /// Whether a process, perhaps this one, holds the lock of an open item.
  ///
  /// - Throws: The reason why that cannot be known.
  package borrowing func isLocked() throws(Errno) -> Bool {
    let number = number
    do throws(Errno) {
      _ = try retryingOnInterrupt { flock(number, LOCK_EX | LOCK_NB) }
      _ = flock(number, LOCK_UN)
      return false
    } catch {
      guard error == .wouldBlock else { throw error }
      return true
    }
  }
}
