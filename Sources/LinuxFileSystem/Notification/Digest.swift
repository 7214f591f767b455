/// A keyed digest of 128 bits.
///
/// Collisions are negligible.
///
/// The keys, among them the multipliers, are random in each process: nobody can construct a collision, and a digest
/// must not be stored.
package struct Digest: Hashable, Sendable {
  package private(set) var high: UInt64
  package private(set) var low: UInt64

  private static let seeds = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
  private static let multipliers = (multiplier(), multiplier())

  /// A large odd number, so that no bit of a word is lost.
  private static func multiplier() -> UInt64 { .random(in: 1 << 62 ... .max) | 1 }

  package init() {
    (high, low) = Self.seeds
  }

  /// The digest of nothing that this process has seen, for replaying what another process has noted.
  package init(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  package mutating func combine(_ word: UInt64) {
    high = Self.mix(high ^ word, Self.multipliers.0)
    low = Self.mix(low &+ word, Self.multipliers.1) ^ high
  }

  package mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + 8 <= bytes.count {
      combine(unsafe bytes.word(at: offset))
      offset += 8
    }
    // The length distinguishes trailing zero bytes.
    combine(unsafe bytes.word(at: offset) | UInt64(truncatingIfNeeded: bytes.count) << 56)
  }

  private static func mix(_ value: UInt64, _ multiplier: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: multiplier)
    return product.high ^ product.low
  }

  /// The bits are evenly distributed already.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(low)
  }
}

extension UnsafeRawBufferPointer {
  /// Eight bytes at an offset as a little-endian number; bytes beyond the end are zero.
  func word(at offset: Int) -> UInt64 {
    if offset + 8 <= count {
      return unsafe UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    var word: UInt64 = 0
    var index = count
    while index > offset {
      index -= 1
      unsafe word = word << 8 | UInt64(self[index])
    }
    return word
  }
}
