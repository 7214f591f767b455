/// A directory whose entries are filtered.
struct FilteredDirectory: Sendable {
  /// Its path below the root, if the filter needs paths.
  let path: [UInt8]
  /// Whether a pattern includes all files in it; also `true` if there are no including patterns.
  let isIncluded: Bool
}
