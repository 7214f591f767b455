// What of a pattern is left to be matched below a directory.

extension PathPattern {
  /// Where in the pattern one may be when the path of a directory and its slash have been read: the same places, the
  /// same matches below.
  ///
  /// Empty where nothing below can match, and where the pattern is for names, which match the same everywhere.
  func remainder(below directory: Span<UInt8>) -> [Int] {
    guard isAnchored else { return [] }
    let tokens = tokens
    var places = Places(count: tokens.count)
    places.enter(0, tokens)
    for offset in directory.indices { places.read(directory[offset], tokens) }
    if !directory.isEmpty { places.read(UInt8(ascii: "/"), tokens) }
    return places.indices
  }
}

/// All places in a pattern where one may be at once.
private struct Places {
  /// Whether one may be before each token; the last is behind all of them.
  private var isAt: [Bool]
  /// Whether one may be within a name that a `**/` takes.
  private var isWithin: [Bool]

  init(count: Int) {
    isAt = Array(repeating: false, count: count + 1)
    isWithin = isAt
  }

  /// Those before a token: nothing more can come where there is none.
  var indices: [Int] { isAt.indices.dropLast().filter { isAt[$0] } }

  /// Goes to a token, and to those behind it that can be reached with nothing.
  mutating func enter(_ index: Int, _ tokens: [PatternToken]) {
    isAt[index] = true
    guard index < tokens.count else { return }
    switch tokens[index] {
    case .star, .anyPath, .directories: enter(index + 1, tokens)
    case .byte, .any, .set: break
    }
  }

  mutating func read(_ byte: UInt8, _ tokens: [PatternToken]) {
    let before = self
    self = Places(count: tokens.count)
    let isSlash = byte == UInt8(ascii: "/")
    for index in tokens.indices {
      switch tokens[index] {
      case .byte, .any, .set: if before.isAt[index], tokens[index].matches(byte) { enter(index + 1, tokens) }
      case .star: if before.isAt[index], !isSlash { enter(index, tokens) }
      case .anyPath: if before.isAt[index] { enter(index, tokens) }
      case .directories:
        guard before.isAt[index] || before.isWithin[index] else { continue }
        if isSlash { enter(index, tokens) } else { isWithin[index] = true }
      }
    }
  }
}
