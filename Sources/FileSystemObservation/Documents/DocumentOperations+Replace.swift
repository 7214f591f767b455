package import FileIdentity
internal import LinuxFileSystem
package import SystemPackage

extension DocumentOperations {
  /// Replaces the contents of a document atomically, by renaming a new file over it; see `GuardedReplacement` for a save
  /// with a version.
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
  ///   - version: The version that the document must still have when it is replaced; nil to replace any.
  ///   - uuid: The document's known UUID, used if it has no tag.
  /// - Throws: `notAFile`; `contentsChanged` if the document has another version; or `fileOperationFailed` with the
  ///   reason; ESTALE if another program replaced the document in the meantime, or if it is not the expected one. After an
  ///   error the document is unchanged.
  package func replaceContents(
    of path: FilePath, with contents: some Collection<UInt8>,
    ifUnchangedSince version: FileSystemObserver.ContentVersion?, uuid: UUIDBits?
  ) throws(FileSystemObserverError) -> OperationOutcome {
    try replace(path, ifUnchangedSince: version, uuid) { (writer) throws(Errno) in
      try writer.append(contents)
    }
  }

  /// The same with contents that a closure writes.
  ///
  /// - Throws: The same errors, and what the closure throws.
  package func replaceContents(
    of path: FilePath, ifUnchangedSince version: FileSystemObserver.ContentVersion?, uuid: UUIDBits?,
    writingWith body: (borrowing FileSystemObserver.ContentWriter) throws -> Void
  ) throws -> OperationOutcome {
    var failure: (any Error)?
    do throws(FileSystemObserverError) {
      return try replace(path, ifUnchangedSince: version, uuid) { (writer) throws(Errno) in
        do {
          try body(writer)
        } catch {
          failure = error
          throw .canceled
        }
      }
    } catch {
      throw failure ?? error
    }
  }

  /// Replaces the contents of a document.
  ///
  /// - Returns: The properties not carried over.
  @discardableResult
  package func replaceContents(
    of path: FilePath, with contents: some Collection<UInt8>, uuid: UUIDBits?
  ) throws(FileSystemObserverError) -> [FileSystemObserver.CarryFailure] {
    try replaceContents(of: path, with: contents, ifUnchangedSince: nil, uuid: uuid).notCarried
  }

  /// The version of a document's contents.
  ///
  /// - Throws: `notAFile` for anything but a regular file; `fileOperationFailed` if there is nothing at the path, with
  ///   ESTALE if it is not the expected one.
  package func version(ofItemAt path: FilePath) throws(FileSystemObserverError) -> FileSystemObserver.ContentVersion {
    let task = DocumentTask.readVersion(path)
    let status = try existing(path, for: task).status
    guard status.kind == .file else { throw task.notAFile(path, status.kind) }
    return FileSystemObserver.ContentVersion(status)
  }

  private func replace(
    _ path: FilePath, ifUnchangedSince version: FileSystemObserver.ContentVersion?, _ uuid: UUIDBits?,
    fill: (borrowing FileSystemObserver.ContentWriter) throws(Errno) -> Void
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let task = DocumentTask.replace(path)
    var carrying = Carrying(before: beforeCarrying)
    let document = try OpenDocument.open(at: path, for: task)
    try requireExpected(document.file, document.status, task)
    try requireVersion(version, document.status, path, task)
    let target = target(of: document.status, version)
    var temporary = TemporaryName(in: document.place.folder, for: target == nil ? .work : .save)
    let writer = FileSystemObserver.ContentWriter(
      try perform(.createFile, of: task) { () throws(Errno) in try temporary.createFile() }, task)
    try perform(.writeContents, of: task) { () throws(Errno) in try fill(writer) }
    let file = writer.close()
    let item = try complete(file, for: document, task, uuid, &carrying)
    // Close the file before its rename, so that an observer does not see it being written.
    _ = consume file
    var outcome = OperationOutcome(item: item, notCarried: carrying.failures)
    try publish(&temporary, over: document, if: target, path, task, &outcome)
    finish(task, in: document.place.folder)
    return outcome
  }

  /// What must be replaced, and nothing else; `nil` if anything may be.
  private func target(
    of status: FileStatus, _ version: FileSystemObserver.ContentVersion?
  ) -> GuardedReplacement.Target? {
    if let version { return .version(version) }
    return expectedItem == nil ? nil : .file(FileKey(status))
  }

  private func requireVersion(
    _ version: FileSystemObserver.ContentVersion?, _ status: FileStatus, _ path: FilePath, _ task: DocumentTask
  ) throws(FileSystemObserverError) {
    guard let version, version != FileSystemObserver.ContentVersion(status) else { return }
    throw task.contentsChanged(path)
  }

  /// Gives a new file what belongs to the document.
  private func complete(
    _ file: borrowing OwnedDescriptor, for document: borrowing OpenDocument, _ task: DocumentTask, _ known: UUIDBits?,
    _ carrying: inout Carrying
  ) throws(FileSystemObserverError) -> OperationOutcome.Item {
    let permissions = try perform(.carryOwner, of: task) { () throws(Errno) in
      try carrying.carryOwner(of: document.status, to: file)
    }
    try perform(.carryAttributes, of: task) { () throws(Errno) in
      try carrying.carryAttributes(from: document.file, to: file, but: tag.attribute)
    }
    let present = tag.read(of: document.file).uuid
    let isTagged = try perform(.writeTag, of: task) { () throws(Errno) in
      guard let uuid = present ?? (writesTags ? known : nil) else { return false }
      return try writeTag(uuid, to: file, &carrying)
    }
    try perform(.carryPermissions, of: task) { () throws(Errno) in
      try carrying.carryPermissions(permissions, wanted: document.status.permissions, to: file)
    }
    let status = try perform(.synchronizeFile, of: task) { () throws(Errno) in
      try file.synchronize()
      return try FileStatus.of(file)
    }
    return OperationOutcome.Item(status: status, uuid: present ?? known, isTagged: isTagged)
  }

  private func publish(
    _ temporary: inout TemporaryName, over document: borrowing OpenDocument, if target: GuardedReplacement.Target?,
    _ path: FilePath, _ task: DocumentTask, _ outcome: inout OperationOutcome
  ) throws(FileSystemObserverError) {
    var failure: FileSystemObserverError?
    do throws(FileSystemObserverError) {
      try commit(task, making: outcome.committed) { () throws(Errno) in
        if let target {
          let ending = try temporary.replace(document.place, with: FileKey(outcome.item.status), if: target)
          // Another file is at the path, unless its contents count.
          if case .file = target, ending == .refused { throw .staleNFSFileHandle }
          failure = task.failure(ending, path, besides: temporary.name)
          if failure != nil { throw .staleNFSFileHandle }
        } else {
          try document.place.requireUnchanged(since: document.status)
          try temporary.publish(replacing: document.place.name)
        }
        outcome.item.update(at: document.place)
      }
    } catch {
      throw failure ?? error
    }
  }
}

extension FileSystemObserver.ContentWriter {
  /// Appends bytes, with the error of the system call.
  fileprivate borrowing func append(_ bytes: some Collection<UInt8>) throws(Errno) {
    do throws(FileSystemObserverError) {
      try write(bytes)
    } catch {
      throw error.errno ?? .ioError
    }
  }
}

extension OwnedDescriptor {
  private static var chunkSize: Int { 256 * 1024 }

  /// Writes all bytes of a collection, in one call if its storage is contiguous.
  borrowing func write(_ contents: some Collection<UInt8>) throws(Errno) {
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
