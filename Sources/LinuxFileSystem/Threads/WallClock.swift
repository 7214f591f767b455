internal import CLinux

/// The clock of file times.
package enum WallClock {
  /// `CLOCK_REALTIME` now, in nanoseconds since the epoch.
  package static var nanoseconds: Int64 { clinux_realtime_nanoseconds() }
}
