import FoundationEssentials
import SystemPackage

/// Writes one JSON object on one line, with its members in the order of adding.
struct JSONObject {
  private var text: [UInt8]
  private var rawPaths: [(key: String, bytes: [UInt8])] = []

  init() {
    text = []
    text.reserveCapacity(384)
    text.append(UInt8(ascii: "{"))
  }

  mutating func add(_ key: String, _ value: String) {
    addKey(key)
    append(string: value)
  }

  mutating func add(_ key: String, _ value: some BinaryInteger) {
    addKey(key)
    text.append(contentsOf: String(value).utf8)
  }

  mutating func add(_ key: String, _ value: UUID) {
    addKey(key)
    text.append(UInt8(ascii: "\""))
    value.appendText(to: &text)
    text.append(UInt8(ascii: "\""))
  }

  mutating func add(_ key: String, _ value: Bool) {
    addKey(key)
    text.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// Adds a duration in seconds, to the millisecond.
  mutating func add(_ key: String, _ value: Duration) {
    addKey(key)
    text.append(contentsOf: value.inSeconds.utf8)
  }

  /// Adds a time in seconds since 1970, to the nanosecond.
  mutating func add(_ key: String, nanoseconds time: Int64) {
    addKey(key)
    let (seconds, rest) = time.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let decimals = String(rest)
    text.append(contentsOf: "\(time < 0 ? "-" : "")\(seconds).".utf8)
    text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 9 - decimals.utf8.count))
    text.append(contentsOf: decimals.utf8)
  }

  /// Adds a path.
  ///
  /// A path that is not UTF-8 is repaired, and its bytes follow at the end of the object as `<key>Base64`.
  mutating func add(_ key: String, _ path: FilePath) {
    addKey(key)
    text.append(UInt8(ascii: "\""))
    let isPlain = path.appendIfPlain(to: &text) { $0 != UInt8(ascii: "\"") }
    if !isPlain { appendEscaped(path, key) }
    text.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ path: FilePath, _ key: String) {
    let bytes = path.bytes
    let repaired = String(decoding: bytes, as: UTF8.self)
    for scalar in repaired.unicodeScalars { append(escaping: scalar) }
    if !repaired.utf8.elementsEqual(bytes) { rawPaths.append((key + "Base64", bytes)) }
  }

  mutating func add(_ key: String, _ members: [(key: String, value: Int)]) {
    var object = JSONObject()
    for member in members { object.add(member.key, member.value) }
    add(key, object)
  }

  mutating func add(_ key: String, _ object: JSONObject) {
    addKey(key)
    text.append(contentsOf: object.finished())
  }

  mutating func add(_ key: String, _ objects: [JSONObject]) {
    addKey(key)
    text.append(UInt8(ascii: "["))
    for (index, object) in objects.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text.append(contentsOf: object.finished())
    }
    text.append(UInt8(ascii: "]"))
  }

  mutating func add(_ key: String, _ words: [String]) {
    addKey(key)
    text.append(UInt8(ascii: "["))
    for (index, word) in words.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      append(string: word)
    }
    text.append(UInt8(ascii: "]"))
  }

  /// The whole object, without a line feed.
  consuming func finished() -> [UInt8] {
    for (key, bytes) in rawPaths { add(key, Data(bytes).base64EncodedString()) }
    text.append(UInt8(ascii: "}"))
    return text
  }

  private mutating func addKey(_ key: String) {
    if text.count > 1 { text.append(UInt8(ascii: ",")) }
    text.append(UInt8(ascii: "\""))
    text.append(contentsOf: key.utf8)
    text.append(UInt8(ascii: "\""))
    text.append(UInt8(ascii: ":"))
  }

  private mutating func append(string: String) {
    text.append(UInt8(ascii: "\""))
    if string.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      text.append(contentsOf: string.utf8)
    } else {
      for scalar in string.unicodeScalars { append(escaping: scalar) }
    }
    text.append(UInt8(ascii: "\""))
  }

  /// Escapes quotation marks, backslashes and control characters, as RFC 8259 demands.
  ///
  /// It also escapes the other control characters, which command a terminal, and U+2028 and U+2029, which some programs
  /// take for line breaks.
  private mutating func append(escaping scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": text.append(contentsOf: #"\""#.utf8)
    case "\\": text.append(contentsOf: #"\\"#.utf8)
    case "\n": text.append(contentsOf: #"\n"#.utf8)
    case "\r": text.append(contentsOf: #"\r"#.utf8)
    case "\t": text.append(contentsOf: #"\t"#.utf8)
    case "\u{8}": text.append(contentsOf: #"\b"#.utf8)
    case "\u{c}": text.append(contentsOf: #"\f"#.utf8)
    case ..<" ", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}": append(hexadecimal: scalar)
    default: text.append(contentsOf: scalar.utf8)
    }
  }

  /// Only for scalars of at most four digits.
  private mutating func append(hexadecimal scalar: Unicode.Scalar) {
    let digits = String(scalar.value, radix: 16)
    text.append(contentsOf: #"\u"#.utf8)
    text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
    text.append(contentsOf: digits.utf8)
  }
}

extension Duration {
  /// The duration in seconds with three decimals, whatever the locale: `12.345`.
  var inSeconds: String {
    let milliseconds = wholeNanoseconds / 1_000_000
    let decimals = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - decimals.count) + decimals
  }
}
