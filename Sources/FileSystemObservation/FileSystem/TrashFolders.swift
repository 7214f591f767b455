import FileIdentity
import LinuxFileSystem
import SystemPackage

/// The trash folders of the XDG trash specification: the user's own, those at the top of the file system of the tree, and those
/// in the observed directory itself, where file managers put them when that is what they see mounted.
enum TrashFolders {
  /// Whether an inode lies in one of them.
  ///
  /// Only names are listed; nothing is opened but the folders.
  static func contain(_ key: FileKey, root: DirectoryHandle, _ files: HostFileSystem) -> Bool {
    folders(for: root).contains { folder in
      guard let search = try? OwnedDescriptor.openDirectory(at: folder, for: .list) else { return false }
      return contains(key, DirectoryHandle(search), files)
    }
  }

  private static func folders(for root: DirectoryHandle) -> [FilePath] {
    let data = UserEnvironment.variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
    var folders = [(data ?? UserEnvironment.home.appending(".local/share")).appending("Trash/files")]
    let observed = FilePath.ofOpen(root.descriptor)
    for top in [observed, observed.map { mountTop(of: $0, root) }].compactMap({ $0 }) {
      folders.append(top.appending(".Trash-\(UserEnvironment.userID)/files"))
      folders.append(top.appending(".Trash/\(UserEnvironment.userID)/files"))
    }
    return folders
  }

  /// The uppermost directory on the same device.
  private static func mountTop(of observed: FilePath, _ root: DirectoryHandle) -> FilePath {
    var path = observed
    guard let device = try? FileStatus.of(root.descriptor).device else { return path }
    while !path.components.isEmpty {
      let parent = path.removingLastComponent()
      guard let status = try? FileStatus.of(path: parent), status.device == device else { break }
      path = parent
    }
    return path
  }

  private static func contains(_ key: FileKey, _ folder: DirectoryHandle, _ files: HostFileSystem) -> Bool {
    var found = false
    try? DirectoryReader().forEachEntry(of: folder.descriptor) { name, _, inode in
      guard !found, inode == key.inode else { return }
      found = (try? files.status(of: name, in: folder)).map(FileKey.init) == key
    }
    return found
  }
}
