import LinuxFileSystem

/// The names that an item may get in a trash folder.
struct TrashName {
  /// The longest name that leaves room for that of the info file.
  private static let longest = 255 - TrashInfo.suffix.utf8.count
  private let stem: ArraySlice<UInt8>
  private let suffix: ArraySlice<UInt8>

  /// - Parameters:
  ///   - name: The original name.
  ///   - longest: The greatest number of bytes of a name.
  init(_ name: FileName, longest: Int = TrashName.longest) {
    let bytes = name.bytes
    let dot = bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.startIndex
    // An extension that is longer than this is part of the name.
    let suffix = dot > bytes.startIndex && bytes.endIndex - dot <= 32 ? bytes[dot...] : []
    let whole = bytes.dropLast(suffix.count)
    // Room for a number, too.
    let room = max(1, longest - suffix.count - (bytes.count > longest - 8 ? 8 : 0))
    stem = whole.truncatedName(to: room)
    self.suffix = suffix
  }

  /// The n-th name: `name.txt`, `name.2.txt`, `name.3.txt` and so on.
  func candidate(_ number: Int) -> FileName {
    FileName(bytes: Array(stem) + (number == 1 ? [] : Array(".\(number)".utf8)) + Array(suffix))
  }
}
