import FileIdentity
import LinuxFileSystem
import SystemPackage

/// The observed directory as it is now, to tell whether a stored tree is its own.
struct StoredRoot: Sendable {
  let path: FilePath
  let uuid: UUIDBits
  let isTagged: Bool
  let key: FileKey
  /// What identifies its file system across restarts of the machine; 0 if nothing does.
  private let fileSystem: UInt64
  let root: DirectoryHandle
  let files: GuardedFileSystem

  init(at path: FilePath, _ files: GuardedFileSystem) throws(Errno) {
    root = try files.openRoot(at: path)
    let status = try files.status(of: root)
    self.path = path
    self.files = files
    key = FileKey(status)
    let tag = ObservationDriver.HostEngine.rootTag(files, root)
    isTagged = tag != nil
    uuid = tag ?? ObservationDriver.HostEngine.mintedRootUUID(files, root, status)
    fileSystem = Self.identity(of: status, named: FileName("."), in: root, files)
  }

  private static func identity(
    of status: FileStatus, named name: FileName, in directory: DirectoryHandle, _ files: GuardedFileSystem
  ) -> UInt64 {
    _ = name.withView { files.fileSystemIdentifier(of: status, named: $0, in: directory) }
    return files.lastingIdentifier(ofDevice: status.device) ?? 0
  }
}

// MARK: - Which tree it is

extension StoredRoot {
  /// Whether a tree is that of this directory.
  ///
  /// It is if this is its inode, wherever it is mounted now. Another inode with its tag is a copy of it, unless the
  /// directory itself is known to be gone: it was put back at its path, or moved to another file system. One without a
  /// tag at its path is it, too, unless it is beside it under another name: it was unpacked from an archive.
  func isRoot(of tree: StoredTree) -> Bool {
    guard tree.storage.nodes.count > 0 else { return false }
    if isInode(of: tree) { return true }
    let stored = tree.storage.key(.root)
    if tree.storage.nodes[0].uuid == uuid { return isGone(stored, tree) }
    // Where numbers are made up, only its files tell.
    return !isTagged && tree.directory == path && isOnFileSystem(of: stored, tree) && !Self.hasMadeUpNumbers(root)
      && !isBeside(stored)
  }

  /// Whether this is the inode of a tree's directory, wherever it is mounted now.
  func isInode(of tree: StoredTree) -> Bool {
    hasNumber(of: tree) && key.hasBirthTime
  }

  /// Whether this has the inode number of a tree's directory, which need not have a birth time.
  func hasNumber(of tree: StoredTree) -> Bool {
    let stored = tree.storage.key(.root)
    return stored.inode == key.inode && stored.born == key.born
  }

  /// Whether this may be the mount point of the directory of a tree, whose file system is not mounted.
  func mayBeMountPoint(of tree: StoredTree) -> Bool {
    guard tree.storage.nodes.count > 1, tree.directory == path else { return false }
    return !isOnFileSystem(of: tree.storage.key(.root), tree) && files.isEmpty(root)
  }

  /// Whether this is on the file system of the directory of a tree, and not what is there while that is not mounted.
  func isOnFileSystem(of stored: FileKey, _ tree: StoredTree) -> Bool {
    fileSystem == 0 ? identity(of: tree) == 0 && stored.device == key.device : identity(of: tree) == fileSystem
  }

  private func identity(of tree: StoredTree) -> UInt64 {
    let own = Int(tree.storage.nodes[0].device)
    return own < tree.head.devices.count ? tree.head.devices[own].identity : 0
  }

  /// Whether another directory beside this one has an inode; if nobody can tell, it may have.
  func isBeside(_ key: FileKey) -> Bool { isBeside(key, path, isUnlessKnown: true) }

