import FileIdentity
import LinuxFileSystem
import SystemPackage

/// The trash folders of the XDG trash specification: the user's own, and those at the top of the file system of the tree.
enum TrashFolders {
  /// Whether an inode lies in one of them. Only names are listed; nothing is opened but the folders.
  static func contain(_ key: FileKey, root: DirectoryHandle) -> Bool {
    folders(for: root).contains { folder in
      guard let search = try? OwnedDescriptor.openDirectory(at: folder, for: .list) else { return false }
      return contains(key, DirectoryHandle(search))
    }
  }

  private static func folders(for root: DirectoryHandle) -> [FilePath] {
    let data = UserEnvironment.variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
    var folders = [(data ?? UserEnvironment.home.appending(".local/share")).appending("Trash/files")]
    if let top = mountTop(of: root) {
      folders.append(top.appending(".Trash-\(UserEnvironment.userID)/files"))
      folders.append(top.appending(".Trash/\(UserEnvironment.userID)/files"))
    }
    return folders
  }

  /// The uppermost directory on the same device.
  private static func mountTop(of root: DirectoryHandle) -> FilePath? {
    guard var path = FilePath.ofOpen(root.descriptor), let device = try? FileStatus.of(root.descriptor).device
    else { return nil }
    while !path.components.isEmpty {
      let parent = path.removingLastComponent()
      guard let status = try? FileStatus.of(path: parent), status.device == device else { break }
      path = parent
    }
    return path
  }

  private static func contains(_ key: FileKey, _ folder: DirectoryHandle) -> Bool {
    var found = false
    try? DirectoryReader().forEachEntry(of: folder.descriptor) { name, _, inode in
      guard !found, inode == key.inode else { return }
      found = (try? FileStatus.of(name, in: folder.descriptor)).map(FileKey.init) == key
    }
    return found
  }
}
