internal import CLinux
package import SystemPackage

/// `epoll(7)` on a few readable descriptors.
package struct Epoll: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  package init() throws(Errno) {
    descriptor = OwnedDescriptor(owning: try retryingOnInterrupt { clinux_epoll_create() })
  }

  /// `epoll_ctl(2)`: `wait` returns the token when the descriptor is readable.
  package borrowing func add(_ other: borrowing OwnedDescriptor, token: UInt64) throws(Errno) {
    let epoll = descriptor.number
    let number = other.number
    _ = try retryingOnInterrupt { clinux_epoll_add(epoll, number, token) }
  }

  /// The same for a descriptor with several waiters, of which the kernel wakes only the first that added it
  /// (`EPOLLEXCLUSIVE`).
  package borrowing func addExclusively(_ other: borrowing OwnedDescriptor, token: UInt64) throws(Errno) {
    let epoll = descriptor.number
    let number = other.number
    _ = try retryingOnInterrupt { clinux_epoll_add_exclusive(epoll, number, token) }
  }

  /// The same for a file that reports changes as urgent events, such as the table of mounts.
  package borrowing func addChanges(of other: borrowing OwnedDescriptor, token: UInt64) throws(Errno) {
    let epoll = descriptor.number
    let number = other.number
    _ = try retryingOnInterrupt { clinux_epoll_add_urgent(epoll, number, token) }
  }

  /// `epoll_wait(2)` until a time, rounded up to a millisecond; nothing at that time.
  ///
  /// - Parameter deadline: The time; without it, the wait has no limit.
  package borrowing func wait(until deadline: MonotonicTime? = nil) throws(Errno) -> UInt64? {
    let epoll = descriptor.number
    var token: UInt64 = 0
    let count = try retryingOnInterrupt {
      let left = deadline.map { CInt(clamping: (max(0, $0 - MonotonicTime.now) + 999_999) / 1_000_000) }
      return unsafe clinux_epoll_wait(epoll, left ?? -1, &token)
    }
    return count == 0 ? nil : token
  }
}
