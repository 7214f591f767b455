import LinuxFileSystem
import SystemPackage

/// The contents of a `.trashinfo` file, FreeDesktop trash specification 1.0.
struct TrashInfo: Equatable {
  /// The original path: absolute, or relative to the folder that the trash folder is in.
  var path: FilePath
  /// When the item was trashed; nothing if the file does not say.
  var deleted: LocalTime?

  static let suffix = ".trashinfo"
  private static let header = Array("[Trash Info]".utf8)
  private static let pathKey = Array("Path".utf8)
  private static let dateKey = Array("DeletionDate".utf8)

  /// The bytes of the file.
  var bytes: [UInt8] {
    let date = deleted.map { "DeletionDate=\($0.trashDate)\n" } ?? ""
    return Self.header + Array("\nPath=".utf8) + Self.encode(path.bytes) + Array("\n\(date)".utf8)
  }
}

extension TrashInfo {
  /// Reads the bytes of a file.
  ///
  /// Unknown lines are passed over; of several lines with one key the first counts.
  init?(bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map(Self.trimmed)
    guard lines.first.map({ Array($0) == Self.header }) == true else { return nil }
    guard let path = Self.value(of: Self.pathKey, in: lines).flatMap({ Self.decode($0) }), !path.isEmpty else {
      return nil
    }
    self.path = FilePath(bytes: path)
    deleted = Self.value(of: Self.dateKey, in: lines).flatMap { LocalTime(trashDate: $0) }
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\t") }
    return line.drop(while: isBlank).reversed().drop(while: isBlank).reversed()[...]
  }

  private static func value(of key: [UInt8], in lines: [ArraySlice<UInt8>]) -> ArraySlice<UInt8>? {
    for line in lines {
      guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      if Array(trimmed(line[..<sign])) == key { return trimmed(line[line.index(after: sign)...]) }
    }
    return nil
  }

  /// Encodes all but unreserved characters and the slash by a percent sign and two digits.
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    for byte in bytes {
      if isPlain(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return encoded
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "/"):
      true
    default: false
    }
  }

  /// Decodes the percent signs; nothing for a malformed one, or a NUL.
  static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      decoded.append(value)
      rest = rest.dropFirst(2)
    }
    return decoded.contains(0) ? nil : decoded
  }
}

extension LocalTime {
  /// `YYYY-MM-DDThh:mm:ss`.
  fileprivate var trashDate: String {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let date = [padded(year, 4), padded(month, 2), padded(day, 2)].joined(separator: "-")
    return date + "T" + [hour, minute, second].map { padded($0, 2) }.joined(separator: ":")
  }

  fileprivate init?(trashDate bytes: ArraySlice<UInt8>) {
    let text = Array(bytes)
    guard text.count >= 19, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[10] == UInt8(ascii: "T"),
      text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":")
    else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      guard text[range].allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return Int(String(decoding: text[range], as: UTF8.self))
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), (1...12).contains(month), (1...31).contains(day),
      hour < 24, minute < 60, second < 61
    else { return nil }
    self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
  }
}
