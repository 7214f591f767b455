import FileIdentity
import LinuxFileSystem
import SystemPackage

// Inode numbers that say nothing of which file it is: those of the file system on which the tree was before, and those
// that a file system makes up, as FAT, exFAT and programs of FUSE, which give other ones after the next mount.
// There a file that is at its place, with its size and time, is the same.

extension StoredRoot {
  /// A stored tree with the numbers that its files have now, wherever the file system has given them new ones.
  ///
  /// A file that is not as it was stored gets no number: it is recognised by its tag or its place, or not at all.
  /// Nothing changes where all files that are as they were have their numbers.
  ///
  /// Looks once at every item on such file systems.
  func withNumbersOfNow(_ storage: GraphStorage, of tree: StoredTree) -> GraphStorage {
    var numbers = FoundNumbers(storage, files)
    if Self.hasMadeUpNumbers(root) || isCopied(from: tree) { numbers.collect(below: .root, root) }
    for (id, directory) in mountPoints(in: storage) where Self.hasMadeUpNumbers(directory) {
      numbers.collect(below: id, directory)
    }
    return numbers.applied()
  }

  /// Whether the tree was on another file system.
  private func isCopied(from tree: StoredTree) -> Bool {
    !isInode(of: tree) && !isOnFileSystem(of: tree.storage.key(.root), tree)
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
    var directory = root
    for (index, name) in names.enumerated() {
      let next = name.withView { view -> DirectoryHandle? in
        let isLast = index == names.count - 1
        if isLast, (try? files.status(of: view, in: directory))?.device == (try? files.status(of: directory))?.device {
          return nil
        }
        return try? files.openDirectory(view, in: directory, for: .search)
      }
      guard let next else { return nil }
      directory = next
    }
    return directory
  }
}

/// The inode numbers of a stored tree's items, as they are on file systems that make them up.
struct FoundNumbers {
  private let storage: GraphStorage
  private let files: GuardedFileSystem
  /// The inodes of now; `nil` for an item that is not there as it was stored.
  private var found: [NodeID: FileKey?] = [:]

  init(_ storage: GraphStorage, _ files: GuardedFileSystem) {
    self.storage = storage
    self.files = files
  }

  /// Looks at everything below a directory, on its file system.
  mutating func collect(below top: NodeID, _ handle: DirectoryHandle) {
    var waiting = [(top, Optional(handle))]
    while let (directory, handle) = waiting.popLast() {
      for id in storage.children(of: directory)
      where storage.nodes[id.index].device == storage.nodes[directory.index].device {
        let status = handle.flatMap { self.status(of: id, in: $0) }
        found[id] = .some(status.map { FileKey($0) })
        guard storage.nodes[id.index].kind == .directory else { continue }
        waiting.append((id, status == nil ? nil : handle.flatMap { open(id, in: $0) }))
      }
    }
  }

  /// The status of an item that is there as it was stored.
  private func status(of id: NodeID, in directory: DirectoryHandle) -> FileStatus? {
    let node = storage.nodes[id.index]
    return storage.name(id).withView { name in
      guard let status = try? files.status(of: name, in: directory), status.kind == node.kind else { return nil }
      guard node.kind == .directory || status.size == node.size && status.modified == node.modified else { return nil }
      // A tag says more than a place.
      let tag = files.readTag(of: name, in: directory).uuid
      return tag == nil || tag == node.uuid ? status : nil
    }
  }

  private func open(_ id: NodeID, in directory: DirectoryHandle) -> DirectoryHandle? {
    storage.name(id).withView { try? files.openDirectory($0, in: directory, for: .search) }
  }

  /// The tree with these numbers, if any of them is another than before.
  func applied() -> GraphStorage {
    var storage = storage
    guard found.contains(where: { id, key in key.map { $0.inode != storage.nodes[id.index].inode } ?? false }) else {
      return storage
    }
    let nowhere = UInt16(clamping: storage.devices.firstIndex(of: FileKey.unseen.device) ?? storage.devices.count)
    if Int(nowhere) == storage.devices.count { storage.devices.append(FileKey.unseen.device) }
    for (id, key) in found {
      if let key {
        (storage.nodes[id.index].inode, storage.nodes[id.index].born) = (key.inode, key.born)
      } else {
        storage.nodes[id.index].inode = FileKey.unseen.inode
        storage.nodes[id.index].born = FileKey.unseen.born
        storage.nodes[id.index].device = nowhere
      }
    }
    return storage
  }
}
