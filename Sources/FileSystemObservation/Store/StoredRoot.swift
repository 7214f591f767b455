import FileIdentity
import LinuxFileSystem
import SystemPackage

/// The observed directory as it is now, to tell whether a stored tree is its own.
struct StoredRoot: Sendable {
  private let uuid: UUIDBits
  private let key: FileKey
  /// What identifies its file system across restarts of the machine.
  private let fileSystem: UInt64

  init(at path: FilePath, _ files: GuardedFileSystem) throws(Errno) {
    let root = try files.openRoot(at: path)
    let status = try files.status(of: root)
    key = FileKey(status)
    uuid = ObservationDriver.HostEngine.rootUUID(files, root, status)
    fileSystem = FileName(".").withView { files.fileSystemIdentifier(of: status, named: $0, in: root) }
  }

  /// Whether a tree is that of this directory: it has its tag, or it is its inode.
  func isRoot(of tree: StoredTree) -> Bool {
    guard tree.storage.nodes.count > 0 else { return false }
    let stored = tree.storage.key(.root)
    return tree.storage.nodes[0].uuid == uuid
      || stored.inode == key.inode && stored.born == key.born && key.hasBirthTime
  }

  /// The device numbers of a tree, as they are now.
  ///
  /// They may change with each start of the machine. One that belongs to another file system by now stands for none:
  /// what is there is recognised by tags and places.
  func devices(of tree: StoredTree) -> [UInt64] {
    let own = Int(tree.storage.nodes[0].device)
    return tree.head.devices.enumerated().map { index, device in
      if index == own || device.identity != 0 && device.identity == fileSystem { return key.device }
      return device.number == key.device ? .max - UInt64(index) : device.number
    }
  }
}
