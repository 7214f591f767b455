import Glibc

/// A pattern of `fnmatch(3)`: `*`, `?`, `[...]`, and `\` before a character that is meant itself.
package struct GlobPattern: Hashable, Sendable {
  /// The pattern as it was given.
  package let string: String
  /// Whether it is matched against a path rather than a name.
  package let matchesPaths: Bool
  private let storage: ContiguousArray<CChar>
  /// The pattern up to each of its slashes; nothing where one of them may be meant otherwise.
  private let beginnings: [ContiguousArray<CChar>]?

  /// Why a pattern cannot be used.
  package enum Malformation: Error, Sendable {
    case empty
    case unclosedBracket
    case trailingBackslash
    case nul
  }

  /// - Throws: What is wrong with the pattern; `fnmatch` itself would silently match it literally.
  package init(_ string: String) throws(Malformation) {
    try Self.check(string)
    self.string = string
    var pattern = Substring(string)
    while pattern.hasPrefix("/") { pattern.removeFirst() }
    while pattern.hasSuffix("/") { pattern.removeLast() }
    if pattern.isEmpty { throw .empty }
    matchesPaths = pattern.contains("/")
    storage = ContiguousArray(String(pattern).utf8CString)
    beginnings = Self.beginnings(of: pattern)
  }

  private static func beginnings(of pattern: Substring) -> [ContiguousArray<CChar>]? {
    let beginnings = pattern.indices.filter { pattern[$0] == "/" }.map { String(pattern[..<$0]) }
    // In brackets, or after a backslash, a slash is none: what is before it is no pattern.
    guard beginnings.allSatisfy({ (try? check($0)) != nil }) else { return nil }
    return beginnings.map { ContiguousArray($0.utf8CString) }
  }

  private static func check(_ string: String) throws(Malformation) {
    if string.isEmpty { throw .empty }
    if string.utf8.contains(0) { throw .nul }
    var rest = string.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\", rest.popFirst() == nil { throw .trailingBackslash }
      guard scalar == "[" else { continue }
      // A bracket right after the opening one, or after its negation, is meant itself.
      if rest.first == "!" || rest.first == "^" { rest.removeFirst() }
      if rest.first == "]" { rest.removeFirst() }
      try skipBracket(&rest)
    }
  }

  private static func skipBracket(_ rest: inout Substring.UnicodeScalarView) throws(Malformation) {
    while let scalar = rest.popFirst() {
      if scalar == "]" { return }
      // A bracket after a backslash does not close.
      if scalar == "\\", rest.popFirst() == nil { throw .unclosedBracket }
    }
    throw .unclosedBracket
  }

  /// Whether a name or relative path, ended by a NUL, matches.
  package func matches(_ text: UnsafePointer<CChar>) -> Bool { unsafe matches(text, storage) }

  /// Whether paths below a folder may match.
  ///
  /// - Parameters:
  ///   - path: The relative path of the folder, ended by a NUL.
  ///   - depth: How many names it has.
  package func mayMatch(below path: UnsafePointer<CChar>, depth: Int) -> Bool {
    guard matchesPaths else { return false }
    guard let beginnings, depth > 0 else { return true }
    return unsafe depth <= beginnings.count && matches(path, beginnings[depth - 1])
  }

  private func matches(_ text: UnsafePointer<CChar>, _ pattern: ContiguousArray<CChar>) -> Bool {
    unsafe pattern.withUnsafeBufferPointer { pattern in
      guard let start = pattern.baseAddress else { return false }
      return unsafe fnmatch(start, text, matchesPaths ? FNM_PATHNAME : 0) == 0
    }
  }
}

extension GlobPattern.Malformation {
  /// What is wrong, and what to write instead.
  package var explanation: String {
    switch self {
    case .empty: "it is empty"
    case .unclosedBracket: "a \"[\" has no \"]\"; write \"\\[\" for the character itself"
    case .trailingBackslash: "it ends in a \"\\\"; write \"\\\\\" for the character itself"
    case .nul: "it contains a NUL, which no file name has"
    }
  }
}
