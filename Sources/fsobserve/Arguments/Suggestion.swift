/// Suggestions for an unknown word.
enum Suggestion {
  /// The known word that begins like the given one, or differs from it in one or two letters.
  static func word(for given: String, among words: [String]) -> String? {
    if let longer = words.first(where: { isBeginning(given, of: $0) || isBeginning($0, of: given) }) { return longer }
    let candidates = words.map { (word: $0, distance: distance(from: given, to: $0)) }
    return candidates.filter { $0.distance <= min(2, $0.word.count / 2) }.min { $0.distance < $1.distance }?.word
  }

  /// `; did you mean scan?`, or the empty string.
  static func question(for given: String, among words: [String]) -> String {
    word(for: given, among: words).map { "; did you mean \($0)?" } ?? ""
  }

  private static func isBeginning(_ start: String, of word: String) -> Bool {
    start.count >= 2 && word.hasPrefix(start)
  }

  /// How many letters must be inserted, removed or changed (Levenshtein).
  static func distance(from first: String, to second: String) -> Int {
    let second = Array(second)
    var row = Array(0...second.count)
    for (index, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in second.indices {
        let change = diagonal + (letter == second[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(change, diagonal + 1, row[column] + 1)
      }
    }
    return row[second.count]
  }
}

extension Sequence<String> {
  /// `a, b or c`.
  func listed(with conjunction: String) -> String {
    var words = Array(self)
    guard let last = words.popLast(), !words.isEmpty else { return first { _ in true } ?? "" }
    return "\(words.joined(separator: ", ")) \(conjunction) \(last)"
  }
}
