import LinuxFileSystem
import SystemPackage

extension ObservationOptions {
  /// The longest name of an extended attribute, in bytes (`XATTR_NAME_MAX`).
  private static let longestTagName = 255
  private static let longestWindow = Duration.seconds(3600)

  /// Refuses what cannot be meant.
  func check() throws(ObservationError) {
    try checkTagName()
    try checkWindows()
    guard listenerBufferLimit >= 0 else {
      throw ObservationError(
        code: .invalidArgument,
        sentence: "listenerBufferLimit is \(listenerBufferLimit); it must be a number of changes, 0 or more")
    }
    if let (list, pattern) = namePatterns.malformed {
      throw ObservationError(
        code: .invalidArgument,
        sentence: "the name pattern \"\(pattern)\" in \(list) must be a name with one * in it, as in \"*.bak\"")
    }
  }

  private func checkTagName() throws(ObservationError) {
    let bytes = tagName.utf8
    guard tagName.hasPrefix("user."), bytes.count > 5, !bytes.contains(0) else {
      throw ObservationError(
        code: .invalidArgument,
        sentence: "the tag name \"\(tagName)\" must begin with \"user.\", as in user.app.uuid")
    }
    guard bytes.count <= Self.longestTagName else {
      throw ObservationError(
        code: .invalidArgument,
        sentence: "the tag name \"\(tagName)\" has \(bytes.count) bytes; it may have \(Self.longestTagName) at most")
    }
  }

  private func checkWindows() throws(ObservationError) {
    let windows = [
      ("settleWindow", settleWindow), ("quietPeriod", quietPeriod), ("flashGuard", flashGuard),
      ("modificationInterval", modificationInterval),
    ]
    for (name, window) in windows where window < .zero || window > Self.longestWindow {
      throw ObservationError(
        code: .invalidArgument, sentence: "\(name) is \(window); it must be between 0 and 3600 seconds")
    }
  }
}
