import Glibc

/// How processor time grows with the number of things there are.
///
/// The time of this thread alone is measured, so that a busy machine does not disturb it; the shortest of several runs
/// counts. The log says what was measured.
package enum Growth {
  /// What four times as many may take at most, as a multiple: each costs the same, or nearly.
  ///
  /// Where each costs as much as there are others, it is sixteen times.
  package static let linear = 9.0

  /// How many times as long something takes for four times as many things.
  package static func ofFourfold(_ count: Int, named name: String = #function, _ run: (Int) -> Void) -> Double {
    let few = (0..<3).map { _ in time { run(count) } }.min() ?? 1
    let many = (0..<3).map { _ in time { run(4 * count) } }.min() ?? 1
    return growth(name, count, from: few, to: many)
  }

  /// What four times as many others may make of the time that one thing takes: hardly anything.
  package static let none = 2.5

  /// How many times as long something takes where there are four times as many others.
  package static func besideFourfold<State: ~Copyable>(
    _ count: Int, named name: String = #function, prepare: (Int) -> State, _ run: (inout State) -> Void
  ) -> Double {
    let times = [count, 4 * count].map { count in
      (0..<3).map { _ in
        var state = prepare(count)
        return time { run(&state) }
      }.min() ?? 1
    }
    return growth(name, count, from: times[0], to: times[1])
  }

  private static func growth(_ name: String, _ count: Int, from few: Double, to many: Double) -> Double {
    print("cost: \(name): \(count) in \(Int(few * 1e6)) us, \(4 * count) in \(Int(many * 1e6)) us")
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
