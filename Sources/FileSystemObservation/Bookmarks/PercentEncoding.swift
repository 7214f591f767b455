// Bytes as text that needs no quotes in a shell and breaks no line.

extension Sequence<UInt8> {
  /// The bytes as text, where each that is not a letter, a digit or one of `/._-+=@,~` is a percent sign and two digits.
  var percentEncoded: String {
    var text = ""
    for byte in self {
      if byte.isPlain { text.unicodeScalars.append(Unicode.Scalar(byte)) } else { text += "%" + byte.twoDigits }
    }
    return text
  }

  /// The bytes as hexadecimal digits.
  var hexadecimal: String { map(\.twoDigits).joined() }
}

extension StringProtocol {
  /// The bytes that `percentEncoded` was made of; `nil` if it was not, or if there is a NUL among them.
  var percentDecoded: [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.popFirst() {
      if byte.isPlain {
        bytes.append(byte)
        continue
      }
      guard byte == UInt8(ascii: "%"), let value = [UInt8](hexadecimal: rest.prefix(2))?.first, value != 0 else {
        return nil
      }
      rest = rest.dropFirst(2)
      bytes.append(value)
    }
    return bytes
  }
}

extension [UInt8] {
  /// The bytes of hexadecimal digits in lower or upper case, two for each.
  init?(hexadecimal digits: some StringProtocol) {
    self.init(hexadecimal: Array<UInt8>(digits.utf8)[...])
  }

  fileprivate init?(hexadecimal digits: ArraySlice<UInt8>) {
    let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard !digits.isEmpty, values.count == digits.count, values.count % 2 == 0 else { return nil }
    self = stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}

extension UInt8 {
  fileprivate var isPlain: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/._-+=@,~".utf8.contains(self)
    }
  }

  fileprivate var twoDigits: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}

extension UnsignedInteger {
  /// The number in hexadecimal digits.
  var hexadecimal: String { String(self, radix: 16) }
}
