/// Carries arguments that are not UTF-8 through a parser that takes strings.
///
/// From the first byte that is not UTF-8, the rest becomes hexadecimal digits between two NULs, which no argument can
/// contain.
enum RawArgument {
  private static let mark: Character = "\0"

  static func encode(_ bytes: [UInt8]) -> String {
    if let string = String(validating: bytes, as: UTF8.self) { return string }
    let valid = validPrefix(of: bytes)
    return valid.string + hexadecimal(bytes[valid.count...])
  }

  /// The bytes of an argument, or of a part of one.
  static func decode(_ argument: String) -> [UInt8] {
    let parts = argument.split(separator: mark, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return Array(argument.utf8) }
    return Array(parts[0].utf8) + bytes(ofHexadecimal: parts[1])
  }

  /// Readable text for text that contains encoded arguments.
  static func display(_ text: String) -> String {
    let parts = text.split(separator: mark, omittingEmptySubsequences: false)
    return parts.indices.map { index in
      index % 2 == 0 ? String(parts[index]) : String(decoding: bytes(ofHexadecimal: parts[index]), as: UTF8.self)
    }.joined()
  }

  private static func validPrefix(of bytes: [UInt8]) -> (string: String, count: Int) {
    for count in stride(from: bytes.count - 1, to: 0, by: -1) {
      if let string = String(validating: bytes[..<count], as: UTF8.self) { return (string, count) }
    }
    return ("", 0)
  }

  private static func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return "\(mark)\(digits)\(mark)"
  }

  private static func bytes(ofHexadecimal digits: Substring) -> [UInt8] {
    let values = digits.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: values.count - 1, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
