package import FileIdentity
internal import LinuxFileSystem
package import SystemPackage

extension DocumentOperations {
  /// Copies a document to a free name; the copy has its own UUID before it becomes visible.
  ///
  /// Blocks are shared if the file system can (`FICLONE`), otherwise copied by the kernel or the server if possible,
  /// and otherwise read and written; holes stay holes. The copy has the document's extended attributes, access control
  /// lists and read, write and execute permissions; as with `cp`, it belongs to the caller and its times are new.
  ///
  /// - Parameters:
  ///   - source: The document.
  ///   - destination: The path of the copy.
  ///   - notCarried: Properties that could not be carried over are appended, for example attributes that the
  ///     destination's file system does not support.
  /// - Returns: The UUID of the copy. If no tag can be written, the one that an observer computes for it.
  /// - Throws: ``FileSystemObserverError/Code/notAFile`` for anything but a regular file;
  ///   ``FileSystemObserverError/Code/fileOperationFailed`` with EEXIST if the destination exists, with EBUSY if the
  ///   document was written during the copy, or with another reason. After an error no file is left behind.
  @discardableResult
  package func duplicateItem(
    at source: FilePath, to destination: FilePath, notCarried: inout [FileSystemObserver.CarryFailure]
  ) throws(FileSystemObserverError) -> UUIDBits {
    let task = DocumentTask.duplicate(source, destination)
    var carrying = Carrying(before: beforeCarrying)
    let document = try OpenDocument.open(at: source, for: task)
    let place = try DocumentPlace(destination, for: task)
    try place.requireFree(for: task)
    var temporary = TemporaryName(in: place.folder)
    let file = try perform(.createFile, of: task) { () throws(Errno) in try temporary.createFile() }
    try perform(.writeContents, of: task) { () throws(Errno) in
      try ContentCopy.copy(from: document.file, to: file)
      try document.requireUnchangedContents()
    }
    try perform(.carryAttributes, of: task) { () throws(Errno) in
      try carrying.carryAttributes(from: document.file, to: file, but: tag.attribute)
    }
    let uuid = try perform(.writeTag, of: task) { () throws(Errno) in
      let uuid = try mintedUUID(for: file, copying: document.file)
      if writesTags { try writeTag(uuid, to: file, &carrying) }
      return uuid
    }
    try perform(.carryPermissions, of: task) { () throws(Errno) in
      // The set-user-ID and set-group-ID bits refer to an owner that the copy does not have.
      let permissions = document.status.permissions & 0o777
      try carrying.carryPermissions(permissions, wanted: permissions, to: file)
    }
    try perform(.synchronizeFile, of: task) { () throws(Errno) in try file.synchronize() }
    // Close the copy before its rename, so that an observer does not see it being written.
    _ = consume file
    try perform(.publish, of: task) { () throws(Errno) in try temporary.publish(as: place.name) }
    _ = try? perform(.synchronizeFolder, of: task) { () throws(Errno) in try synchronizeFolder(place.folder) }
    notCarried += carrying.failures
    return uuid
  }

  /// Copies a document without a report of the properties not carried over.
  @discardableResult
  package func duplicateItem(
    at source: FilePath, to destination: FilePath
  ) throws(FileSystemObserverError) -> UUIDBits {
    var notCarried: [FileSystemObserver.CarryFailure] = []
    return try duplicateItem(at: source, to: destination, notCarried: &notCarried)
  }

  private func mintedUUID(
    for file: borrowing OwnedDescriptor, copying original: borrowing OwnedDescriptor
  ) throws(Errno) -> UUIDBits {
    let key = FileKey(try FileStatus.of(file))
    let identifier = try FileSystemDescription.of(file).identifier
    return .minted(
      for: key, on: identifier == 0 ? key.device : identifier, avoiding: tag.read(of: original).uuid)
  }
}

extension OpenDocument {
  /// Fails with EBUSY if the contents changed since the document was opened.
  fileprivate borrowing func requireUnchangedContents() throws(Errno) {
    let now = try FileStatus.of(file)
    guard now.size == status.size, now.modified == status.modified else { throw .resourceBusy }
  }
}

extension DocumentPlace {
  /// Fails if the place is taken.
  ///
  /// The kernel checks again when the copy gets its name.
  fileprivate func requireFree(for task: DocumentTask) throws(FileSystemObserverError) {
    do throws(Errno) {
      _ = try status()
    } catch {
      if error == .noSuchFileOrDirectory { return }
      throw task.failure(of: .publish, error)
    }
    throw task.failure(of: .publish, .fileExists)
  }
}
