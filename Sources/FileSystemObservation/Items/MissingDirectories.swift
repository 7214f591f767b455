import FoundationEssentials
import SystemPackage

/// The directories that lead to items and are not among these, as in the snapshot of a part of a tree.
struct MissingDirectories {
  /// Parents before children.
  let items: [FileSystemItem.Snapshot]
  private let paths: Set<FilePath>

  init(of items: [FileSystemItem.Snapshot], below directory: FilePath) {
    var known = Set(items.lazy.filter { $0.kind == .directory }.map(\.relativePath))
    var used = Set(items.lazy.map(\.uuid))
    var missing: [FileSystemItem.Snapshot] = []
    for item in items {
      var path = item.relativePath.removingLastComponent()
      // Of the directory of the item the identity is known, and of those above it only that they exist.
      var uuid = item.parent
      while !path.isEmpty, known.insert(path).inserted {
        let own = uuid.flatMap { used.insert($0).inserted ? $0 : nil } ?? UUID()
        missing.append(.init(uuid: own, kind: .directory, relativePath: path, directory: directory))
        path.removeLastComponent()
        uuid = nil
      }
    }
    self.items = missing.sorted { $0.relativePath.components.count < $1.relativePath.components.count }
    paths = Set(missing.map(\.relativePath))
  }

  func contains(_ path: FilePath) -> Bool { paths.contains(path) }
}
