import LinuxFileSystem

/// Tells a burst of events, by how many were read within a while.
///
/// Events that become no hints count, too: a mark of a file system reports what any program does anywhere on it.
struct ReadingPace {
  /// In nanoseconds.
  static let span: Int64 = 10_000_000
  /// So many events within that time are a burst: more than a program makes that saves a document.
  static let burst = 24

  private var begin = MonotonicTime(nanoseconds: .min / 2)
  private var count = 0
  /// How many there were in the time before.
  private var former = 0

  /// Counts events that were read; whether they are part of a burst.
  mutating func note(_ events: Int, at now: MonotonicTime) -> Bool {
    let elapsed = now - begin
    if elapsed >= Self.span {
      former = elapsed < 2 * Self.span ? count : 0
      count = 0
      begin = now
    }
    count += events
    return max(count, former) >= Self.burst
  }
}
