/// Two operations of a recording, and how much time there may be between them: otherwise, what a person would say of it
/// is something else.
struct TimeWindow: Equatable {
  /// How much, in milliseconds.
  enum Rule: Equatable {
    case atMost(Double)
    case atLeast(Double)
    case notBetween(Double, Double)
  }

  var first: Int
  var last: Int
  var rule: Rule

  /// The time that is allowed instead of another.
  func allowed(for time: Double) -> Double {
    switch rule {
    case .atMost(let longest): min(time, longest)
    case .atLeast(let shortest): max(time, shortest)
    case .notBetween(let longest, let shortest): time >= shortest ? time : min(time, longest)
    }
  }
}
