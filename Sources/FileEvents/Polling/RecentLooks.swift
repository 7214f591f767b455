import LinuxFileSystem

/// What others have looked at in a directory since it was polled last.
///
/// They may have seen what came after a pass and is gone before the next: no two passes differ by that.
struct RecentLooks: Sendable {
  /// Whether they list the directory: it was marked.
  var isListed = false
  /// Names that they were told of.
  private(set) var names: [FileName] = []
  private static let mostNames = 4096

  /// Takes in the names that a pass has told; so many are as good as all.
  mutating func note(_ told: [FileName]) {
    if told.count > Self.mostNames { isListed = true } else { names = told }
  }
}
