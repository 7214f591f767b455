import Synchronization

/// Standard output and standard error of the tool.
///
/// Results go to standard output; messages and the progress line to standard error.
final class Console: Sendable {
  private let isProgressShown = Mutex(false)

  /// Whether standard error is a terminal.
  var isTerminal: Bool { StandardStream.error.isTerminal }

  /// Whether the terminal has no control sequences.
  var isPlain: Bool { ["", "dumb"].contains(ProcessSetup.variable("TERM") ?? "") }

  /// Writes lines to standard output, at once.
  func write(_ lines: [UInt8]) throws(OutputFailure) {
    if lines.isEmpty { return }
    clearProgress()
    do {
      try StandardStream.output.write(lines)
    } catch {
      throw OutputFailure(errno: error)
    }
  }

  /// Writes one line to standard error.
  func complain(_ message: String) {
    clearProgress()
    // If standard error fails, there is no place to report it.
    try? StandardStream.error.write(Array("fsobserve: \(message.onOneLine)\n".utf8))
  }

  /// Writes one line to standard error, without the name of the tool.
  func say(_ message: String) {
    try? StandardStream.error.write(Array("\(message)\n".utf8))
  }

  /// Shows a line that the next one replaces.
  func showProgress(_ text: String) {
    isProgressShown.withLock { isShown in
      isShown = true
      try? StandardStream.error.write(Array("\r\u{1b}[K\(text)".utf8))
    }
  }

  /// Removes the progress line.
  func clearProgress() {
    isProgressShown.withLock { isShown in
      if isShown { try? StandardStream.error.write(Array("\r\u{1b}[K".utf8)) }
      isShown = false
    }
  }
}
