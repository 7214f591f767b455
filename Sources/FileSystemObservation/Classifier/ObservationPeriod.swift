import LinuxFileSystem

/// When observation began, and since when it has missed nothing.
struct ObservationPeriod: Sendable {
  var began: MonotonicTime?
  /// The wall clock at `began`, in nanoseconds.
  var beganOnWallClock = Int64.min / 2
  /// Since when no event was lost.
  var hasSeenAllSince: MonotonicTime?
}
