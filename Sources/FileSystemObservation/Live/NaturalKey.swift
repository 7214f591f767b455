/// Keys that sort names as people expect: digits by value, without regard to case.
///
/// A key is compared byte by byte. It ends with a zero, so that no key is the beginning of another.
enum NaturalKey {
  private static let zero = UInt8(ascii: "0")

  /// Appends the key of a name to a buffer.
  ///
  /// A number becomes the digit zero, the count of its digits, and the digits. Names that differ only in case or in
  /// leading zeros have the same key.
  static func append(_ name: ArraySlice<UInt8>, to key: inout [UInt8]) {
    var index = name.startIndex
    while index < name.endIndex {
      let byte = name[index]
      if isDigit(byte) {
        appendNumber(in: name, from: &index, to: &key)
      } else if byte < 0x80 {
        key.append(lowercase(byte))
        index += 1
      } else {
        appendScalar(in: name, from: &index, to: &key)
      }
    }
    key.append(0)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

  private static func lowercase(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }

  private static func appendNumber(in name: ArraySlice<UInt8>, from index: inout Int, to key: inout [UInt8]) {
    while index < name.endIndex, name[index] == zero { index += 1 }
    let start = index
    while index < name.endIndex, isDigit(name[index]) { index += 1 }
    var rest = index - start
    key.append(zero)
    // A count of 254 or more takes several bytes.
    while rest >= 254 {
      key.append(.max)
      rest -= 254
    }
    key.append(UInt8(rest + 1))
    key.append(contentsOf: name[start..<index])
  }

  /// Appends the lowercase of a character beyond ASCII; bytes that are not UTF-8 stand for themselves.
  private static func appendScalar(in name: ArraySlice<UInt8>, from index: inout Int, to key: inout [UInt8]) {
    guard let (scalar, count) = scalar(in: name[index...]) else {
      key.append(name[index])
      index += 1
      return
    }
    index += count
    key.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
  }

  /// The first character of some bytes, and how many bytes it takes; `nil` if they do not begin with UTF-8.
  private static func scalar(in bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, count: Int)? {
    guard let lead = bytes.first else { return nil }
    let count = (~lead).leadingZeroBitCount
    guard (2...4).contains(count), bytes.count >= count else { return nil }
    var value = UInt32(lead) & (0x7f >> UInt32(count))
    for byte in bytes.dropFirst().prefix(count - 1) {
      guard byte & 0xc0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3f)
    }
    let smallest: [UInt32] = [0x80, 0x800, 0x10000]
    guard value >= smallest[count - 2] else { return nil }
    return Unicode.Scalar(value).map { ($0, count) }
  }
}
