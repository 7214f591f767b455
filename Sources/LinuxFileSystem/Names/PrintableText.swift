package import SystemPackage

extension FilePath {
  /// The path on one line.
  ///
  /// Control characters, bidirectional marks, backslashes and invalid UTF-8 are escaped, so that no file name can forge
  /// a line or control the terminal.
  package var printable: String {
    var rest = bytes[...]
    if let string = String(validating: rest, as: UTF8.self) { return string.escaping { $0 == "\\" || !$0.isPlain } }
    var text = ""
    while !rest.isEmpty { text += Self.popPrintable(&rest) }
    return text
  }

  /// Removes one character, or one invalid byte, and returns it printable.
  private static func popPrintable(_ bytes: inout ArraySlice<UInt8>) -> String {
    for count in 1...4 where count <= bytes.count {
      guard let string = String(validating: bytes.prefix(count), as: UTF8.self) else { continue }
      bytes.removeFirst(count)
      return string.escaping { $0 == "\\" || !$0.isPlain }
    }
    let byte = bytes.removeFirst()
    return #"\x"# + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}

extension StringProtocol {
  /// The text on one line, with control characters, line breaks and bidirectional marks escaped.
  package var escapingControls: String { escaping { !$0.isPlain } }

  fileprivate func escaping(where needsEscape: (Unicode.Scalar) -> Bool) -> String {
    if !unicodeScalars.contains(where: needsEscape) { return String(self) }
    var text = ""
    for scalar in unicodeScalars {
      if needsEscape(scalar) { text += scalar.escaped(asASCII: true) } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether a terminal only displays the character.
  fileprivate var isPlain: Bool {
    if (0x20..<0x7f).contains(value) { return true }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    // Bidirectional marks are escaped. This category also has the joiners of scripts and emoji, which are harmless.
    case .format: !properties.isBidiControl
    default: true
    }
  }
}
