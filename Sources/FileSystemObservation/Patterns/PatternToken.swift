/// One element of a pattern.
enum PatternToken: Hashable, Sendable {
  /// This byte.
  case byte(UInt8)
  /// `?`: any byte but a slash.
  case any
  /// `[...]`: one of these bytes, which include no slash.
  case set(ByteSet)
  /// `*`: any number of bytes except slashes.
  case star
  /// `**` at the end of a path, or before an escaped slash: any number of bytes.
  case anyPath
  /// `**/`: any number of nested directories.
  case directories

  /// Whether the token is for one byte, and matches this one.
  func matches(_ byte: UInt8) -> Bool {
    switch self {
    case .byte(let wanted): byte == wanted
    case .any: byte != UInt8(ascii: "/")
    case .set(let set): set.contains(byte)
    case .star, .anyPath, .directories: false
    }
  }

  /// Whether the token is a `**/`.
  var isDirectories: Bool {
    if case .directories = self { true } else { false }
  }

  /// The only byte that the token matches; `nil` if there are others.
  var literal: UInt8? {
    if case .byte(let byte) = self { byte } else { nil }
  }
}
