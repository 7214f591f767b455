import CFloor

/// A moment of the monotonic clock.
struct Moment: Comparable, Sendable {
  var nanoseconds: Int64

  static var now: Moment { Moment(nanoseconds: cfloor_nanoseconds()) }

  static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

  static func - (left: Moment, right: Moment) -> Duration { .nanoseconds(left.nanoseconds - right.nanoseconds) }
}

extension Duration {
  var milliseconds: Double { Double(components.seconds) * 1e3 + Double(components.attoseconds) * 1e-15 }
}
