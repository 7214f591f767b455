package import FileIdentity
internal import LinuxFileSystem
package import SystemPackage

extension DocumentOperations {
  /// Replaces the contents of a document atomically, by renaming a new file over it.
  ///
  /// The new file has the old one's UUID, all its other extended attributes and access control lists, its permissions,
  /// owner and group. If this process may not give files away (only root may), it owns the new file; the group is kept
  /// if the process is a member. Another owner or group does not get the old one's rights: without the owner the
  /// set-user-ID bit is removed; without the group the set-group-ID bit is, and the group gets at most the rights of
  /// others. Properties not carried over are returned. A lost UUID is an error, since the document would become
  /// another; except if tags are not to be written, or the file system keeps none.
  ///
  /// If the document has several names (hard links), the given name gets the new contents and the UUID. The other names
  /// keep the old contents, and an observer gives them a UUID of their own, as after a replacing save by any editor. No
  /// other way leaves the document complete at every moment. A write-protected document is replaced too if its folder
  /// is writable.
  ///
  /// - Parameters:
  ///   - path: The document: a regular file. A symbolic link is not followed.
  ///   - contents: The new contents.
  ///   - uuid: The document's known UUID, used if it has no tag.
  /// - Returns: The properties not carried over.
  /// - Throws: ``FileSystemObserverError/Code/notAFile``, or ``FileSystemObserverError/Code/fileOperationFailed`` with
  ///   the reason; ESTALE if another program replaced the document in the meantime. After an error the document is
  ///   unchanged.
  @discardableResult
  package func replaceContents(
    of path: FilePath, with contents: some Collection<UInt8>, uuid: UUIDBits?
  ) throws(FileSystemObserverError) -> [FileSystemObserver.CarryFailure] {
    let task = DocumentTask.replace(path)
    var carrying = Carrying(before: beforeCarrying)
    let document = try OpenDocument.open(at: path, for: task)
    var temporary = TemporaryName(in: document.place.folder)
    let file = try perform(.createFile, of: task) { () throws(Errno) in try temporary.createFile() }
    try perform(.writeContents, of: task) { () throws(Errno) in try file.write(contents) }
    let permissions = try perform(.carryOwner, of: task) { () throws(Errno) in
      try carrying.carryOwner(of: document.status, to: file)
    }
    try perform(.carryAttributes, of: task) { () throws(Errno) in
      try carrying.carryAttributes(from: document.file, to: file, but: tag.attribute)
    }
    try perform(.writeTag, of: task) { () throws(Errno) in
      guard let uuid = tag.read(of: document.file).uuid ?? (writesTags ? uuid : nil) else { return }
      try writeTag(uuid, to: file, &carrying)
    }
    try perform(.carryPermissions, of: task) { () throws(Errno) in
      try carrying.carryPermissions(permissions, wanted: document.status.permissions, to: file)
    }
    try perform(.synchronizeFile, of: task) { () throws(Errno) in try file.synchronize() }
    // Close the file before its rename, so that an observer does not see it being written.
    _ = consume file
    try perform(.publish, of: task) { () throws(Errno) in
      try document.requireUnchangedPlace()
      try temporary.publish(replacing: document.place.name)
    }
    _ = try? perform(.synchronizeFolder, of: task) { () throws(Errno) in
      try synchronizeFolder(document.place.folder)
    }
    return carrying.failures
  }
}

extension OpenDocument {
  /// Fails with ESTALE if the path now leads to another file, which must not be replaced.
  fileprivate borrowing func requireUnchangedPlace() throws(Errno) {
    let now = try place.status()
    guard now.kind == .file, now.device == status.device, now.inode == status.inode else {
      throw .staleNFSFileHandle
    }
  }
}

extension OwnedDescriptor {
  private static var chunkSize: Int { 256 * 1024 }

  /// Writes all bytes of a collection, in one call if its storage is contiguous.
  fileprivate borrowing func write(_ contents: some Collection<UInt8>) throws(Errno) {
    let outcome = contents.withContiguousStorageIfAvailable { bytes in
      Result { () throws(Errno) in unsafe try write(all: UnsafeRawBufferPointer(bytes)) }
    }
    if let outcome { return try outcome.get() }
    var start = contents.startIndex
    while start != contents.endIndex {
      let end = contents.index(start, offsetBy: Self.chunkSize, limitedBy: contents.endIndex) ?? contents.endIndex
      let chunk = ContiguousArray(contents[start..<end])
      let outcome = unsafe chunk.withUnsafeBytes { bytes in
        Result { () throws(Errno) in unsafe try write(all: bytes) }
      }
      try outcome.get()
      start = end
    }
  }
}
