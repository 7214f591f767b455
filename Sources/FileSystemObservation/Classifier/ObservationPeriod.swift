import LinuxFileSystem

/// Since when the tree is observed.
struct ObservationPeriod: Sendable {
  var began: MonotonicTime?
  /// The same as time of day, in nanoseconds.
  var beganOnWallClock = Int64.min / 2
  /// Since when no event was lost.
  var hasSeenAllSince: MonotonicTime?
}
