import FoundationEssentials

extension UUID {
  /// The number of characters of the text.
  static let textLength = 36

  /// The UUID as the tool writes it, in lower case.
  var text: String { uuidString.lowercased() }
}
