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

  /// The same where several wait for one descriptor: of those that do, the one that added it first is woken, and no other
  /// (`EPOLLEXCLUSIVE`).
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
  package borrowing func wait(until deadline: MonotonicTime) throws(Errno) -> UInt64? {
    let epoll = descriptor.number
    var token: UInt64 = 0
    let count = try retryingOnInterrupt {
      let left = max(0, deadline - MonotonicTime.now)
      return unsafe clinux_epoll_wait(epoll, CInt(clamping: (left + 999_999) / 1_000_000), &token)
    }
    return count == 0 ? nil : token
  }

  /// `epoll_wait(2)` without a time limit.
  package borrowing func wait() throws(Errno) -> UInt64 {
    let epoll = descriptor.number
    var token: UInt64 = 0
    while try retryingOnInterrupt({ unsafe clinux_epoll_wait(epoll, -1, &token) }) == 0 {}
    return token
  }
}
