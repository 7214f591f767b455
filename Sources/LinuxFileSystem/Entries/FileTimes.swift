import Glibc

/// The times that `futimens(2)` and `utimensat(2)` set.
enum FileTimes {
  /// The time of the last change of content, in nanoseconds since the epoch; the time of the last access stays.
  static func modified(_ nanoseconds: Int64) -> [timespec] {
    let omitted = 0x3fff_fffe  // UTIME_OMIT
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    // Times before 1970 are negative; the nanoseconds never are.
    let modified = timespec(
      tv_sec: Int(rest < 0 ? seconds - 1 : seconds), tv_nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
    return [timespec(tv_sec: 0, tv_nsec: omitted), modified]
  }
}
