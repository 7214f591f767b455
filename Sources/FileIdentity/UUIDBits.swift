/// The 128 bits of a UUID, as two words: what the graph stores and the scan parses without an allocation.
///
/// `@usableFromInline` shows it to the optimizer of other modules, as with the other types that are compared for each
/// file of a scan: without, each comparison is a call through a witness table (callgrind: 550 of 4,650 instructions a
/// file).
@usableFromInline package struct UUIDBits: Hashable, Comparable, Sendable {
  package var high: UInt64
  package var low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The number of characters of the text form.
  package static let textLength = 36

  @usableFromInline package static func < (one: UUIDBits, other: UUIDBits) -> Bool {
    (one.high, one.low) < (other.high, other.low)
  }
}

extension UUIDBits {
  /// Reads the text form: 36 ASCII characters, in either case, with hyphens after 8, 12, 16 and 20 digits.
  ///
  /// Anything else is none. A scan reads one for each file: eight digits at a time take an eighth of the instructions
  /// that they take one by one (callgrind: 980 a UUID, of 6,000 a file).
  package init?(text: Span<UInt8>) {
    guard text.count == Self.textLength, text[8] == Self.hyphen, text[13] == Self.hyphen, text[18] == Self.hyphen,
      text[23] == Self.hyphen, let first = Self.value(of: Self.eight(text, 0, 4)),
      let second = Self.value(of: Self.eight(text, 9, 14)), let third = Self.value(of: Self.eight(text, 19, 24)),
      let last = Self.value(of: Self.eight(text, 28, 32))
    else { return nil }
    self.init(high: first << 32 | second, low: third << 32 | last)
  }

  private static let hyphen = UInt8(ascii: "-")

  /// Twice four bytes, the first of them lowest; the positions must be within the text.
  private static func eight(_ text: Span<UInt8>, _ first: Int, _ second: Int) -> UInt64 {
    let low = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: first, as: UInt32.self)
    let high = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: second, as: UInt32.self)
    return UInt64(UInt32(littleEndian: low)) | UInt64(UInt32(littleEndian: high)) << 32
  }

  /// The value of eight hexadecimal digits, of which the first is the lowest byte.
  private static func value(of text: UInt64) -> UInt64? {
    let each: UInt64 = 0x0101_0101_0101_0101
    let letters = text >> 6 & each
    let digits = (text & (15 * each)) &+ letters &* 9
    // Whatever is a digit comes out as it went in; `& 15` above has made one of anything else.
    let isLetter = (digits &+ 6 &* each) >> 4 & each
    let written = digits &+ 0x30 &* each &+ isLetter &* 39
    guard digits & (0xf0 &* each) == 0, written == text | letters << 5 else { return nil }
    let pairs = digits.byteSwapped
    let bytes = (pairs | pairs >> 4) & 0x00ff_00ff_00ff_00ff
    let halves = (bytes | bytes >> 8) & 0x0000_ffff_0000_ffff
    return (halves | halves >> 16) & 0xffff_ffff
  }

  /// Writes the 36 lower-case characters.
  package func copyText(to text: inout InlineArray<36, UInt8>) {
    (text[8], text[13]) = (Self.hyphen, Self.hyphen)
    (text[18], text[23]) = (Self.hyphen, Self.hyphen)
    var (high, low) = (high, low)
    Self.takeDigits(of: &high, to: &text, 0..<8)
    Self.takeDigits(of: &high, to: &text, 9..<13)
    Self.takeDigits(of: &high, to: &text, 14..<18)
    Self.takeDigits(of: &low, to: &text, 19..<23)
    Self.takeDigits(of: &low, to: &text, 24..<36)
  }

  /// The first of them go to the text, and the next are the first then.
  @inline(__always)
  private static func takeDigits(of word: inout UInt64, to text: inout InlineArray<36, UInt8>, _ range: Range<Int>) {
    for position in range {
      let digit = UInt8(truncatingIfNeeded: word >> 60)
      text[position] = digit &+ UInt8(ascii: "0") &+ (digit < 10 ? 0 : UInt8(ascii: "a") &- UInt8(ascii: "0") &- 10)
      word <<= 4
    }
  }
}

extension UUIDBits: CustomStringConvertible {
  /// The text form in lower case.
  @usableFromInline package var description: String {
    var text = InlineArray<36, UInt8>(repeating: 0)
    copyText(to: &text)
    return unsafe String(unsafeUninitializedCapacity: Self.textLength) { buffer in
      for index in text.indices { unsafe buffer.initializeElement(at: index, to: text[index]) }
      return Self.textLength
    }
  }
}
