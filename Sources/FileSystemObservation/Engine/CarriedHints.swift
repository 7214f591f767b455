import FileEvents
import LinuxFileSystem

/// Hints at the end of a batch that may be the first half of something.
struct CarriedHints {
  var hints: [Hint] = []
  /// The number of the first.
  var first: UInt64 = 0
  /// The number of the hint that follows the last.
  var next: UInt64 = 0
  /// When they are to be judged as they are.
  var due: MonotonicTime?

  func isOverdue(_ now: MonotonicTime) -> Bool { due.map { $0 <= now } ?? false }
}
