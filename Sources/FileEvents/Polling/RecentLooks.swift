import LinuxFileSystem

/// What others have looked at in a directory since the last pass.
///
/// They may have seen a state that came after one pass and is gone before the next: the passes show no difference.
struct RecentLooks: Sendable {
  /// Whether they list the directory, because it was marked.
  var isListed = false
  /// The names in hints.
  private(set) var names: [FileName] = []
  private static let mostNames = 4096

  /// Stores the names of a pass; beyond the limit, the whole directory.
  mutating func note(_ hinted: [FileName]) {
    if hinted.count > Self.mostNames { isListed = true } else { names = hinted }
  }
}
