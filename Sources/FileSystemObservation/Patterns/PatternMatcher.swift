/// Matches a pattern of tokens against a path.
///
/// Only the last `*` and the last `**` are retried with more bytes: a later one can take whatever an earlier one could,
/// because a `*` takes anything up to the next slash, and a `**` anything at all. So the time for each token is at most
/// the square of the path's length, however many asterisks there are.
struct PatternMatcher: ~Escapable {
  /// Where to go on after a mismatch: at a token and an offset in the path.
  private struct Resumption {
    var token: Int
    var offset: Int
  }

  private let tokens: Span<PatternToken>
  private let text: PathText
  private var token = 0
  private var offset = 0
  private var star: Resumption?
  private var path: (resumption: Resumption, wholeNames: Bool)?

  /// Borrows the tokens and the path.
  @_lifetime(copy tokens, copy text)
  init(_ tokens: Span<PatternToken>, _ text: consuming PathText) {
    self.tokens = tokens
    self.text = text
  }

  /// Whether the whole path matches.
  mutating func matches() -> Bool {
    while token < tokens.count || offset < text.count {
      if !step(), !resumeStar(), !resumePath() { return false }
    }
    return true
  }

  /// Advances by one token, if it matches.
  private mutating func step() -> Bool {
    guard token < tokens.count else { return false }
    switch tokens[token] {
    case .star: star = Resumption(token: token + 1, offset: offset)
    case .anyPath, .directories:
      path = (Resumption(token: token + 1, offset: offset), tokens[token].isDirectories)
      star = nil
    case .byte, .any, .set:
      guard offset < text.count, tokens[token].matches(text[offset]) else { return false }
      offset += 1
    }
    token += 1
    return true
  }

  /// Lets the last `*` take one more byte.
  private mutating func resumeStar() -> Bool {
    guard let last = star, last.offset < text.count, text[last.offset] != UInt8(ascii: "/") else { return false }
    star?.offset += 1
    (token, offset) = (last.token, last.offset + 1)
    return true
  }

  /// Lets the last `**` take more: a byte, or a whole name with its slash.
  private mutating func resumePath() -> Bool {
    guard let path else { return false }
    var last = path.resumption
    if path.wholeNames {
      while last.offset < text.count, text[last.offset] != UInt8(ascii: "/") { last.offset += 1 }
    }
    guard last.offset < text.count else { return false }
    last.offset += 1
    self.path?.resumption = last
    star = nil
    (token, offset) = (last.token, last.offset)
    return true
  }
}
