/// Names in a recording.
package enum RecordedName {
  /// The text of a name, with bytes escaped as `%41`.
  ///
  /// Control characters, spaces, `%`, `?`, `/` and bytes that are not UTF-8 are escaped, so that a name is one word and
  /// can be restored.
  package static func text(_ name: some Collection<UInt8>) -> String {
    let isText = String(validating: name, as: UTF8.self) != nil
    var bytes: [UInt8] = []
    for byte in name {
      if isPlain(byte) || byte >= 0x80 && isText { bytes.append(byte) } else { bytes += escape(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "/")
  }

  private static func escape(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  /// The bytes of a name from that text; `nil` if it is malformed.
  package static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
    var (bytes, rest): ([UInt8], ArraySlice<UInt8>) = ([], Array(text)[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}

// MARK: - Hidden names

extension RecordedName {
  /// A substitute for a name: a hash, between the dots at the beginning and the extension or `~` at the end.
  ///
  /// The same name always has the same hash. The kept parts are those that mark backups and temporary files.
  static func hidden(_ name: some Collection<UInt8>) -> [UInt8] {
    let name = Array(name)
    let dots = name.prefix { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "#") }
    let rest = name[dots.count...]
    if rest.isEmpty { return name }
    let end = suffix(of: rest)
    return Array(dots) + hash(rest.dropLast(end.count)) + Array(end)
  }

  /// The extension with its dot, and the mark of a backup after it.
  private static func suffix(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex, name.endIndex - dot <= 12 else {
      return name.count > 1 && name.last == UInt8(ascii: "~") ? name.suffix(1) : name.suffix(0)
    }
    return name[dot...]
  }

  /// The hash in eight digits (FNV-1a, and its bits mixed).
  private static func hash(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let text = String(UInt32(truncatingIfNeeded: KeyedHash.mixed(hash)), radix: 16)
    return Array(String(repeating: "0", count: 8 - text.utf8.count).utf8) + Array(text.utf8)
  }
}
