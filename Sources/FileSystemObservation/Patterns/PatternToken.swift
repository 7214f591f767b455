/// What a pattern consists of.
enum PatternToken: Hashable, Sendable {
  /// This byte.
  case byte(UInt8)
  /// `?`: any byte but a slash.
  case any
  /// `[...]`: one of these bytes, among which there is no slash.
  case set(ByteSet)
  /// `*`: any bytes but slashes, or none.
  case star
  /// `**` at the end of a path, or before an escaped slash: any bytes, or none.
  case anyPath
  /// `**/`: any directories one below the other, or none.
  case directories

  /// Whether it stands for one byte, and that may be this one.
  func matches(_ byte: UInt8) -> Bool {
    switch self {
    case .byte(let wanted): byte == wanted
    case .any: byte != UInt8(ascii: "/")
    case .set(let set): set.contains(byte)
    case .star, .anyPath, .directories: false
    }
  }

  /// Whether it is a `**/`.
  var isDirectories: Bool {
    if case .directories = self { true } else { false }
  }

  /// The byte it stands for, where that is one alone.
  var literal: UInt8? {
    if case .byte(let byte) = self { byte } else { nil }
  }
}
