/// Patterns of gitignore(5) in their order: the last one that matches an item decides.
package struct PathPatternList: Hashable, Sendable {
  /// In the given order.
  package let patterns: [PathPattern]
  /// Whether any pattern needs paths.
  package let needsPaths: Bool
  /// Whether any pattern needs to know if an item is a directory.
  package let needsKinds: Bool

  /// Makes a list of patterns.
  package init(_ patterns: [PathPattern] = []) {
    self.patterns = patterns
    needsPaths = patterns.contains(where: \.isAnchored)
    needsKinds = patterns.contains(where: \.isForDirectories)
  }

  /// Compiles patterns.
  ///
  /// - Throws: The first pattern that cannot be used, and why.
  package init(_ strings: [String]) throws(Failure) {
    var patterns: [PathPattern] = []
    for string in strings {
      do throws(PathPattern.Malformation) {
        patterns.append(try PathPattern(string))
      } catch {
        throw Failure(pattern: string, reason: error)
      }
    }
    self.init(patterns)
  }

  /// A pattern that cannot be used.
  package struct Failure: Error, Hashable, Sendable {
    /// The pattern as given.
    package var pattern: String
    /// What is wrong with it.
    package var reason: PathPattern.Malformation
  }

  /// Whether there are no patterns.
  package var isEmpty: Bool { patterns.isEmpty }

  /// Whether the patterns match an item itself, whatever is above it.
  ///
  /// - Parameter directory: The path of its directory below the root, if `needsPaths`.
  package func matches(_ name: Span<UInt8>, in directory: Span<UInt8>, isDirectory: Bool) -> Bool {
    var index = patterns.count
    while index > 0 {
      index -= 1
      if patterns[index].matches(name, in: directory, isDirectory: isDirectory) { return !patterns[index].isNegated }
    }
    return false
  }

  /// Whether the patterns match a directory or one above it: then no pattern can exclude anything below, as in git.
  package func covers(_ directory: Span<UInt8>) -> Bool {
    var start = 0
    for offset in 0...directory.count {
      guard offset == directory.count || directory[offset] == UInt8(ascii: "/") else { continue }
      let parent = directory.extracting(first: max(0, start - 1))
      if offset > start, matches(directory.extracting(start..<offset), in: parent, isDirectory: true) { return true }
      start = offset + 1
    }
    return false
  }

  /// The remainders of the patterns below a directory, by their indices.
  func remainders(below directory: Span<UInt8>) -> [Int: [Int]] {
    var remainders: [Int: [Int]] = [:]
    guard needsPaths else { return remainders }
    for (index, pattern) in patterns.enumerated() {
      let remainder = pattern.remainder(below: directory)
      if !remainder.isEmpty { remainders[index] = remainder }
    }
    return remainders
  }

  /// A pattern that can match something below a directory.
  struct PatternInForce: Equatable {
    let pattern: PathPattern
    /// Its remainder; empty for a pattern that matches names on every level.
    let remainder: [Int]
  }

  /// The patterns that can match below a directory, in their order: equal results mean equal matches.
  func inForce(below directory: Span<UInt8>) -> [PatternInForce] {
    var found: [PatternInForce] = []
    for pattern in patterns {
      let remainder = pattern.remainder(below: directory)
      if !pattern.isAnchored || !remainder.isEmpty {
        found.append(PatternInForce(pattern: pattern, remainder: remainder))
      }
    }
    return found
  }
}
