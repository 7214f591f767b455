import Glibc

/// The arguments of `futimens(2)` and `utimensat(2)`.
enum FileTimes {
  /// Sets the modification time, in nanoseconds since the epoch, and keeps the access time.
  static func modified(_ nanoseconds: Int64) -> [timespec] {
    let omitted = 0x3fff_fffe  // UTIME_OMIT
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    // Seconds before 1970 are negative, nanoseconds are not.
    let modified = timespec(
      tv_sec: Int(rest < 0 ? seconds - 1 : seconds), tv_nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
    return [timespec(tv_sec: 0, tv_nsec: omitted), modified]
  }
}
