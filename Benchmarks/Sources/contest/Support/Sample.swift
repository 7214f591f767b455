/// Measured times, and what is said of them.
struct Sample {
  private var times: [Duration] = []

  mutating func append(_ time: Duration) { times.append(time) }

  /// The time that so many of a thousand do not exceed.
  func quantile(_ thousandths: Int) -> Duration {
    guard !times.isEmpty else { return .zero }
    let rank = (times.count * thousandths + 999) / 1_000
    return times.sorted()[max(0, min(times.count, rank) - 1)]
  }

  var count: Int { times.count }
}
