/// A path below the observed folder in two parts: the path of a directory, and a name in it.
///
/// It borrows both, so that files need no path of their own.
struct PathText: ~Escapable {
  private let directory: Span<UInt8>
  private let name: Span<UInt8>
  /// The offset of the name.
  private let nameStart: Int
  /// The number of bytes of the path.
  let count: Int

  /// - Parameter directory: The path of the directory below the root; empty for the root, or to match the name alone.
  @_lifetime(copy name, copy directory)
  init(_ name: Span<UInt8>, in directory: Span<UInt8>) {
    self.directory = directory
    self.name = name
    nameStart = directory.isEmpty ? 0 : directory.count + 1
    count = nameStart + name.count
  }

  /// The byte at an offset.
  subscript(offset: Int) -> UInt8 {
    if offset >= nameStart { return name[offset - nameStart] }
    return offset == directory.count ? UInt8(ascii: "/") : directory[offset]
  }

  /// Whether the path ends in these bytes.
  func hasSuffix(_ bytes: Span<UInt8>) -> Bool {
    guard count >= bytes.count else { return false }
    let start = count - bytes.count
    var offset = bytes.count
    while offset > 0 {
      offset -= 1
      if self[start + offset] != bytes[offset] { return false }
    }
    return true
  }
}
