import ObservationCorpus

/// What a recording leaves open, chosen at random: how long it takes from call to call, when the observer takes events
/// and looks, and what happens while it does.
struct Schedule {
  /// How events are taken.
  enum Taking: CaseIterable {
    case together, oneByOne, few
  }

  /// The recording with the times of this schedule.
  let recording: Recording
  var random: Random
  let taking: Taking
  /// How often, out of sixteen calls of the program, events are taken before the next.
  let eagerness: Int
  /// How long events wait at most, in nanoseconds; none are taken before the end where that is nothing.
  let lag: Int64?
  /// How late the observer looks at most, in nanoseconds.
  let lateness: Int64
  /// How often, out of a thousand calls of the observer, the program goes on before it.
  let interludes: Int
  /// For how long the observer is kept from its next call at most, in nanoseconds.
  let preemption: Int64
  /// How often, out of a hundred renames, other events come between the two of it.
  let halves: Int
  let includesHidden: Bool
  /// Whether everything was made long before the observer began.
  let isOld: Bool

  init(_ recording: Recording, seed: UInt64) {
    var random = Random(seed: Self.mix(seed, recording.case))
    var timed = recording
    timed.setTimes(TimePlan(recording, &random).times)
    self.recording = timed
    taking = random.pick(Taking.allCases) ?? .together
    eagerness = random.pick([0, 0, 1, 4, 16]) ?? 0
    // Events say nothing of their time: what comes late comes together.
    let lags: [Int64?] = [0, 100_000, 5_000_000, 60_000_000, 300_000_000, nil]
    lag = random.pick(recording.hasLongAbsence ? Array(lags.prefix(3)) : lags) ?? 0
    lateness = random.pick([0, 0, 2_000_000, 80_000_000]) ?? 0
    interludes = random.pick([0, 0, 5, 50, 200]) ?? 0
    preemption = random.pick([0, 1_000_000, 30_000_000]) ?? 0
    halves = random.pick([0, 10, 50]) ?? 0
    includesHidden = random.chance(1, of: 4)
    isOld = random.chance(1, of: 2)
    self.random = random
  }

  /// Of one seed, every recording has a schedule of its own.
  private static func mix(_ seed: UInt64, _ name: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return hash ^ (seed &* 0x9e37_79b9_7f4a_7c15)
  }
}

/// The times of the operations of a recording, within what it allows.
private struct TimePlan {
  /// The times from operation to operation, in milliseconds.
  private var gaps: [Double]

  init(_ recording: Recording, _ random: inout Random) {
    let times = recording.operations.map(\.ms)
    let recorded = zip(times, times.dropFirst()).map { max(0, $1 - $0) }
    gaps = recorded
    switch random.below(6) {
    case 0: break
    case 1: gaps = recorded.map { _ in 0 }
    case 2:
      let factor = Double(1 + random.below(64)) / 8
      gaps = recorded.map { $0 * factor }
    default: gaps = recorded.map { Self.gap(like: $0, &random) }
    }
    let windows = WindowFinder.windows(of: recording)
    // To keep one may break another; those that are short are kept last.
    let short = windows.filter { if case .atMost = $0.rule { true } else { false } }
    for _ in 0..<3 {
      for window in windows + short { keep(window) }
    }
  }

  var times: [Double] {
    var now = 0.0
    return [0]
      + gaps.map { gap in
        now += gap
        return now
      }
  }

  private static func gap(like recorded: Double, _ random: inout Random) -> Double {
    switch random.below(3) {
    case 0: return 0
    case 1: return recorded
    default: return Double(random.time(1_000, Int64(max(100, 4 * recorded) * 1_000_000))) / 1_000_000
    }
  }

  private mutating func keep(_ window: TimeWindow) {
    let range = window.first..<window.last
    let time = gaps[range].reduce(0, +)
    let allowed = window.allowed(for: time)
    if allowed < time {
      for index in range { gaps[index] *= allowed / time }
    } else if allowed > time, let longest = range.max(by: { gaps[$0] < gaps[$1] }) {
      gaps[longest] += allowed - time
    }
  }
}

extension Recording {
  /// Whether something is missing for so long that it counts as gone, and comes back.
  fileprivate var hasLongAbsence: Bool {
    WindowFinder.windows(of: self).contains { if case .atLeast = $0.rule { true } else { false } }
  }

  fileprivate mutating func setTimes(_ times: [Double]) {
    for (index, time) in zip(operations.indices, times) { operations[index].ms = time }
  }
}
