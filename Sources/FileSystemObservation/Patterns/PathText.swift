/// A path below the observed folder that is nowhere whole: that of a directory, and a name in it.
///
/// It borrows both, so that no path is made for a file.
struct PathText: ~Escapable {
  private let directory: Span<UInt8>
  private let name: Span<UInt8>
  /// Where the name begins.
  private let nameStart: Int
  /// How many bytes the path has.
  let count: Int

  /// - Parameter directory: The path of the directory below the root; empty for the root, or where the name alone
  ///   matters.
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

  /// Whether it ends in these bytes.
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
