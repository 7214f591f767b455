package import LinuxFileSystem
package import SystemPackage

/// One thread's wait for a signal, and for the events of sources that have threads of their own to read them.
///
/// While it waits, the kernel wakes it instead of those: an event is there one change of threads sooner. While it does
/// something else, they read.
package final class EventWait: Sendable {
  /// What ended a wait.
  package enum End: Equatable, Sendable {
    case events
    case signal
    case time
  }

  private let epoll: Epoll
  private let signal: WakeSignal
  private static let eventsToken: UInt64 = 1
  private static let signalToken: UInt64 = 2

  package init(_ signal: WakeSignal) throws(Errno) {
    self.signal = signal
    epoll = try Epoll()
    try epoll.add(signal.descriptor, token: Self.signalToken)
  }

  /// Waits for events from now on: before whoever reads them otherwise adds their descriptor, for the first is woken.
  func add(_ events: borrowing OwnedDescriptor) throws(Errno) {
    try epoll.addExclusively(events, token: Self.eventsToken)
  }

  /// Waits until there are events, a signal was sent, or a time has come.
  ///
  /// - Parameter deadline: The time; for ever without.
  package func wait(until deadline: MonotonicTime?) -> End {
    let token: UInt64?
    do {
      token = try epoll.wait(until: deadline)
    } catch {
      // The readers still read, and signal.
      signal.wait(nanoseconds: deadline.map { max(0, $0 - .now) })
      return .signal
    }
    switch token {
    case Self.eventsToken: return .events
    case Self.signalToken:
      signal.clear()
      return .signal
    default: return .time
    }
  }
}
