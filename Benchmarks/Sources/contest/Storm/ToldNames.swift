/// What the output of a watcher says of numbered files, whatever else its lines are made of.
///
/// Their names are `@`, a letter and six digits: `@b000042.txt`.
struct ToldNames {
  private static let digits = 6

  /// The letter of the names that are awaited.
  private let letter: UInt8
  /// The word that the lines which count begin with.
  private let word: [UInt8]
  private var isTold: [Bool]
  /// How many of them were told.
  private(set) var count = 0
  /// Lines that name two files, which are not the old and the new name of one.
  private(set) var mispaired = 0

  private var rest: [UInt8] = []

  static func name(_ letter: Character, _ number: Int) -> String {
    let text = String(number)
    return "@\(letter)" + String(repeating: "0", count: max(0, digits - text.count)) + text + ".txt"
  }

  /// - Parameter word: The word that the lines which count begin with; nothing if all count.
  init(_ letter: Character, count: Int, word: String? = nil) {
    self.letter = letter.asciiValue ?? 0
    self.word = Array((word ?? "").utf8)
    isTold = Array(repeating: false, count: count)
  }

  var missing: Int { isTold.count - count }
  var isComplete: Bool { missing == 0 }

  /// Takes in what was read next.
  mutating func take(_ bytes: some Collection<UInt8>) {
    rest += bytes
    var begin = 0
    while let end = rest[begin...].firstIndex(of: UInt8(ascii: "\n")) {
      takeLine(begin..<end)
      begin = end + 1
    }
    rest.removeFirst(begin)
  }

  private mutating func takeLine(_ line: Range<Int>) {
    guard rest[line].starts(with: word) else { return }
    var names = 0
    var (first, last) = (-1, -1)
    var index = line.lowerBound
    while index < line.upperBound {
      if let (found, letter) = number(at: index, line.upperBound) {
        names += 1
        if names == 1 { first = found }
        last = found
        if letter == self.letter { note(found) }
        index += Self.digits
      }
      index += 1
    }
    if names == 2, first != last { mispaired += 1 }
  }

  private func number(at index: Int, _ end: Int) -> (Int, UInt8)? {
    guard rest[index] == UInt8(ascii: "@"), index + 2 + Self.digits <= end else { return nil }
    var number = 0
    for digit in rest[(index + 2)..<(index + 2 + Self.digits)] {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return (number, rest[index + 1])
  }

  private mutating func note(_ number: Int) {
    guard isTold.indices.contains(number), !isTold[number] else { return }
    isTold[number] = true
    count += 1
  }
}
