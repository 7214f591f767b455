internal import CLinux

/// A moment of a monotonic clock in nanoseconds, also of the simulation's virtual clock.
package struct MonotonicTime: Comparable, Hashable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// `CLOCK_MONOTONIC` now.
  package static var now: MonotonicTime {
    MonotonicTime(nanoseconds: clinux_monotonic_nanoseconds())
  }

  package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  package static func + (left: MonotonicTime, right: Int64) -> MonotonicTime {
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right)
    // An overflow becomes the end of time.
    return MonotonicTime(nanoseconds: overflow ? (right < 0 ? .min : .max) : sum)
  }

  package static func - (left: MonotonicTime, right: MonotonicTime) -> Int64 {
    left.nanoseconds &- right.nanoseconds
  }

  /// The earlier of two optional moments.
  package static func earlier(_ first: MonotonicTime?, _ second: MonotonicTime?) -> MonotonicTime? {
    guard let first, let second else { return first ?? second }
    return min(first, second)
  }
}

extension Duration {
  /// The duration in nanoseconds, limited to 64 bits.
  package var wholeNanoseconds: Int64 {
    let (seconds, overflow) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return components.seconds < 0 ? .min : .max }
    let (sum, tooLong) = seconds.addingReportingOverflow(components.attoseconds / 1_000_000_000)
    return tooLong ? (seconds < 0 ? .min : .max) : sum
  }
}
