/// The part of a filter that concerns what is below a directory; where it is equal, the same entries are observed.
struct FilterReach: Equatable, Sendable {
  /// The level of the directory, if the filter has levels.
  var level: Int?
  /// Whether the directory or one above it is included, and with it everything below.
  var isIncluded: Bool
  /// The remainders of the excluding patterns that may match below it, by their indices.
  var excluded: [Int: [Int]]
  /// The remainders of the including patterns.
  var included: [Int: [Int]]
  /// Outside of the selected folders: the paths of those below it.
  var selected: [[UInt8]]?
}