  /// Whether a directory beside a path has an inode.
  ///
  /// - Parameter isUnlessKnown: The answer if nobody can tell.
  private func isBeside(_ key: FileKey, _ path: FilePath, isUnlessKnown: Bool) -> Bool {
    guard let parent = try? files.openRoot(at: path.removingLastComponent()), parent.mountGuard == nil,
      let listed = try? files.reopenForListing(parent)
    else { return isUnlessKnown }
    var names: [FileName] = []
    do throws(Errno) {
      try DirectoryReader().forEachEntry(of: listed.descriptor) { name, _, inode in
        if inode == key.inode { names.append(FileName(name)) }
      }
    } catch {
      return isUnlessKnown
    }
    return names.contains { name in
      guard let status = name.withView({ try? files.status(of: $0, in: parent) }) else { return false }
      return status.kind == .directory && FileKey(status).inode == key.inode && FileKey(status).born == key.born
    }
  }

  /// Whether the directory of a tree is no longer where it was, although its file system is there.
  func isGone(_ stored: FileKey, _ tree: StoredTree) -> Bool {
    let identity = identity(of: tree)
    if tree.directory == path { return identity == fileSystem }
    if let other = try? StoredRoot(at: tree.directory, files) {
      if other.key == key { return true }
      if other.key.inode == stored.inode && other.key.born == stored.born || other.uuid == uuid { return false }
    }
    return identity != 0 && Self.nearestFileSystem(of: tree.directory, files) == identity
      && !isBeside(stored, tree.directory, isUnlessKnown: false)
  }

  /// The file system of the nearest directory above a path that exists.
  private static func nearestFileSystem(of path: FilePath, _ files: GuardedFileSystem) -> UInt64? {
    var path = path
    while path.removeLastComponent() {
      if let above = try? StoredRoot(at: path, files) { return above.fileSystem }
    }
    return nil
  }
}

// MARK: - Devices

extension StoredRoot {
  /// The device numbers of a tree, as they are now.
  ///
  /// They may change with each start of the machine, and with each mount. One that belongs to another file system by
  /// now stands for none: what is there is recognised by tags and places.
  func devices(of tree: StoredTree) -> [UInt64] {
    let own = Int(tree.storage.nodes[0].device)
    let found = mounted(in: tree)
    let taken = Set(found.values).union([key.device])
    return tree.head.devices.enumerated().map { index, device in
      if index == own || device.identity != 0 && device.identity == fileSystem { return key.device }
      if let number = found[index] { return number }
      return taken.contains(device.number) ? .max - UInt64(index) : device.number
    }
  }

  /// The numbers of the devices of a tree that are found where they were: mounts and subvolumes below the directory.
  private func mounted(in tree: StoredTree) -> [Int: UInt64] {
    var found: [Int: UInt64] = [:]
    guard tree.head.devices.count > 1 else { return found }
    for id in tree.storage.liveIDs {
      let node = tree.storage.nodes[id.index]
      let index = Int(node.device)
      guard node.device != tree.storage.nodes[node.parent.index].device, found[index] == nil,
        tree.head.devices[index].identity != 0,
        let (number, identity) = device(at: tree.storage.names(of: id)), identity == tree.head.devices[index].identity
      else { continue }
      found[index] = number
    }
    return found
  }

  /// The device of an entry, and what identifies it.
  ///
  /// The entry itself is not opened: that might mount something.
  private func device(at names: [FileName]) -> (UInt64, identity: UInt64)? {
    guard let name = names.last else { return nil }
    do throws(Errno) {
      let parent = try files.openDirectory(names.dropLast(), below: root)
      let status = try name.withView { (view) throws(Errno) in try files.status(of: view, in: parent) }
      return (status.device, Self.identity(of: status, named: name, in: parent, files))
    } catch {
      return nil
    }
  }
}

extension GraphStorage {
  /// The names on the path from the root to an entry.
  func names(of id: NodeID) -> [FileName] {
    var names: [FileName] = []
    var id = id
    while id != .root {
      names.append(name(id))
      id = nodes[id.index].parent
    }
    return names.reversed()
  }
}

extension GuardedFileSystem {
  /// Opens a directory by the names on the path from another one; no symbolic link is followed.
  func openDirectory(_ names: some Sequence<FileName>, below root: DirectoryHandle) throws(Errno) -> DirectoryHandle {
    var directory = root
    for name in names {
      directory = try name.withView { (view) throws(Errno) in try openDirectory(view, in: directory, for: .search) }
    }
    return directory
  }
}
