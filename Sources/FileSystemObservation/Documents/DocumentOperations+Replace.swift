package import FileIdentity
internal import LinuxFileSystem
package import SystemPackage

extension DocumentOperations {
  /// Replaces the contents of a document as a careful editor saves: all at once, by another file that takes its name.
  ///
  /// The new file has the UUID of the old, all its other extended attributes and access control lists, its permissions, and its
  /// owner and group. Where this process may not give files away (only root may), the file is then its own; the group is kept if
  /// the process is a member. Rights that the old owner or group had are not passed on to another: without the owner the
  /// set-user-ID bit goes, without the group the set-group-ID bit, and the group may then do no more than everybody.
  ///
  /// Of a document with several names (hard links), the name given gets the new contents and the UUID; the other names keep the
  /// old contents, and an observer gives them a UUID of their own, as after a save by any editor that replaces files. Nothing
  /// else would leave the document complete at every moment. A document that is write-protected is replaced all the same where
  /// its folder can be written.
  ///
  /// - Parameters:
  ///   - path: The document: a regular file. A symbolic link is not followed.
  ///   - contents: The new contents.
  ///   - uuid: The UUID under which the document is known, for one that bears none.
  /// - Throws: ``ObservationError/Code/notAFile``, or ``ObservationError/Code/fileOperationFailed`` with the reason; ESTALE where
  ///   another program replaced the document in the meantime. The document is then as it was.
  package func replaceContents(
    of path: FilePath, with contents: some Collection<UInt8>, uuid: UUIDBits?
  ) throws(ObservationError) {
    let task = DocumentTask.replace(path)
    let document = try OpenDocument.open(at: path, for: task)
    var temporary = TemporaryName(in: document.place.folder)
    let file = try perform(.createFile, of: task) { () throws(Errno) in try temporary.createFile() }
    try perform(.writeContents, of: task) { () throws(Errno) in try file.write(contents) }
    let permissions = try perform(.carryOwner, of: task) { () throws(Errno) in
      try document.carryOwner(to: file)
    }
    try perform(.carryAttributes, of: task) { () throws(Errno) in
      try AttributeCopy.copy(from: document.file, to: file, leavingOut: tag.attribute)
    }
    // After the attributes, which are data: the UUID can be known without a tag, if there is no room for both.
    try perform(.writeTag, of: task) { () throws(Errno) in
      guard let uuid = tag.read(of: document.file).uuid ?? (writesTags ? uuid : nil) else { return }
      try writeTag(uuid, to: file)
    }
    try perform(.carryPermissions, of: task) { () throws(Errno) in try file.setPermissions(permissions) }
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
  }
}

extension OpenDocument {
  /// Gives a file the owner and group of this one as far as permitted.
  ///
  /// Returns the permissions it may then have.
  fileprivate borrowing func carryOwner(to file: borrowing OwnedDescriptor) throws(Errno) -> UInt32 {
    let present = try FileStatus.of(file)
    var permissions = status.permissions
    var keepsGroup = status.group == present.group
    if !keepsGroup {
      keepsGroup = try Self.isPermitted { () throws(Errno) in try file.setOwner(group: status.group) }
    }
    var keepsOwner = status.owner == present.owner
    if !keepsOwner {
      keepsOwner = try Self.isPermitted { () throws(Errno) in try file.setOwner(status.owner) }
    }
    if !keepsOwner { permissions &= ~0o4000 }
    if !keepsGroup { permissions &= ~0o2070 | (permissions << 3) & 0o070 }
    return permissions
  }

  private static func isPermitted(_ body: () throws(Errno) -> Void) throws(Errno) -> Bool {
    do throws(Errno) {
      try body()
      return true
    } catch {
      // EINVAL: an owner that this user name space does not know.
      if [.notPermitted, .permissionDenied, .invalidArgument, .notSupported, .noFunction].contains(error) {
        return false
      }
      throw error
    }
  }

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
