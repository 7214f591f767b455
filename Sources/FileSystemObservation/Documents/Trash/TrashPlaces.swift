internal import LinuxFileSystem
package import SystemPackage

/// Where the trash folders of a user are, by the FreeDesktop trash specification 1.0.
package struct TrashPlaces: Sendable {
  /// The trash of the home folder.
  package let home: FilePath
  private let user: UInt32

  /// - Parameter home: The trash of the home folder, if not `$XDG_DATA_HOME/Trash`.
  package init(home: FilePath? = nil) {
    self.home = home ?? TrashFolders.own.removingLastComponent()
    user = UserEnvironment.userID
  }

  /// The trash of the home folder, made if it is missing; nothing if it is on another file system than a folder.
  ///
  /// - Parameter folder: The folder of the item; nothing to get the trash for any item.
  func homeTrash(for folder: FileStatus?) throws(Errno) -> TrashFolder? {
    let (existing, missing) = Self.existingPart(of: home)
    var handle = DirectoryHandle(try OwnedDescriptor.openDirectory(at: existing, for: .search))
    if let folder, try FileStatus.of(handle.descriptor).device != folder.device { return nil }
    return try Self.making { (made) throws(Errno) in
      for name in missing { handle = try made.open(FileName(name), in: handle) }
      return try TrashFolder(making: handle, at: home, top: nil, &made)
    }
  }

  /// Makes what is missing of a trash folder, or nothing if that fails.
  private static func making(
    _ body: (inout MadeFolders) throws(Errno) -> TrashFolder
  ) throws(Errno) -> TrashFolder {
    var made = MadeFolders()
    do throws(Errno) {
      var trash = try body(&made)
      trash.made = made
      return trash
    } catch {
      made.remove()
      throw error
    }
  }

  private static func existingPart(of path: FilePath) -> (FilePath, [FilePath.Component]) {
    var (existing, missing): (FilePath, [FilePath.Component]) = (path, [])
    while let component = existing.lastComponent, (try? FileStatus.of(path: existing, followingLink: true)) == nil {
      missing.insert(component, at: 0)
      existing.removeLastComponent()
    }
    return (existing, missing)
  }

  /// The trash at the top of a folder's file system, made if it is missing.
  ///
  /// - Throws: Why there is none, and none can be made.
  func topTrash(for folder: DirectoryHandle) throws(Errno) -> TrashFolder {
    let (top, path) = try Self.top(of: folder)
    if let shared = try? sharedTrash(in: top, path) { return shared }
    let name = ".Trash-\(user)"
    return try Self.making { (made) throws(Errno) in
      let own = try made.open(FileName(name), in: top)
      try requireOwn(own)
      return try TrashFolder(making: own, at: path.appending(name), top: path, &made)
    }
  }

  /// `.Trash/UID`, if an administrator has made `.Trash` a real folder with the sticky bit.
  private func sharedTrash(in top: DirectoryHandle, _ path: FilePath) throws(Errno) -> TrashFolder {
    let shared = try openShared(in: top)
    return try Self.making { (made) throws(Errno) in
      let own = try made.open(FileName("\(user)"), in: shared)
      try requireOwn(own)
      return try TrashFolder(making: own, at: path.appending(".Trash").appending("\(user)"), top: path, &made)
    }
  }

  private func openShared(in top: DirectoryHandle) throws(Errno) -> DirectoryHandle {
    let shared = try FileName(".Trash").withView { (name) throws(Errno) in try top.open(name, for: .search) }
    guard try FileStatus.of(shared.descriptor).permissions & 0o1000 != 0 else { throw .notPermitted }
    return shared
  }

  /// Another user's folder would let him read and replace what is trashed.
  private func requireOwn(_ folder: DirectoryHandle) throws(Errno) {
    guard try FileStatus.of(folder.descriptor).owner == user else { throw .notPermitted }
  }

  /// The topmost folder of a file system, or of a subvolume.
  private static func top(of folder: DirectoryHandle) throws(Errno) -> (DirectoryHandle, FilePath) {
    var top = folder
    let (device, mount) = (try FileStatus.of(folder.descriptor).device, MountNumber.of(folder.descriptor))
    var inode = try FileStatus.of(folder.descriptor).inode
    while let above = try? FileName("..").withView({ (name) throws(Errno) in try top.open(name, for: .search) }) {
      let status = try FileStatus.of(above.descriptor)
      guard status.device == device, status.inode != inode, MountNumber.of(above.descriptor) == mount else { break }
      (top, inode) = (above, status.inode)
    }
    guard let path = FilePath.ofOpen(top.descriptor) else { throw .fileNameTooLong }
    return (top, path)
  }

  /// All trash folders that exist: that of the home folder, and those at the tops of the file systems of some paths.
  func existing(for paths: [FilePath]) -> [TrashFolder] {
    var found: [TrashFolder] = []
    if let trash = try? TrashFolder.open(at: home, top: nil) { found.append(trash) }
    for path in paths {
      guard let descriptor = try? OwnedDescriptor.openDirectory(at: path, for: .search),
        let (top, topPath) = try? Self.top(of: DirectoryHandle(descriptor))
      else { continue }
      if (try? openShared(in: top)) != nil {
        let path = topPath.appending(".Trash").appending("\(user)")
        if let trash = try? TrashFolder.open(at: path, top: topPath) { found.append(trash) }
      }
      if let trash = try? TrashFolder.open(at: topPath.appending(".Trash-\(user)"), top: topPath) {
        found.append(trash)
      }
    }
    var seen: Set<FilePath> = []
    return found.filter { seen.insert($0.path).inserted }
  }
}
