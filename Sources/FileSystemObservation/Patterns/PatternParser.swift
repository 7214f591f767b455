/// Parses a pattern into tokens, as git's `wildmatch` reads it.
struct PatternParser {
  /// Why a pattern cannot be used.
  typealias Malformation = PathPattern.Malformation

  private let bytes: ArraySlice<UInt8>
  private var position: Int
  /// Whether the pattern is for paths instead of names.
  private let isPath: Bool
  private var tokens: [PatternToken] = []

  /// - Parameter bytes: The pattern without `!` and without a slash at its beginning and its end.
  init(_ bytes: ArraySlice<UInt8>, isPath: Bool) {
    self.bytes = bytes
    self.isPath = isPath
    position = bytes.startIndex
  }

  /// Parses the pattern.
  mutating func parse() throws(Malformation) -> [PatternToken] {
    while let byte = next() {
      switch byte {
      case UInt8(ascii: "\\"): tokens.append(.byte(try escaped()))
      case UInt8(ascii: "?"): tokens.append(.any)
      case UInt8(ascii: "*"): appendStars()
      case UInt8(ascii: "["): tokens.append(.set(try bracket()))
      default: tokens.append(.byte(byte))
      }
    }
    return tokens
  }

  private func peek(_ distance: Int = 0) -> UInt8? {
    position + distance < bytes.endIndex ? bytes[position + distance] : nil
  }

  private mutating func next() -> UInt8? {
    guard let byte = peek() else { return nil }
    position += 1
    return byte
  }

  private mutating func escaped() throws(Malformation) -> UInt8 {
    guard let byte = next() else { throw .trailingBackslash }
    return byte
  }

  /// Two or more asterisks count as `**` only between slashes or the ends of the pattern.
  private mutating func appendStars() {
    let isFirst = tokens.isEmpty || bytes[position - 2] == UInt8(ascii: "/")
    let start = position
    while peek() == UInt8(ascii: "*") { position += 1 }
    guard isPath, isFirst, position > start else { return tokens.append(.star) }
    if peek() == UInt8(ascii: "/") {
      position += 1
      tokens.append(.directories)
    } else if peek() == nil || peek() == UInt8(ascii: "\\") && peek(1) == UInt8(ascii: "/") {
      tokens.append(.anyPath)
    } else {
      tokens.append(.star)
    }
  }
}

// MARK: - Brackets

extension PatternParser {
  private mutating func bracket() throws(Malformation) -> ByteSet {
    var set = ByteSet()
    let isNegated = peek() == UInt8(ascii: "!") || peek() == UInt8(ascii: "^")
    if isNegated { position += 1 }
    // A bracket right after the opening one, or after the negation, is a literal.
    var isFirst = true
    /// The character that a range may begin with.
    var previous: UInt8?
    while isFirst || peek() != UInt8(ascii: "]") {
      previous = try appendMember(after: previous, to: &set)
      isFirst = false
    }
    position += 1
    if isNegated { set.invert() }
    set.remove(UInt8(ascii: "/"))
    if set.isEmpty { throw .emptyBracket }
    return set
  }

  /// Parses one character, range or class; the character, if a range may begin with it.
  private mutating func appendMember(after previous: UInt8?, to set: inout ByteSet) throws(Malformation) -> UInt8? {
    guard let byte = next() else { throw .unclosedBracket }
    if byte == UInt8(ascii: "-"), let previous, let last = peek(), last != UInt8(ascii: "]") {
      set.insert(from: previous, to: try member())
      return nil
    }
    if byte == UInt8(ascii: "["), peek() == UInt8(ascii: ":"), try appendClass(to: &set) { return nil }
    position -= 1
    let member = try member()
    set.insert(member)
    return member
  }

  private mutating func member() throws(Malformation) -> UInt8 {
    guard let byte = next() else { throw .unclosedBracket }
    guard byte == UInt8(ascii: "\\") else { return byte }
    guard let escaped = next() else { throw .unclosedBracket }
    return escaped
  }

  /// Parses a class, if there is one; without its end, `[:` is two characters.
  private mutating func appendClass(to set: inout ByteSet) throws(Malformation) -> Bool {
    let start = position + 1
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "]")) else { throw .unclosedBracket }
    guard end > start, bytes[end - 1] == UInt8(ascii: ":") else { return false }
    guard let members = ByteSet(className: bytes[start..<end - 1]) else { throw .unknownClass }
    set.formUnion(members)
    position = end + 1
    return true
  }
}
