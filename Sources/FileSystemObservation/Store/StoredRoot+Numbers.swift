import FileIdentity
import LinuxFileSystem
import SystemPackage

// Inode numbers that say nothing of which file it is: those of the directory of which this one is a copy, and those that
// a file system makes up, as FAT, exFAT and programs of FUSE, which give other ones after the next mount.

extension StoredRoot {
  /// A stored tree with the numbers that its files have now, wherever those of before say nothing.
  ///
  /// A file that is not found gets no number: the comparison recognises it by its tag or its place, or not at all. In a
  /// tree that is taken over, what is at a path is the document of that path, unless its tag is of another one.
  ///
  /// Looks at every item on such file systems.
  ///
  /// - Parameters:
  ///   - filter: What was observed of the tree.
  ///   - takingOver: Whether the app says that the documents are here now.
  func withNumbersOfNow(
    _ storage: GraphStorage, of tree: StoredTree, _ filter: ItemFilter, takingOver: Bool
  ) -> GraphStorage {
    let isTaken = takingOver && !isRoot(of: tree)
    let isCopy = isTaken || !hasNumber(of: tree)
    let hasMadeUp = isCopy || Self.hasMadeUpNumbers(root)
    let mounts = mountPoints(in: storage).filter { Self.hasMadeUpNumbers($0.1) }
    guard hasMadeUp || !mounts.isEmpty else { return storage }
    files.noteRoot(root)
    let rule = isCopy ? FoundNumbers.Rule.ofCopy(places: isTaken, on: key.device) : .ofSameDisk
    var numbers = FoundNumbers(storage, files, filter, rule)
    if hasMadeUp { numbers.collect(below: .root, root) }
    for (id, directory) in mounts { numbers.collect(below: id, directory) }
    return numbers.applied()
  }

  /// Whether inode numbers are others after the next mount.
  static func hasMadeUpNumbers(_ directory: DirectoryHandle) -> Bool {
    (try? FileSystemType.of(directory.descriptor)).map { !$0.hasLastingInodeNumbers } ?? false
  }

  /// The directories in which other file systems were mounted, and are now, too.
  private func mountPoints(in storage: GraphStorage) -> [(NodeID, DirectoryHandle)] {
    storage.mountPoints.compactMap { id in open(storage.names(of: id)).map { (id, $0) } }
  }

  /// Opens a directory on another file system than the one above it, so that nothing is mounted by that.
  private func open(_ names: [FileName]) -> DirectoryHandle? {
    guard let name = names.last, let above = try? files.openDirectory(names.dropLast(), below: root) else { return nil }
    return name.withView { view in
      if (try? files.status(of: view, in: above))?.device == (try? files.status(of: above))?.device { return nil }
      return try? files.openDirectory(view, in: above, for: .search)
    }
  }
}
