import Synchronization

/// Standard output and standard error of the tool.
///
/// Results go to standard output; messages and the progress line to standard error.
final class Console: Sendable {
  private let isProgressShown = Mutex(false)

  /// Whether somebody reads standard error at a terminal.
  var isTerminal: Bool { StandardStream.error.isTerminal }

  /// Whether the terminal takes no commands.
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
    // Where standard error takes nothing, there is nobody left to tell.
    try? StandardStream.error.write(Array("fsobserve: \(message.onOneLine)\n".utf8))
  }

  /// Writes one line to standard error that is no complaint.
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

  /// Takes the progress line away.
  func clearProgress() {
    isProgressShown.withLock { isShown in
      if isShown { try? StandardStream.error.write(Array("\r\u{1b}[K".utf8)) }
      isShown = false
    }
  }
}
