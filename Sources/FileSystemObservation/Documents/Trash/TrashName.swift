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
    suffix = bytes.nameEnding
    // Room for a number, too.
    let room = max(1, longest - suffix.count - (bytes.count > longest - 8 ? 8 : 0))
    stem = bytes.dropLast(suffix.count).truncatedName(to: room)
  }

  /// The n-th name: `name.txt`, `name.2.txt`, `name.3.txt` and so on.
  func candidate(_ number: Int) -> FileName {
    FileName(bytes: Array(stem) + (number == 1 ? [] : Array(".\(number)".utf8)) + Array(suffix))
  }
}
