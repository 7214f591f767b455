import FoundationEssentials

extension UUID {
  /// The number of characters of the text.
  static let textLength = 36

  /// The UUID in lower case, as the tool writes it.
  var text: String { uuidString.lowercased() }

  /// Appends the text; creating a string for each of a million items would take longer than finding them.
  func appendText(to bytes: inout [UInt8]) {
    unsafe withUnsafeBytes(of: uuid) { digits in
      for index in 0..<16 {
        if index == 4 || index == 6 || index == 8 || index == 10 { bytes.append(UInt8(ascii: "-")) }
        let byte = unsafe digits[index]
        bytes.append(Self.digit(byte >> 4))
        bytes.append(Self.digit(byte & 15))
      }
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }
}
