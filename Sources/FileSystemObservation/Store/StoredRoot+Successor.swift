import FileIdentity
import LinuxFileSystem
import SystemPackage

// Another directory with the documents of a stored tree, on another disk or another computer. Most programs that put
// documents back, or move them, keep no attributes: there are no tags then, and only the files themselves tell.

extension StoredRoot {
  /// How a tree belongs to this directory.
  ///
  /// - Parameter takingOver: Whether the app says that the documents are here now.
  func fit(of tree: StoredTree, takingOver: Bool) -> TreeFit {
    if isRoot(of: tree) { return .same }
    let hasItems = tree.storage.nodes.count > 1
    if takingOver { return isRelated(to: tree) || hasItems && files.isEmpty(root) ? .none : .successor }
    return hasItems && mayFollow(tree) && StoredFiles(tree.storage, files).areMostly(in: root) ? .successor : .none
  }

  /// Whether this is a part of a tree, or has its directory as a part: an item cannot be its own root.
  private func isRelated(to tree: StoredTree) -> Bool {
    let former = tree.directory
    if former != path, former.starts(with: path) || path.starts(with: former) { return true }
    return tree.storage.liveIDs.contains { id in
      let node = tree.storage.nodes[id.index]
      return id != .root && node.kind == .directory && node.inode == key.inode && node.born == key.born
    }
  }

  /// Whether this may be in the place of the directory of a tree: that must not be another one which is still there.
  private func mayFollow(_ tree: StoredTree) -> Bool {
    if isTagged, tree.storage.nodes[0].uuid != uuid { return false }
    let stored = tree.storage.key(.root)
    if tree.directory != path { return isGone(stored, tree) }
    return Self.hasMadeUpNumbers(root) || !(isOnFileSystem(of: stored, tree) && isBeside(stored))
  }
}

/// Some files of a stored tree, to tell whether a directory has what was in it.
private struct StoredFiles {
  private static let mostLooks = 1_000
  /// Archives and FAT keep every second second only.
  private static let closeSeconds: Int64 = 2

  private let storage: GraphStorage
  private let files: GuardedFileSystem
  /// At most so many of those with contents, from all parts of the tree.
  private let sample: [NodeID]

  init(_ storage: GraphStorage, _ files: GuardedFileSystem) {
    self.storage = storage
    self.files = files
    let all = storage.liveIDs.filter { storage.nodes[$0.index].kind == .file && storage.nodes[$0.index].size > 0 }
    let step = max(1, (all.count + Self.mostLooks - 1) / Self.mostLooks)
    sample = stride(from: 0, to: all.count, by: step).map { all[$0] }
  }

  /// Whether at least half of them are in a directory as they were: at their paths, with their sizes and times.
  func areMostly(in root: DirectoryHandle) -> Bool {
    // Files of one directory mostly follow each other.
    var parent: (id: NodeID, handle: DirectoryHandle?)?
    let present = sample.count { id in
      let directory = storage.nodes[id.index].parent
      if parent?.id != directory {
        parent = (directory, try? files.openDirectory(storage.names(of: directory), below: root))
      }
      return parent?.handle.map { isAsStored(id, in: $0) } ?? false
    }
    return present > 0 && present * 2 >= sample.count
  }

  private func isAsStored(_ id: NodeID, in parent: DirectoryHandle) -> Bool {
    guard let status = storage.name(id).withView({ try? files.status(of: $0, in: parent) }) else { return false }
    let node = storage.nodes[id.index]
    return status.kind == .file && status.size == node.size && areClose(status.modified, node.modified)
  }

  private func areClose(_ one: Int64, _ other: Int64) -> Bool {
    abs(one / 1_000_000_000 - other / 1_000_000_000) <= Self.closeSeconds
  }
}
