package import LinuxFileSystem
import Synchronization
package import SystemPackage

/// A wait of one thread for a signal, or for events of sources that have reading threads.
///
/// The kernel wakes the waiting thread instead of the reading threads: events arrive one thread switch sooner. While
/// the thread works, and in a burst, the others read.
package final class EventWait: Sendable {
  /// What ended a wait.
  package enum End: Equatable, Sendable {
    case events
    case signal
    case time
  }

  private let epoll: Epoll
  private let signal: WakeSignal
  /// Until when only a signal ends a wait, in nanoseconds.
  private let burstEnd = Atomic<Int64>(0)
  private static let eventsToken: UInt64 = 1
  private static let signalToken: UInt64 = 2

  package init(_ signal: WakeSignal) throws(Errno) {
    self.signal = signal
    epoll = try Epoll()
    try epoll.add(signal.descriptor, token: Self.signalToken)
  }

  /// Adds a queue of events.
  ///
  /// Call this before the reading thread adds it: the kernel wakes the first waiter.
  func add(_ events: borrowing OwnedDescriptor) throws(Errno) {
    try epoll.addExclusively(events, token: Self.eventsToken)
  }

  /// Has waits end only for a signal until a time: the readers' threads read, and signal what concerns the waiter.
  func leaveToReaders(until time: MonotonicTime) {
    burstEnd.store(time.nanoseconds, ordering: .relaxed)
  }

  /// Waits for events, a signal, or a time.
  ///
  /// - Parameter deadline: The time; without it, the wait has no limit.
  package func wait(until deadline: MonotonicTime?) -> End {
    waitInBurst(until: deadline) ?? waitForAll(until: deadline)
  }

  /// Waits for a signal or the time; `nil` when there is no burst, or it is over.
  private func waitInBurst(until deadline: MonotonicTime?) -> End? {
    while true {
      let now = MonotonicTime.now
      let end = MonotonicTime(nanoseconds: burstEnd.load(ordering: .relaxed))
      if end <= now { return nil }
      if let deadline, deadline <= now { return .time }
      if signal.wait(nanoseconds: min(end, deadline ?? end) - now) { return .signal }
    }
  }

  private func waitForAll(until deadline: MonotonicTime?) -> End {
    let token: UInt64?
    do {
      token = try epoll.wait(until: deadline)
    } catch {
      // The reading threads still read, and signal.
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
