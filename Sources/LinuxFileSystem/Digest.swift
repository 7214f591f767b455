/// 128 bits that stand for more: two things that differ have the same one never.
///
/// Nobody can make two that do, for every process counts by numbers of its own, the multipliers among them. Not to be
/// kept longer than that.
package struct Digest: Hashable, Sendable {
  package private(set) var high: UInt64
  package private(set) var low: UInt64

  private static let seeds = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
  private static let multipliers = (multiplier(), multiplier())

  /// Odd, so that none of a word's bits is lost, and large.
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
    // The length, so that bytes of zero at the end count.
    combine(unsafe bytes.word(at: offset) | UInt64(truncatingIfNeeded: bytes.count) << 56)
  }

  private static func mix(_ value: UInt64, _ multiplier: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: multiplier)
    return product.high ^ product.low
  }

  /// It is evenly spread already.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(low)
  }
}

extension UnsafeRawBufferPointer {
  /// The eight bytes at an offset as a number, the first the lowest; what is beyond the end counts as zero.
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
