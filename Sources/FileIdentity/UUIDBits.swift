/// The 128 bits of a UUID, as two words: what the graph stores and the scan parses without an allocation.
package struct UUIDBits: Hashable, Sendable {
  package var high: UInt64
  package var low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The number of characters of the text form.
  package static let textLength = 36
}

extension UUIDBits {
  /// Reads the text form: 36 ASCII characters, in either case, with hyphens after 8, 12, 16 and 20 digits.
  ///
  /// Anything else is none.
  package init?(text: some RandomAccessCollection<UInt8>) {
    guard text.count == Self.textLength else { return nil }
    var words: (UInt64, UInt64) = (0, 0)
    var digits = 0
    var position = 0
    for byte in text {
      defer { position += 1 }
      if Self.isHyphenPosition(position) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Self.hexadecimalDigit(byte) else { return nil }
      if digits < 16 { words.0 = words.0 << 4 | digit } else { words.1 = words.1 << 4 | digit }
      digits += 1
    }
    self.init(high: words.0, low: words.1)
  }

  /// Writes the 36 lower-case characters.
  package func copyText(to text: inout InlineArray<36, UInt8>) {
    var digits = 0
    for position in 0..<Self.textLength {
      if Self.isHyphenPosition(position) {
        text[position] = UInt8(ascii: "-")
        continue
      }
      let word = digits < 16 ? high : low
      let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (digits & 15))) & 15
      text[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      digits += 1
    }
  }

  private static func isHyphenPosition(_ position: Int) -> Bool {
    position == 8 || position == 13 || position == 18 || position == 23
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}

extension UUIDBits: CustomStringConvertible {
  /// The text form in lower case.
  package var description: String {
    var text = InlineArray<36, UInt8>(repeating: 0)
    copyText(to: &text)
    return unsafe String(unsafeUninitializedCapacity: Self.textLength) { buffer in
      for index in text.indices { unsafe buffer.initializeElement(at: index, to: text[index]) }
      return Self.textLength
    }
  }
}
