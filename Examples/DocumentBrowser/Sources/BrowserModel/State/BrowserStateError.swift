public import SystemPackage

/// What the app keeps could not be read or written.
public struct BrowserStateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened, where, in one sentence.
  public let message: String
  /// What to do; empty if nothing helps.
  public let advice: String
  /// The file.
  public let path: FilePath
  /// Whether the file is damaged, or is another's.
  let isOfContents: Bool

  init(message: String, advice: String, path: FilePath, isOfContents: Bool = false) {
    self.message = message
    self.advice = advice
    self.path = path
    self.isOfContents = isOfContents
  }

  /// The message and the advice, in one line.
  public var description: String { advice.isEmpty ? message : "\(message); \(advice)" }
}
