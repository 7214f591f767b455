import LinuxFileSystem

/// When observation began, and since when it is complete.
struct ObservationPeriod: Sendable {
  var began: MonotonicTime?
  /// The wall clock at `began`, in nanoseconds.
  var beganOnWallClock = Int64.min / 2
  /// When the last loss of events ended.
  var hasSeenAllSince: MonotonicTime?
}
