/// A parser for the needed part of git's configuration files.
///
/// It reads sections in brackets, names in any case and values after `=`. It does not read included files.
enum GitConfiguration {
  /// The last value of `core.trustctime`; `nil` if there is none.
  static func trustsChangeTimes(_ text: String) -> Bool? {
    var isCore = false
    var value: Bool?
    for line in text.split(whereSeparator: \.isNewline) {
      var rest = line.drop(while: \.isWhitespace)
      if rest.first == "[", let end = rest.firstIndex(of: "]") {
        isCore = rest[..<end].dropFirst().lowercased() == "core"
        rest = rest[rest.index(after: end)...].drop(while: \.isWhitespace)
      }
      if isCore, let found = trustsChangeTimes(inLine: rest) { value = found }
    }
    return value
  }

  /// A name without a value is true.
  private static func trustsChangeTimes(inLine line: Substring) -> Bool? {
    let content = line.prefix { $0 != "#" && $0 != ";" }
    let parts = content.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0].filter({ !$0.isWhitespace }).lowercased() == "trustctime" else { return nil }
    guard parts.count == 2 else { return true }
    let word = parts[1].filter { !$0.isWhitespace && $0 != "\"" }.lowercased()
    return !["false", "no", "off", "0", ""].contains(word)
  }
}
