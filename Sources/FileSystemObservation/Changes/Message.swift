import LinuxFileSystem
import SystemPackage

/// A sentence for the app's log, in which no file name can forge a line or send terminal commands.
///
/// Interpolations are escaped: a path as ``FilePath/printable``, other text without its control characters.
struct Message: ExpressibleByStringInterpolation {
  /// Appends literals unchanged and escapes the rest.
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 64 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ path: FilePath) { text += path.printable }
    mutating func appendInterpolation(_ message: Message) { text += message.text }
    mutating func appendInterpolation(_ value: some CustomStringConvertible) { text += "\(value)".escapingControls }
  }

  let text: String

  init(stringLiteral value: String) {
    text = value
  }

  init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
  }

  private init(text: String) {
    self.text = text
  }

  /// Concatenates two messages.
  static func + (first: Message, second: Message) -> Message { Message(text: first.text + second.text) }
}
