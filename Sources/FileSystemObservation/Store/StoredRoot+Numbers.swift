import FileIdentity
import LinuxFileSystem
import SystemPackage

// Inode numbers that say nothing of which file it is: those of the file system on which the tree was before, and those
// that a file system makes up, as FAT, exFAT and programs of FUSE, which give other ones after the next mount.
// There a file that is at its place, with its size and time, is the same.

extension StoredRoot {
  /// A stored tree with the numbers that its files have now, wherever those of before say nothing.
  ///
  /// A file that is not as it was stored gets no number: it is recognised by its tag or its place, or not at all. In a
  /// tree that is taken over, what is at a path is the document of that path, unless its tag is of another one.
  ///
  /// Looks once at every item on such file systems.
  ///
  /// - Parameter takingOver: Whether the app says that the documents are here now.
  func withNumbersOfNow(_ storage: GraphStorage, of tree: StoredTree, takingOver: Bool) -> GraphStorage {
    let isTaken = takingOver && !isRoot(of: tree)
    let isCopied = isTaken || isUntaggedCopy(of: tree)
    var numbers = FoundNumbers(storage, files, isCopied ? .ofCopy(places: isTaken, on: key.device) : .ofSameDisk)
    if isCopied || Self.hasMadeUpNumbers(root) { numbers.collect(below: .root, root) }
    for (id, directory) in mountPoints(in: storage) where Self.hasMadeUpNumbers(directory) {
      numbers.collect(below: id, directory)
    }
    return numbers.applied()
  }

  /// Whether the tree was on another file system, and its tags have not come along.
  private func isUntaggedCopy(of tree: StoredTree) -> Bool {
    !isTagged && !isInode(of: tree) && !isOnFileSystem(of: tree.storage.key(.root), tree)
  }

  private static func hasMadeUpNumbers(_ directory: DirectoryHandle) -> Bool {
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

/// The inode numbers of a stored tree's items, as they are by now.
struct FoundNumbers {
  /// What the items are compared with.
  enum Rule: Equatable {
    /// The same files, on the file systems on which they were.
    case ofSameDisk
    /// Copies of the files, all on one file system; with `places`, the path alone says which file is which.
    case ofCopy(places: Bool, on: UInt64)
  }

  private let storage: GraphStorage
  private let files: GuardedFileSystem
  private let rule: Rule
  /// The inodes of now; `nil` for an item that is not there as it was stored.
  private var found: [NodeID: FileKey?] = [:]
  /// The identities of the tree, if a path says more than a tag that the tree does not know.
  private let known: Set<UUIDBits>?

  init(_ storage: GraphStorage, _ files: GuardedFileSystem, _ rule: Rule = .ofSameDisk) {
    self.storage = storage
    self.files = files
    self.rule = rule
    if case .ofCopy(places: true, _) = rule {
      known = Set(storage.liveIDs.map { storage.nodes[$0.index].uuid })
    } else {
      known = nil
    }
  }

  /// Looks at everything below a directory, on its file system.
  mutating func collect(below top: NodeID, _ handle: DirectoryHandle) {
    var waiting = [(top, Optional(handle))]
    while let (directory, handle) = waiting.popLast() {
      for id in storage.children(of: directory) where isOnFileSystem(id, of: directory) {
        let status = handle.flatMap { self.status(of: id, in: $0) }
        // What is mounted there keeps its numbers.
        if let status, case .ofCopy(_, let device) = rule, status.device != device { continue }
        let isFound = status.flatMap { status in handle.map { isItem(id, status, in: $0) } } ?? false
        found[id] = .some(isFound ? status.map { FileKey($0) } : nil)
        guard storage.nodes[id.index].kind == .directory else { continue }
        waiting.append((id, isFound ? handle.flatMap { open(id, in: $0) } : nil))
      }
    }
  }

  /// Whether an entry counts: a copy of a mounted file system is one of plain folders.
  private func isOnFileSystem(_ id: NodeID, of directory: NodeID) -> Bool {
    rule != .ofSameDisk || storage.nodes[id.index].device == storage.nodes[directory.index].device
  }

  private func status(of id: NodeID, in directory: DirectoryHandle) -> FileStatus? {
    storage.name(id).withView { try? files.status(of: $0, in: directory) }
  }

  /// Whether an item is there as it was stored.
  private func isItem(_ id: NodeID, _ status: FileStatus, in directory: DirectoryHandle) -> Bool {
    let node = storage.nodes[id.index]
    guard status.kind == node.kind, isAtItsPlace(node, status) else { return false }
    // A tag says more than a place.
    let tag = storage.name(id).withView { files.readTag(of: $0, in: directory).uuid }
    guard let tag, tag != node.uuid else { return true }
    return known.map { !$0.contains(tag) } ?? false
  }

  private func isAtItsPlace(_ node: Node, _ status: FileStatus) -> Bool {
    if case .ofCopy(places: true, _) = rule { return true }
    return node.kind == .directory || status.size == node.size && status.modified == node.modified
  }

  private func open(_ id: NodeID, in directory: DirectoryHandle) -> DirectoryHandle? {
    storage.name(id).withView { try? files.openDirectory($0, in: directory, for: .search) }
  }

  /// The tree with these numbers, if any of them is another than before.
  func applied() -> GraphStorage {
    var storage = storage
    let isOther = found.contains { id, key in key.map { $0.inode != storage.nodes[id.index].inode } ?? false }
    guard isOther || rule != .ofSameDisk else { return storage }
    let nowhere = UInt16(clamping: storage.devices.firstIndex(of: FileKey.unseen.device) ?? storage.devices.count)
    if Int(nowhere) == storage.devices.count { storage.devices.append(FileKey.unseen.device) }
    for (id, key) in found {
      let key = key ?? .unseen
      (storage.nodes[id.index].inode, storage.nodes[id.index].born) = (key.inode, key.born)
      if key == .unseen {
        storage.nodes[id.index].device = nowhere
      } else if rule != .ofSameDisk {
        storage.nodes[id.index].device = storage.nodes[0].device
      }
    }
    return storage
  }
}
