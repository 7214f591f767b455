// The remainder of a pattern below a directory.

extension PathPattern {
  /// The positions in the pattern after it has read the path of a directory and a slash.
  ///
  /// Equal positions mean equal matches below. Empty if nothing below can match, and for patterns of names, which match
  /// the same everywhere.
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

/// All positions that a pattern can be at.
private struct Places {
  /// Whether it can be before each token; the last element is the end of the pattern.
  private var isAt: [Bool]
  /// Whether it can be inside a name that a `**/` consumes.
  private var isWithin: [Bool]

  init(count: Int) {
    isAt = Array(repeating: false, count: count + 1)
    isWithin = isAt
  }

  /// The positions before a token; at the end of the pattern, no more bytes can match.
  var indices: [Int] { isAt.indices.dropLast().filter { isAt[$0] } }

  /// Adds the position before a token, and those after it that need no bytes.
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
