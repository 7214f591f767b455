import LinuxFileSystem

/// Whether a file's name is made from a document's, as programs name the next version while they write it.
///
/// `film.mkv.!sync`, `film.tmp.mp4` and `#film.mkv#` are made from `film.mkv`. `films.mkv` is not: only its beginning
/// is alike. Nor is `log.1` made from `log.2`, or `report` from `report.old`: of two such names the longer is made from
/// the shorter.
struct VersionName {
  private let document: ArraySlice<UInt8>
  /// The document's name without its extension; `nil` without an extension.
  private let stem: ArraySlice<UInt8>?

  init(of document: FileName) {
    self.document = document.bytes
    stem = Self.stem(of: document.bytes)
  }

  /// Whether a name contains the document's whole name, or its stem, as a separate word.
  func isMade(_ name: FileName) -> Bool {
    let name = name.bytes
    if stem != nil, name.count > document.count, name.starts(with: document) { return true }
    return Self.has(document, asWordIn: name) || stem.map { Self.has($0, asWordIn: name) } ?? false
  }

  /// The part before the last dot, if an extension follows: letters and digits, but not only digits, which number a
  /// series.
  static func stem(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    let ending = name[(dot + 1)...]
    guard (1...8).contains(ending.count), ending.allSatisfy(\.isOfWord), !ending.allSatisfy(\.isDigit)
    else { return nil }
    return name[..<dot]
  }

  private static func has(_ word: ArraySlice<UInt8>, asWordIn name: ArraySlice<UInt8>) -> Bool {
    guard name.count > word.count else { return false }
    return (name.startIndex...(name.endIndex - word.count)).contains { start in
      let end = start + word.count
      let isBounded =
        (start == name.startIndex || !name[start - 1].isOfWord) && (end == name.endIndex || !name[end].isOfWord)
      return isBounded && name[start..<end].elementsEqual(word)
    }
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether a byte is a letter or a digit; non-ASCII bytes count as letters.
  var isOfWord: Bool {
    self >= 0x80 || isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}
