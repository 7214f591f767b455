/// A set of indices, with a bit for each.
///
/// A mark costs the same however many there are, and memory for a million elements is 125 KB.
struct ChangeMarks: Sendable {
  private var words: [UInt64]

  /// Makes an empty set with room for some indices.
  init(count: Int = 0) {
    words = [UInt64](repeating: 0, count: (count + 63) / 64)
  }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// The number of marked indices.
  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  func contains(_ index: Int) -> Bool {
    index >> 6 < words.count && words[index >> 6] & (1 << UInt64(index & 63)) != 0
  }

  mutating func insert(_ index: Int) {
    if index >> 6 >= words.count { grow(toHold: index) }
    words[index >> 6] |= 1 << UInt64(index & 63)
  }

  mutating func formUnion(_ other: ChangeMarks) {
    if words.count < other.words.count { grow(toHold: other.words.count * 64 - 1) }
    for (index, word) in other.words.enumerated() { words[index] |= word }
  }

  private mutating func grow(toHold index: Int) {
    words.append(contentsOf: repeatElement(0, count: index >> 6 + 1 - words.count))
  }

  /// Calls `body` with each marked index below a limit, in order.
  func forEach(below limit: Int, _ body: (Int) -> Void) {
    for (position, word) in words.enumerated() where word != 0 {
      var rest = word
      while rest != 0 {
        let index = position << 6 | rest.trailingZeroBitCount
        if index >= limit { return }
        body(index)
        rest &= rest &- 1
      }
    }
  }
}
