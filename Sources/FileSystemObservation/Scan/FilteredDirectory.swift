/// A directory whose entries are filtered: what is the same for all of them is found out once.
struct FilteredDirectory: Sendable {
  /// Its path below the root, where the filter needs paths.
  let path: [UInt8]
  /// Whether all files in it are included, by a pattern for it or for one above; or no patterns say what is.
  let isIncluded: Bool
}
