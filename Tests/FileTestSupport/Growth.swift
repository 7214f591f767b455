import Glibc

/// How processor time grows with the number of things there are.
///
/// The time of this thread alone is measured, so that a busy machine does not disturb it; the shortest of several runs counts.
package enum Growth {
  /// What four times as many may take at most, as a multiple: each costs the same, or nearly.
  ///
  /// Where each costs as much as there are others, it is sixteen times.
  package static let linear = 9.0

  /// How many times as long something takes for four times as many things.
  package static func ofFourfold(_ count: Int, _ run: (Int) -> Void) -> Double {
    let few = (0..<3).map { _ in time { run(count) } }.min() ?? 1
    let many = (0..<3).map { _ in time { run(4 * count) } }.min() ?? 1
    return many / few
  }

  private static func time(_ body: () -> Void) -> Double {
    let start = processorTime
    body()
    return processorTime - start
  }

  /// In seconds.
  private static var processorTime: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
