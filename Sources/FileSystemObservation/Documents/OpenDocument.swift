internal import LinuxFileSystem
internal import SystemPackage

/// A name in an open folder, independent of later changes to the path.
struct DocumentPlace: Sendable {
  let folder: DirectoryHandle
  let name: FileName

  init(folder: DirectoryHandle, name: FileName) {
    self.folder = folder
    self.name = name
  }

  /// Opens the parent folder of an absolute path.
  ///
  /// A relative one would mean another item whenever any part of the process changes the current directory.
  init(_ path: FilePath, for task: DocumentTask) throws(FileSystemObserverError) {
    guard path.isAbsolute else { throw task.notAbsolute(path) }
    guard let component = path.lastComponent, component.kind == .regular else { throw task.withoutName(path) }
    name = FileName(component)
    let parent = path.removingLastComponent()
    folder = try task.reaching(path) { () throws(Errno) in
      DirectoryHandle(try OwnedDescriptor.openDirectory(at: parent, for: .search))
    }
  }

  /// The status of the item with the name; a symbolic link is not followed.
  func status() throws(Errno) -> FileStatus {
    try name.withView { (name) throws(Errno) in try FileStatus.of(name, in: folder.descriptor) }
  }

  /// The status, or nothing if the name is free.
  func statusIfAny() throws(Errno) -> FileStatus? {
    do throws(Errno) {
      return try status()
    } catch {
      if error == .noSuchFileOrDirectory { return nil }
      throw error
    }
  }

  /// Opens the file or folder for reading.
  func open() throws(Errno) -> OwnedDescriptor {
    try name.withView { (name) throws(Errno) -> OwnedDescriptor in
      try OwnedDescriptor.open(name, in: folder.descriptor, for: .read)
    }
  }

  /// Opens the item as a place, which neither reads nor blocks.
  func openPath() throws(Errno) -> OwnedDescriptor {
    try name.withView { (name) throws(Errno) -> OwnedDescriptor in
      try OwnedDescriptor.openPath(name, in: folder.descriptor)
    }
  }

  /// Opens the folder.
  func openFolder() throws(Errno) -> DirectoryHandle {
    try name.withView { (name) throws(Errno) in try folder.open(name, for: .list) }
  }

  /// Fails with ESTALE if the name now leads to another item, which must not be touched.
  ///
  /// - Returns: The status of the item now.
  @discardableResult
  func requireUnchanged(since former: FileStatus) throws(Errno) -> FileStatus {
    let now = try status()
    guard now.isSameItem(as: former) else { throw .staleNFSFileHandle }
    return now
  }

  /// Fails with EEXIST if the name is taken.
  ///
  /// The kernel checks again when an item gets the name.
  func requireFree(for task: DocumentTask) throws(FileSystemObserverError) {
    do throws(Errno) {
      if try statusIfAny() == nil { return }
    } catch {
      throw task.failure(of: .publish, error)
    }
    throw task.failure(of: .publish, .fileExists)
  }
}

/// A document open for reading, with its status at that time.
struct OpenDocument: ~Copyable {
  let place: DocumentPlace
  let file: OwnedDescriptor
  let status: FileStatus

  /// Opens a regular file.
  ///
  /// Any other item is an error and is not opened: that would wake the writer of a FIFO, or rewind a tape.
  static func open(at path: FilePath, for task: DocumentTask) throws(FileSystemObserverError) -> OpenDocument {
    try open(at: path, DocumentPlace(path, for: task), for: task)
  }

  /// The same for a place whose folder is open.
  static func open(
    at path: FilePath, _ place: DocumentPlace, for task: DocumentTask
  ) throws(FileSystemObserverError) -> OpenDocument {
    let kind = try task.reaching(path) { () throws(Errno) in try place.status().kind }
    guard kind == .file else { throw task.notAFile(path, kind) }
    let file = try task.reaching(path) { () throws(Errno) in try place.open() }
    let status = try task.reaching(path) { () throws(Errno) in try FileStatus.of(file) }
    // Another item may have taken the name between the two checks.
    guard status.kind == .file else { throw task.notAFile(path, status.kind) }
    return OpenDocument(place: place, file: file, status: status)
  }
}

extension FileStatus {
  /// Whether this is the same inode, whatever is in it.
  func isSameItem(as other: FileStatus) -> Bool {
    kind == other.kind && device == other.device && inode == other.inode
  }
}
