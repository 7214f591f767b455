import LinuxFileSystem

/// A directory whose entries are filtered.
struct FilteredDirectory: Sendable {
  /// Its path below the root, or below the selected folder that it is in, if the filter needs paths.
  let path: [UInt8]
  /// Whether a pattern includes all files in it; also `true` if there are no including patterns.
  let isIncluded: Bool
  /// Outside of the selected folders: the names that lead to them.
  let steps: [SelectedFolders.Step]?

  init(path: [UInt8], isIncluded: Bool, steps: [SelectedFolders.Step]? = nil) {
    self.path = path
    self.isIncluded = isIncluded
    self.steps = steps
  }

  /// Whether a name leads to a selected folder, and is none itself.
  func isOnTheWay(_ name: NameView) -> Bool {
    steps?.contains { !$0.isSelected && name.equals($0.name) } ?? false
  }

  /// Whether a name leads to a selected folder, or is one.
  func leadsOn(_ name: NameView) -> Bool { steps?.contains { name.equals($0.name) } ?? false }
}

extension NameView {
  fileprivate func equals(_ bytes: [UInt8]) -> Bool {
    guard count == bytes.count else { return false }
    return bytes.indices.allSatisfy { span[$0] == bytes[$0] }
  }
}
