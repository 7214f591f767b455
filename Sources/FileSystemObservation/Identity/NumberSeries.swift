import LinuxFileSystem

/// Names that differ by a number, as those of rotated logs and of photos: `app.log.1.gz` and `app.log.2.gz`.
enum NumberSeries {
  /// Whether two different names are of one series.
  ///
  /// A document that is renamed from one to the other has moved up, and was not set aside for a save.
  static func hasBoth(_ one: FileName, _ other: FileName) -> Bool {
    if one == other { return false }
    let (first, second) = (pieces(of: one.bytes), pieces(of: other.bytes))
    return first.count > 1 && first.elementsEqual(second) { $0.elementsEqual($1) }
  }

  /// What is before, between and after the numbers.
  private static func pieces(of name: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var rest = name
    while let start = rest.firstIndex(where: \.isDigit) {
      pieces.append(rest[..<start])
      rest = rest[start...].drop(while: \.isDigit)
    }
    return pieces + [rest]
  }
}
