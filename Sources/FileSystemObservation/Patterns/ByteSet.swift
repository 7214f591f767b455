/// A set of bytes, for a `[...]` in a pattern.
struct ByteSet: Hashable, Sendable {
  private var words = SIMD4<UInt64>()

  /// Whether the set is empty.
  var isEmpty: Bool { words == SIMD4() }

  /// Whether the set has a byte.
  func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] & (1 << UInt64(byte & 63)) != 0 }

  /// Adds a byte.
  mutating func insert(_ byte: UInt8) {
    words[Int(byte >> 6)] |= 1 << UInt64(byte & 63)
  }

  /// Removes a byte.
  mutating func remove(_ byte: UInt8) {
    words[Int(byte >> 6)] &= ~(1 << UInt64(byte & 63))
  }

  /// Adds a range of bytes; none if the first is above the last.
  mutating func insert(from first: UInt8, to last: UInt8) {
    if first > last { return }
    for byte in first...last { insert(byte) }
  }

  /// Adds the bytes of another set.
  mutating func formUnion(_ other: ByteSet) {
    words |= other.words
  }

  /// Makes this the set of all other bytes.
  mutating func invert() {
    words = ~words
  }
}

extension ByteSet {
  /// The bytes of a class like `[:alpha:]`, by its name; `nil` if there is no such class.
  ///
  /// Git counts only ASCII, whatever the locale, and does not count vertical tab and form feed as space.
  init?(className: ArraySlice<UInt8>) {
    guard let ranges = Self.classes[String(decoding: className, as: UTF8.self)] else { return nil }
    for range in ranges { insert(from: range.lowerBound, to: range.upperBound) }
  }

  private static let digits: ClosedRange<UInt8> = 0x30...0x39
  private static let upper: ClosedRange<UInt8> = 0x41...0x5a
  private static let lower: ClosedRange<UInt8> = 0x61...0x7a
  private static let classes: [String: [ClosedRange<UInt8>]] = [
    "alnum": [digits, upper, lower], "alpha": [upper, lower], "blank": [0x09...0x09, 0x20...0x20],
    "cntrl": [0x00...0x1f, 0x7f...0x7f], "digit": [digits], "graph": [0x21...0x7e], "lower": [lower],
    "print": [0x20...0x7e], "punct": [0x21...0x2f, 0x3a...0x40, 0x5b...0x60, 0x7b...0x7e],
    "space": [0x09...0x0a, 0x0d...0x0d, 0x20...0x20], "upper": [upper],
    "xdigit": [digits, 0x41...0x46, 0x61...0x66],
  ]
}
