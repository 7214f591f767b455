internal import LinuxFileSystem
internal import SystemPackage

/// An open trash folder.
struct TrashFolder: Sendable {
  /// The absolute path.
  let path: FilePath
  /// The folder to which paths in info files are relative; nothing for the trash of the home folder.
  let top: FilePath?
  let folder: DirectoryHandle
  /// Where the items are.
  let files: DirectoryHandle
  /// Where the info files are.
  let info: DirectoryHandle
  /// What of it was made for the current operation.
  var made = MadeFolders()

  /// The path that an info file has for an item.
  func recordedPath(of path: FilePath) -> FilePath {
    guard let top else { return path }
    let prefix = top.bytes.last == UInt8(ascii: "/") ? top.bytes : top.bytes + [UInt8(ascii: "/")]
    guard path.bytes.starts(with: prefix) else { return path }
    return FilePath(bytes: path.bytes.dropFirst(prefix.count))
  }

  /// The original path that an info file stands for.
  ///
  /// Nothing for a path that leads out of the file system that the trash folder is for.
  func originalPath(_ recorded: FilePath) -> FilePath? {
    guard recorded.components.allSatisfy({ $0.kind == .regular }) else { return nil }
    guard let top else { return recorded.isAbsolute ? recorded : nil }
    return recorded.isRelative ? top.appending(bytes: recorded.bytes) : nil
  }
}

extension TrashFolder {
  /// Opens an existing trash folder.
  ///
  /// Outside the home folder, that of another user is not taken: he could say what is restored, and where to.
  static func open(at path: FilePath, top: FilePath?) throws(Errno) -> TrashFolder {
    let folder = DirectoryHandle(try OwnedDescriptor.openDirectory(at: path, for: .search))
    if top != nil, try FileStatus.of(folder.descriptor).owner != UserEnvironment.userID { throw .notPermitted }
    return try TrashFolder(folder, at: path, top: top) { (name) throws(Errno) in
      try name.withView { (name) throws(Errno) in try folder.open(name, for: .list) }
    }
  }

  /// Opens a trash folder, and makes what is missing in it.
  init(
    making folder: DirectoryHandle, at path: FilePath, top: FilePath?, _ made: inout MadeFolders
  ) throws(Errno) {
    try self.init(folder, at: path, top: top) { (name) throws(Errno) in try made.open(name, in: folder) }
  }

  private init(
    _ folder: DirectoryHandle, at path: FilePath, top: FilePath?,
    _ open: (FileName) throws(Errno) -> DirectoryHandle
  ) throws(Errno) {
    self.path = path
    self.top = top
    self.folder = folder
    info = try open(FileName("info"))
    files = try open(FileName("files"))
  }
}

extension TrashFolder {
  /// Notes how much space a trashed folder takes.
  func noteSize(of name: FileName, info infoName: FileName) {
    guard let folder = try? name.withView({ (name) throws(Errno) in try files.open(name, for: .list) }),
      let size = try? DiskUsage.bytes(of: folder),
      let status = try? infoName.withView({ (name) throws(Errno) in try FileStatus.of(name, in: info.descriptor) })
    else { return }
    DirectorySizes.update(in: self.folder) { $0.set(size, status.modified / 1_000_000_000, for: name) }
  }
}
