package import FileIdentity
internal import LinuxFileSystem
package import SystemPackage

extension DocumentOperations {
  /// Copies a document to a name that is free; the copy has a UUID of its own before anybody can see it.
  ///
  /// Blocks are shared where the file system can (`FICLONE`), copied by the kernel or the server where that works, and
  /// read and written otherwise; holes stay holes. The copy has the extended attributes, access control lists and read,
  /// write and execute permissions of the document; it belongs to the caller, as with `cp`, and its times are new.
  ///
  /// - Parameters:
  ///   - source: The document.
  ///   - destination: Where the copy is to be.
  ///   - notCarried: What the copy could not be given is appended, as attributes that the destination's file system
  ///     does not know.
  /// - Returns: The UUID of the copy. Where no tag can be written, it is the one that an observer computes for it.
  /// - Throws: ``FileSystemObserverError/Code/notAFile`` for anything but a regular file;
  ///   ``FileSystemObserverError/Code/fileOperationFailed`` with EEXIST where the destination exists, with EBUSY where
  ///   the document was written while it was copied, or with another reason. No file is then left behind.
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
      // Set-user-ID and set-group-ID speak of an owner that the copy does not have.
      let permissions = document.status.permissions & 0o777
      try carrying.carryPermissions(permissions, wanted: permissions, to: file)
    }
    try perform(.synchronizeFile, of: task) { () throws(Errno) in try file.synchronize() }
    // Closed before it gets its name: an observer is not to see the copy being written.
    _ = consume file
    try perform(.publish, of: task) { () throws(Errno) in try temporary.publish(as: place.name) }
    _ = try? perform(.synchronizeFolder, of: task) { () throws(Errno) in try synchronizeFolder(place.folder) }
    notCarried += carrying.failures
    return uuid
  }

  /// The same, for whoever does not want to know what was left behind.
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
  /// Fails with EBUSY where the contents changed since the document was opened.
  fileprivate borrowing func requireUnchangedContents() throws(Errno) {
    let now = try FileStatus.of(file)
    guard now.size == status.size, now.modified == status.modified else { throw .resourceBusy }
  }
}

extension DocumentPlace {
  /// Fails where there is something at the place.
  ///
  /// It is asked again, by the kernel, when the copy gets its name.
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
