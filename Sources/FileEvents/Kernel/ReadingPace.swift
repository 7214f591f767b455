import LinuxFileSystem

/// Tells a burst of hints, by how many were read within a while.
struct ReadingPace {
  /// In nanoseconds.
  static let span: Int64 = 10_000_000
  /// So many hints within that time are a burst.
  static let burst = 64

  private var begin = MonotonicTime(nanoseconds: .min / 2)
  private var count = 0
  /// How many there were in the time before.
  private var former = 0

  /// Counts hints that were read; whether they are part of a burst.
  mutating func note(_ hints: Int, at now: MonotonicTime) -> Bool {
    let elapsed = now - begin
    if elapsed >= Self.span {
      former = elapsed < 2 * Self.span ? count : 0
      count = 0
      begin = now
    }
    count += hints
    return max(count, former) >= Self.burst
  }
}
