internal import CTestSystem

/// A moment of the monotonic clock.
package struct Moment: Comparable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package static var now: Moment { Moment(nanoseconds: ctest_monotonic_nanoseconds()) }

  package static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

  package static func + (left: Moment, right: Duration) -> Moment {
    let (seconds, attoseconds) = right.components
    return Moment(nanoseconds: left.nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  package static func - (left: Moment, right: Moment) -> Duration {
    .nanoseconds(left.nanoseconds - right.nanoseconds)
  }

  /// Blocks the thread until this moment: for replaying operations at known times, never for awaiting anything.
  package func sleep() { ctest_sleep_until(nanoseconds) }
}
