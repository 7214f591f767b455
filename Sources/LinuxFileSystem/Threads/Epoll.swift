internal import CLinux
package import SystemPackage

/// `epoll(7)` on a few descriptors that are read.
package struct Epoll: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  package init() throws(Errno) {
    descriptor = OwnedDescriptor(owning: try retryingOnInterrupt { clinux_epoll_create() })
  }

  /// `epoll_ctl(2)`: from now on `wait` returns the token when the descriptor can be read.
  package borrowing func add(_ other: borrowing OwnedDescriptor, token: UInt64) throws(Errno) {
    let epoll = descriptor.number
    let number = other.number
    _ = try retryingOnInterrupt { clinux_epoll_add(epoll, number, token) }
  }

  /// The same where several wait for one descriptor: of those that do, the one that added it first is woken, and no
  /// other (`EPOLLEXCLUSIVE`).
  package borrowing func addExclusively(_ other: borrowing OwnedDescriptor, token: UInt64) throws(Errno) {
    let epoll = descriptor.number
    let number = other.number
    _ = try retryingOnInterrupt { clinux_epoll_add_exclusive(epoll, number, token) }
  }

  /// The same for a file whose changes are urgent events: the table of mounts is one.
  package borrowing func addChanges(of other: borrowing OwnedDescriptor, token: UInt64) throws(Errno) {
    let epoll = descriptor.number
    let number = other.number
    _ = try retryingOnInterrupt { clinux_epoll_add_urgent(epoll, number, token) }
  }

  /// `epoll_wait(2)` until a time, to the millisecond after it; nothing when that has come.
  ///
  /// - Parameter deadline: The time; for ever without.
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
