package import FileIdentity
internal import LinuxFileSystem
package import SystemPackage

extension DocumentOperations {
  /// Replaces the contents of a document as a careful editor saves: all at once, by another file that takes its name.
  ///
  /// The new file has the UUID of the old, all its other extended attributes and access control lists, its permissions,
  /// and its owner and group. Where this process may not give files away (only root may), the file is then its own; the
  /// group is kept if the process is a member. Rights that the old owner or group had are not passed on to another:
  /// without the owner the set-user-ID bit goes, without the group the set-group-ID bit, and the group may then do no
  /// more than everybody. What could not be carried is returned; but a document that lost its UUID would be another, so
  /// that is an error, unless tags are not to be written, or the file system keeps none.
  ///
  /// Of a document with several names (hard links), the name given gets the new contents and the UUID; the other names
  /// keep the old contents, and an observer gives them a UUID of their own, as after a save by any editor that replaces
  /// files. Nothing else would leave the document complete at every moment. A document that is write-protected is
  /// replaced all the same where its folder can be written.
  ///
  /// - Parameters:
  ///   - path: The document: a regular file. A symbolic link is not followed.
  ///   - contents: The new contents.
  ///   - uuid: The UUID under which the document is known, for one that bears none.
  /// - Returns: What the new file could not be given.
  /// - Throws: ``FileSystemObserverError/Code/notAFile``, or ``FileSystemObserverError/Code/fileOperationFailed`` with
  ///   the reason; ESTALE where another program replaced the document in the meantime. The document is then as it was.
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
    // Closed before it gets its name: an observer is not to see the document being written.
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
  /// Fails with ESTALE where the path leads to another file by now, whose identity or contents are not ours to replace.
  fileprivate borrowing func requireUnchangedPlace() throws(Errno) {
    let now = try place.status()
    guard now.kind == .file, now.device == status.device, now.inode == status.inode else {
      throw .staleNFSFileHandle
    }
  }
}

extension OwnedDescriptor {
  private static var chunkSize: Int { 256 * 1024 }

  /// Writes all bytes of a collection, in one go where they lie in one piece.
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
