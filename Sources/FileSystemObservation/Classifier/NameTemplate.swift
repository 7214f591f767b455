import LinuxFileSystem

/// A name with one `*`, taken apart: compared as bytes, without a copy.
struct NameTemplate: Sendable, Hashable {
  let before: [UInt8]
  let after: [UInt8]

  /// Nothing where there is not exactly one `*`, nothing but it, or what no name can have.
  init?(_ pattern: String) {
    let parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
    guard parts.count == 2, pattern.utf8.count > 1, !pattern.utf8.contains(UInt8(ascii: "/")),
      !pattern.utf8.contains(0)
    else { return nil }
    before = Array(parts[0])
    after = Array(parts[1])
  }

  /// What the `*` stands for in a name; nothing where the name does not match, or it would be empty.
  func part(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard name.count > before.count + after.count, name.starts(with: before),
      name.suffix(after.count).elementsEqual(after)
    else { return nil }
    return name.dropFirst(before.count).dropLast(after.count)
  }

  /// The name that a file's name gives.
  func name(for part: ArraySlice<UInt8>) -> FileName { FileName(bytes: ArraySlice(before + part + after)) }
}
