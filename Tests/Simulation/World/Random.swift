import FileTestSupport

/// The choices of a simulated world, whose whole course follows from its seed.
package struct Random: RandomNumberGenerator, Sendable {
  private var bits: SplitMix64

  package init(seed: UInt64) {
    bits = SplitMix64(seed: seed)
  }

  package mutating func next() -> UInt64 { bits.next() }

  /// A number below the limit.
  package mutating func below(_ limit: Int) -> Int { limit <= 1 ? 0 : Int(next() >> 33) % limit }

  /// Whether something happens that happens `part` times out of `whole`.
  package mutating func chance(_ part: Int, of whole: Int) -> Bool { below(whole) < part }

  /// One of several.
  package mutating func pick<Element>(_ choices: [Element]) -> Element? {
    choices.isEmpty ? nil : choices[below(choices.count)]
  }

  /// A time between the two, every order of magnitude as likely as every other.
  package mutating func time(_ shortest: Int64, _ longest: Int64) -> Int64 {
    var orders = 0
    while shortest << Int64(2 * (orders + 1)) < longest { orders += 1 }
    let base = shortest << Int64(2 * below(orders + 1))
    return min(longest, base + Int64(below(Int(base * 3))))
  }
}
