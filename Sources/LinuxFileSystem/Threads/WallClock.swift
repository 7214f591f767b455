internal import CLinux

/// The clock of file times.
package enum WallClock {
  /// `CLOCK_REALTIME` now, in nanoseconds since the epoch.
  package static var nanoseconds: Int64 { clinux_realtime_nanoseconds() }

  /// The granularity of file times on kernels before 6.13, at most.
  package static let tick: Int64 = 10_000_000

  /// The longest time by which two file times of one moment differ: some file systems round them to seconds.
  package static let granularity: Int64 = 1_000_000_000

  /// The nanoseconds from one file time to another.
  ///
  /// A file may be given any time. An interval that an `Int64` cannot hold becomes the longest that it can.
  package static func interval(from first: Int64, to second: Int64) -> Int64 {
    let (difference, overflow) = second.subtractingReportingOverflow(first)
    return overflow ? (second < first ? -.max : .max) : difference
  }
}
