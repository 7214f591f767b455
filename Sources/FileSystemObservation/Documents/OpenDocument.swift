internal import LinuxFileSystem
internal import SystemPackage

/// A name in an open folder, independent of later changes to the path.
struct DocumentPlace: Sendable {
  let folder: DirectoryHandle
  let name: FileName

  /// Opens the parent folder of a path.
  init(_ path: FilePath, for task: DocumentTask) throws(FileSystemObserverError) {
    guard let component = path.lastComponent, component.kind == .regular else { throw task.notAFile(path, .directory) }
    name = FileName(component)
    let parent = path.removingLastComponent()
    folder = try task.reaching(path) { () throws(Errno) in
      DirectoryHandle(try OwnedDescriptor.openDirectory(at: parent.isEmpty ? "." : parent, for: .search))
    }
  }

  /// The status of the item with the name; a symbolic link is not followed.
  func status() throws(Errno) -> FileStatus {
    try name.withView { (name) throws(Errno) in try FileStatus.of(name, in: folder.descriptor) }
  }

  /// Opens the file for reading.
  func open() throws(Errno) -> OwnedDescriptor {
    try name.withView { (name) throws(Errno) -> OwnedDescriptor in
      try OwnedDescriptor.open(name, in: folder.descriptor, for: .read)
    }
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
    let place = try DocumentPlace(path, for: task)
    let kind = try task.reaching(path) { () throws(Errno) in try place.status().kind }
    guard kind == .file else { throw task.notAFile(path, kind) }
    let file = try task.reaching(path) { () throws(Errno) in try place.open() }
    let status = try task.reaching(path) { () throws(Errno) in try FileStatus.of(file) }
    // Another item may have taken the name between the two checks.
    guard status.kind == .file else { throw task.notAFile(path, status.kind) }
    return OpenDocument(place: place, file: file, status: status)
  }
}
