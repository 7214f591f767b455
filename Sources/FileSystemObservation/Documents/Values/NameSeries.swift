import LinuxFileSystem

/// The names that an item may get beside another of its name: `report (2).odt`, `report (3).odt` and so on.
///
/// Names are bytes, which need not be UTF-8.
struct NameSeries {
  /// The longest name of most file systems, in bytes.
  static let longest = 255

  /// What precedes the number and its parentheses.
  private let stem: ArraySlice<UInt8>
  /// The extension, with its dot.
  private let ending: ArraySlice<UInt8>
  private let word: [UInt8]?
  /// The number of the next name.
  ///
  /// With a word, the first name has none.
  private var number: Int

  /// - Parameters:
  ///   - name: The name that is taken. If it is one of such a series, the next follow.
  ///   - word: What stands in the parentheses; `nil` for numbers alone.
  init(of name: FileName, isFolder: Bool, word: String?) {
    let bytes = name.bytes
    ending = isFolder ? [] : Self.ending(of: bytes)
    self.word = word.map { Array($0.utf8) }
    let stem = bytes.dropLast(ending.count)
    let first = word == nil ? 2 : 1
    if let (base, number) = Self.parts(of: stem, word: self.word) {
      (self.stem, self.number) = (base, max(number + 1, first))
    } else {
      (self.stem, self.number) = (stem, first)
    }
  }

  /// The next name.
  mutating func next() -> FileName {
    let mark = Array(" (".utf8) + text + Array(")".utf8)
    number += 1
    let room = Self.longest - mark.count - ending.count
    return FileName(bytes: Array(stem.truncatedName(to: max(1, room))) + mark + Array(ending))
  }

  /// What stands in the parentheses of the next name.
  private var text: [UInt8] {
    guard let word else { return Array("\(number)".utf8) }
    return number == 1 ? word : word + Array(" \(number)".utf8)
  }

  /// `.odt`, `.tar.gz`, or empty.
  private static func ending(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let (ending, tar) = (name.nameEnding, Array(".tar".utf8))
    let stem = name.dropLast(ending.count)
    let isArchive = !ending.isEmpty && stem.count > tar.count && stem.suffix(tar.count).elementsEqual(tar)
    return isArchive ? name[(ending.startIndex - tar.count)...] : ending
  }

  /// The stem and the number of a name of such a series.
  private static func parts(
    of name: ArraySlice<UInt8>, word: [UInt8]?
  ) -> (stem: ArraySlice<UInt8>, number: Int)? {
    guard name.last == UInt8(ascii: ")"), let open = name.lastIndex(of: UInt8(ascii: "(")), open > name.startIndex + 1,
      name[open - 1] == UInt8(ascii: " ")
    else { return nil }
    var text = name[(open + 1)...].dropLast()
    let stem = name[..<(open - 1)]
    if let word {
      if text.elementsEqual(word) { return (stem, 1) }
      guard text.starts(with: word), text.dropFirst(word.count).first == UInt8(ascii: " ") else { return nil }
      text = text.dropFirst(word.count + 1)
    }
    // A longer number is a year or a date.
    guard (1...3).contains(text.count), text.allSatisfy(\.isDigit) else { return nil }
    return Int(String(decoding: text, as: UTF8.self)).map { (stem, $0) }
  }
}

extension ArraySlice<UInt8> {
  /// The extension of a name with its dot, or empty; what is longer than 32 bytes is part of the name.
  var nameEnding: ArraySlice<UInt8> {
    guard let dot = lastIndex(of: UInt8(ascii: ".")), dot > startIndex, endIndex - dot <= 32 else { return [] }
    return self[dot...]
  }

  /// As much of a name as has this many bytes, without half a character at its end.
  func truncatedName(to count: Int) -> ArraySlice<UInt8> {
    guard self.count > count else { return self }
    var end = startIndex + count
    while end > startIndex + 1, self[end] & 0xc0 == 0x80, startIndex + count - end < 4 { end -= 1 }
    return self[..<end]
  }
}
