internal import CLinux
import Glibc
package import SystemPackage

/// A lock that one process at a time can have: `flock(2)` of a file that exists for this.
///
/// The kernel releases it with the last descriptor: also when the process is killed.
package final class FileLock: Sendable {
  private let file: OwnedDescriptor

  /// Takes the lock, and makes the file if there is none.
  ///
  /// - Returns: `nil` if another process, or another part of this one, has it.
  package init?(at path: FilePath) throws(Errno) {
    let number = try unsafe path.withCString { (cString) throws(Errno) -> CInt in
      try retryingOnInterrupt {
        unsafe clinux_openat(AT_FDCWD, cString, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
      }
    }
    let file = OwnedDescriptor(owning: number)
    do throws(Errno) {
      _ = try retryingOnInterrupt { flock(number, LOCK_EX | LOCK_NB) }
    } catch {
      if error == .wouldBlock { return nil }
      throw error
    }
    self.file = file
  }

  /// Releases the lock, even if a process that was just forked still has the descriptor.
  deinit { _ = flock(file.number, LOCK_UN) }
}
