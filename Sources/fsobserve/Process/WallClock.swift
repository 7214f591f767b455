import Glibc

/// The real-time clock.
enum WallClock {
  /// The time in nanoseconds since the beginning of 1970.
  static var nanoseconds: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
