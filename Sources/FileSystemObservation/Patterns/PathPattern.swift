/// One pattern of gitignore(5), for names or for paths below the observed folder.
///
/// It works on bytes, as git does: `?` is one byte of a name, which need not be UTF-8. Letters are case-sensitive.
package struct PathPattern: Hashable, Sendable {
  /// Whether it begins with `!`, and so reverses the meaning of a match.
  package let isNegated: Bool
  /// Whether it ends with a slash, and so matches only directories.
  package let isForDirectories: Bool
  /// Whether it has a slash before its end, and so is matched against the path instead of the name.
  package let isAnchored: Bool
  private let shape: Shape

  /// The tokens of the pattern.
  var tokens: [PatternToken] {
    switch shape {
    case .literal(let bytes): bytes.map { .byte($0) }
    case .suffix(let bytes): [.star] + bytes.map { .byte($0) }
    case .tokens(let tokens): tokens
    }
  }

  /// What to compare; most patterns need no tokens.
  private enum Shape: Hashable, Sendable {
    /// Exactly these bytes.
    case literal([UInt8])
    /// A name that ends in these bytes.
    case suffix([UInt8])
    case tokens([PatternToken])
  }

  /// Why a pattern is refused: git would silently never match it.
  package enum Malformation: Error, Hashable, Sendable {
    case empty, comment, nul, lineBreak, trailingBackslash, unclosedBracket, emptyBracket, unknownClass, emptyName, dots
  }

  /// Compiles the UTF-8 bytes of a pattern.
  package init(_ pattern: String) throws(Malformation) {
    try self.init(bytes: Array(pattern.utf8))
  }

  /// Compiles a pattern.
  package init(bytes: [UInt8]) throws(Malformation) {
    var rest = try Self.trimmed(bytes)
    isNegated = rest.first == UInt8(ascii: "!")
    if isNegated { rest.removeFirst() }
    isForDirectories = rest.last == UInt8(ascii: "/")
    if isForDirectories { rest.removeLast() }
    isAnchored = rest.contains(UInt8(ascii: "/"))
    if rest.first == UInt8(ascii: "/") { rest.removeFirst() }
    if rest.isEmpty { throw isAnchored ? .emptyName : .empty }
    var parser = PatternParser(rest, isPath: isAnchored)
    let tokens = try parser.parse()
    try Self.checkNames(tokens)
    shape = Self.shape(tokens, isAnchored: isAnchored)
  }

  /// The pattern without unescaped spaces at its end, as in a line of a file.
  private static func trimmed(_ bytes: [UInt8]) throws(Malformation) -> ArraySlice<UInt8> {
    if bytes.contains(0) { throw .nul }
    var line = bytes[...]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    if line.contains(UInt8(ascii: "\n")) { throw .lineBreak }
    if line.first == UInt8(ascii: "#") { throw .comment }
    var end = line.startIndex
    var position = line.startIndex
    while position < line.endIndex {
      let isEscape = line[position] == UInt8(ascii: "\\")
      let isSpace = line[position] == UInt8(ascii: " ")
      position += isEscape ? 2 : 1
      if !isSpace { end = min(position, line.endIndex) }
    }
    return line[..<end]
  }

  /// Refuses names that no item has.
  private static func checkNames(_ tokens: [PatternToken]) throws(Malformation) {
    var name: [PatternToken] = []
    for token in tokens + [.byte(UInt8(ascii: "/"))] {
      switch token {
      case .byte(UInt8(ascii: "/")):
        if name.isEmpty { throw .emptyName }
        if name == [dot] || name == [dot, dot] { throw .dots }
        name = []
      case .directories: name = []
      default: name.append(token)
      }
    }
  }

  private static let dot = PatternToken.byte(UInt8(ascii: "."))

  private static func shape(_ tokens: [PatternToken], isAnchored: Bool) -> Shape {
    let literals = tokens.compactMap(\.literal)
    if literals.count == tokens.count { return .literal(literals) }
    let isSuffix = !isAnchored && tokens.first == .star && literals.count == tokens.count - 1
    return isSuffix ? .suffix(literals) : .tokens(tokens)
  }
}

// MARK: - Matching

extension PathPattern {
  /// Whether an item matches.
  ///
  /// - Parameter directory: The path of its directory below the root, if the pattern is anchored.
  package func matches(_ name: Span<UInt8>, in directory: Span<UInt8>, isDirectory: Bool) -> Bool {
    if isForDirectories && !isDirectory { return false }
    let text = PathText(name, in: isAnchored ? directory : Span())
    switch shape {
    case .literal(let bytes): return text.count == bytes.count && text.hasSuffix(bytes.span)
    case .suffix(let bytes): return text.hasSuffix(bytes.span)
    case .tokens(let tokens):
      var matcher = PatternMatcher(tokens.span, text)
      return matcher.matches()
    }
  }
}

extension PathPattern.Malformation {
  /// What is wrong, and what to write instead.
  package var explanation: String {
    switch self {
    case .empty: "it names nothing; write \"*\" for everything, or leave the pattern out"
    case .comment: "it begins with \"#\", which makes it a comment; write \"\\#\" for the character itself"
    case .nul: "it contains a NUL, which no file name has"
    case .lineBreak: "it has more than one line; give each pattern by itself, and \"?\" for a line feed in a name"
    case .trailingBackslash: "a \"\\\" has nothing after it; write \"\\\\\" for the character itself"
    case .unclosedBracket: "a \"[\" has no \"]\"; write \"\\[\" for the character itself"
    case .emptyBracket:
      "a \"[...]\" stands for no character, for a slash must stand outside of it"
    case .unknownClass:
      "a \"[:...:]\" names no class of characters; write one of those of regex(7), like \"[[:alpha:]]\", or \"\\[\" for the "
        + "character itself"
    case .emptyName: "two slashes follow each other; write one"
    case .dots:
      "it has \".\" or \"..\" as a name; paths begin at the observed folder, so write \"/name\" for what is in it"
    }
  }
}
