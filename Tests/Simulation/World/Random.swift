/// A random number generator whose whole course follows from its seed (splitmix64).
package struct Random: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

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
