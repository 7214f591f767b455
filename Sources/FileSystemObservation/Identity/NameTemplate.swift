import LinuxFileSystem

/// A name pattern with one `*`, compared as bytes without a copy.
struct NameTemplate: Sendable, Hashable {
  let before: [UInt8]
  let after: [UInt8]

  /// `nil` unless the pattern has exactly one `*` and something else, and can match a file name.
  init?(_ pattern: String) {
    let parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
    guard parts.count == 2, pattern.utf8.count > 1, !pattern.utf8.contains(UInt8(ascii: "/")),
      !pattern.utf8.contains(0)
    else { return nil }
    before = Array(parts[0])
    after = Array(parts[1])
  }

  /// The part of a name that the `*` stands for; `nil` if the name does not match, or the part would be empty.
  func part(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard name.count > before.count + after.count else { return nil }
    // Compared from the end, where most names differ: each new name is compared with all templates.
    let bytes = name.span
    let end = bytes.count - after.count
    for index in after.indices.reversed() where bytes[end + index] != after[index] { return nil }
    for index in before.indices where bytes[index] != before[index] { return nil }
    return name.dropFirst(before.count).dropLast(after.count)
  }

  /// Writes the name with this part in place of the `*`.
  func writeName(for part: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: before)
    bytes.append(contentsOf: part)
    bytes.append(contentsOf: after)
  }
}
