import FileIdentity
import Testing

struct UUIDBitsTests {
  private static let text = "8075c88f-f44b-57c2-b3f2-e3a1d7e84e13"
  private static let bits = UUIDBits(high: 0x8075_c88f_f44b_57c2, low: 0xb3f2_e3a1_d7e8_4e13)

  private func parse(_ text: String) -> UUIDBits? { UUIDBits(text: Array(text.utf8).span) }

  @Test func readsEitherCase() {
    #expect(parse(Self.text) == Self.bits)
    #expect(parse(Self.text.uppercased()) == Self.bits)
    #expect(parse("8075C88f-F44b-57c2-B3f2-e3A1d7e84E13") == Self.bits)
  }

  @Test func writesLowerCase() {
    #expect(Self.bits.description == Self.text)
    var text = InlineArray<36, UInt8>(repeating: 0)
    Self.bits.copyText(to: &text)
    #expect(text.indices.map { text[$0] } == Array(Self.text.utf8))
  }

  @Test(arguments: [
    "", "8", "8075c88f-f44b-57c2-b3f2-e3a1d7e84e1", "8075c88f-f44b-57c2-b3f2-e3a1d7e84e130",
    "8075c88ff44b57c2b3f2e3a1d7e84e13", "{8075c88f-f44b-57c2-b3f2-e3a1d7e84e13}",
    "8075c88f-f44b-57c2-b3f2-e3a1d7e84e1\n", " 8075c88f-f44b-57c2-b3f2-e3a1d7e84e1",
    "8075c88f-f44b-57c2-b3f2-e3a1d7e84e1\0", "8075c88f_f44b_57c2_b3f2_e3a1d7e84e13",
    "8075c88ff-44b-57c2-b3f2-e3a1d7e84e13", "-075c88f-f44b-57c2-b3f2-e3a1d7e84e13",
    "8075c88f-f44b-57c2-b3f2-e3a1d7e84e1é", "+075c88f-f44b-57c2-b3f2-e3a1d7e84e13",
    "0x75c88f-f44b-57c2-b3f2-e3a1d7e84e13",
  ])
  func refusesWhatIsNotExactlyAUUID(_ text: String) {
    #expect(parse(text) == nil)
  }

  /// Every byte value at every place: only a digit is a digit, and only a hyphen a hyphen.
  @Test func acceptsNoOtherByteAnywhere() {
    let digits = Set("0123456789abcdefABCDEF".utf8)
    let hyphens: Set<Int> = [8, 13, 18, 23]
    for position in 0..<36 {
      for byte in UInt8.min...UInt8.max {
        var text = Array(Self.text.utf8)
        text[position] = byte
        let isFit = hyphens.contains(position) ? byte == UInt8(ascii: "-") : digits.contains(byte)
        if (UUIDBits(text: text.span) != nil) != isFit {
          Issue.record("byte \(byte) at \(position)")
          return
        }
      }
    }
  }

  @Test func whatIsWrittenIsReadBack() {
    var generator = SystemRandomNumberGenerator()
    let chosen = [UUIDBits(high: 0, low: 0), UUIDBits(high: .max, low: .max), UUIDBits(high: 1, low: 1 << 63)]
    let random = (0..<1000).map { _ in UUIDBits(high: generator.next(), low: generator.next()) }
    for bits in chosen + random {
      #expect(parse(bits.description) == bits)
    }
  }
}
