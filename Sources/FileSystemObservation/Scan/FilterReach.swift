/// What of a filter concerns the entries below a directory: where that is the same in two places, the same is observed.
struct FilterReach: Equatable, Sendable {
  /// The level of the directory, where that matters.
  var level: Int?
  /// Whether it is included itself, or what is above it: then everything below is.
  var isIncluded: Bool
  /// Of the patterns that exclude, those that may match below it: how much of each is left to be matched.
  var excluded: [Int: [Int]]
  /// The same of the patterns that include.
  var included: [Int: [Int]]
}
