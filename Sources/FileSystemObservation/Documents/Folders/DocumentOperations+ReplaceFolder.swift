package import FileIdentity
internal import LinuxFileSystem
package import SystemPackage

extension DocumentOperations {
  /// Replaces all that is in a document of several files, in one step.
  ///
  /// The closure fills a new, hidden folder beside the document. The files in it then get their tags and are flushed to
  /// the disk; the new folder gets the UUID, owner, permissions and attributes of the old one; and both change places
  /// (`RENAME_EXCHANGE`). The old folder is removed after that. A file or folder keeps its UUID if the old folder had
  /// one of the same kind with the same relative path; others are new. A hard link to a file elsewhere is left alone.
  ///
  /// - Parameters:
  ///   - path: The document, a folder. A symbolic link is not followed.
  ///   - uuid: The known UUID of the folder, used if it has no tag.
  ///   - body: Fills the folder at the path that it gets.
  /// - Throws: `invalidArgument` if there is no folder; `fileOperationFailed` with EINVAL or ENOSYS if the file system
  ///   cannot exchange names, with ESTALE if another program replaced the folder, or with another reason; and what the
  ///   closure throws. After an error the document is unchanged.
  package func replaceContents(
    ofFolder path: FilePath, uuid: UUIDBits?, filling body: (FilePath) throws -> Void
  ) throws -> OperationOutcome {
    let task = DocumentTask.replaceFolder(path)
    let (place, status) = try existing(path, for: task)
    guard status.kind == .directory else { throw task.notAFolder(path) }
    try requireRemovable(place, status, task)
    let old = try task.reaching(path) { () throws(Errno) in try place.openFolder() }
    var temporary = TemporaryName(in: place.folder)
    let new = try perform(.createFile, of: task) { () throws(Errno) in try temporary.createFolder() }
    try body(path.removingLastComponent().appending(bytes: temporary.name.bytes))
    let former = try identities(in: old, task)
    var job = CopyJob(self, task, .replace, OperationControl())
    var outcome = OperationOutcome(item: OperationOutcome.Item(status: status, uuid: nil, isTagged: false))
    outcome.descendants = try job.identify(contentsOf: new, former)
    outcome.item = try job.finishFolder(from: old, status, to: new, uuid: uuid)
    outcome.notCarried = job.finish()
    try exchange(&temporary, new, with: place, status, path, task, &outcome)
    outcome.leftOver = removeReplaced(&temporary, path, task)
    finish(task, in: place.folder)
    return outcome
  }

  private func exchange(
    _ temporary: inout TemporaryName, _ new: DirectoryHandle, with place: DocumentPlace, _ status: FileStatus,
    _ path: FilePath, _ task: DocumentTask, _ outcome: inout OperationOutcome
  ) throws(FileSystemObserverError) {
    var (isExchange, stuck) = (false, FileSystemObserverError?.none)
    do throws(FileSystemObserverError) {
      try commit(task) { () throws(Errno) in
        try place.requireUnchanged(since: status)
        // The app may have put another folder at the hidden name.
        let (made, named) = (try FileStatus.of(new.descriptor), try temporary.status())
        guard made.isSameItem(as: named) else { throw .staleNFSFileHandle }
        isExchange = true
        let replacement = GuardedReplacement(made: FileKey(made), replacing: .file(FileKey(status)))
        let ending = try temporary.exchange(with: place, replacement)
        if case .stuck = ending {
          stuck = task.failure(ending, path, besides: Self.keep(temporary.name, in: place.folder))
        }
        guard ending == .replaced else { throw .staleNFSFileHandle }
        outcome.item.update(at: place)
      }
    } catch {
      if let stuck { throw stuck }
      if isExchange, let errno = error.errno, errno.isUnsupportedExchange {
        throw task.withoutExchange(path, errno)
      }
      throw error
    }
  }

  /// Gives an item that may be the only version of somebody's document a name that `LeftoverRemoval` keeps.
  private static func keep(_ hidden: FileName, in folder: DirectoryHandle) -> FileName {
    let name = TemporaryName.fresh(for: .save)
    do throws(Errno) {
      try ItemRename.rename(hidden, in: folder, to: name, in: folder)
      return name
    } catch {
      return hidden
    }
  }

  /// Removes the old folder, which has the hidden name now.
  ///
  /// - Returns: Its path if it could not be removed.
  private func removeReplaced(
    _ temporary: inout TemporaryName, _ path: FilePath, _ task: DocumentTask
  ) -> FilePath? {
    // Whatever happens, the old folder is not removed by force when this operation ends.
    temporary.abandon()
    do throws(FileSystemObserverError) {
      try perform(.removeOriginal, of: task) { () throws(Errno) in }
      try task.walking { () throws(FailedItem) in try temporary.remove() }
      return nil
    } catch {
      return path.removingLastComponent().appending(bytes: temporary.name.bytes)
    }
  }

  /// The UUIDs of everything in a folder, by relative paths.
  private func identities(
    in folder: DirectoryHandle, _ task: DocumentTask
  ) throws(FileSystemObserverError) -> [FilePath: FormerIdentity] {
    var identities: [FilePath: FormerIdentity] = [:]
    var walk = try task.walking { () throws(FailedItem) in try FolderWalk(folder) }
    while let stop = try walk.nextDocument(task) {
      switch stop.visit {
      case .item(let status) where status.kind == .file, .enters(let status, _):
        let present = stop.name.withView { tag.read(of: $0, in: stop.folder.descriptor).uuid }
        let minted = try perform(.checkItem, of: task, at: stop.path) { () throws(Errno) in
          try mintedUUID(for: status, in: stop.folder)
        }
        identities[stop.path] = FormerIdentity(
          kind: status.kind, uuid: present ?? minted, isTagged: present != nil)
      case .item, .leaves, .mountPoint: break
      }
    }
    return identities
  }
}

/// The identity of an item in the old folder.
private struct FormerIdentity {
  var kind: FileKind
  var uuid: UUIDBits
  var isTagged: Bool
}

extension CopyJob {
  /// Gives everything in a new folder its tag, and flushes it to the disk.
  fileprivate mutating func identify(
    contentsOf folder: DirectoryHandle, _ former: [FilePath: FormerIdentity]
  ) throws(FileSystemObserverError) -> [OperationOutcome.Item] {
    var items: [OperationOutcome.Item] = []
    let task = task
    var walk = try task.walking { () throws(FailedItem) in try FolderWalk(folder) }
    while let stop = try walk.nextDocument(task) {
      switch stop.visit {
      case .item(let status) where status.kind == .file:
        let file = try operations.perform(.checkItem, of: task, at: stop.path) { () throws(Errno) in
          try stop.openFile(expecting: status)
        }
        items.append(try identify(file, stop.path, former[stop.path]))
      case .leaves(let directory):
        items.append(try identify(directory.descriptor, stop.path, former[stop.path]))
      case .item(let status):
        items.append(OperationOutcome.Item(path: stop.path, status: status, uuid: nil, isTagged: false))
      case .enters: break
      case .mountPoint: throw task.failure(of: .checkItem, .resourceBusy, at: stop.path)
      }
    }
    return items
  }

  private mutating func identify(
    _ file: borrowing OwnedDescriptor, _ path: FilePath, _ former: FormerIdentity?
  ) throws(FileSystemObserverError) -> OperationOutcome.Item {
    var item = try operations.perform(.writeTag, of: task, at: path) { () throws(Errno) in
      let status = try FileStatus.of(file)
      let known = former?.kind == status.kind ? former : nil
      let minted = try operations.mintedUUID(for: file)
      var item = OperationOutcome.Item(path: path, status: status, uuid: known?.uuid ?? minted, isTagged: false)
      if status.kind == .file, status.linkCount > 1 {
        let present = operations.tag.read(of: file).uuid
        (item.uuid, item.isTagged) = (present ?? minted, present != nil)
      } else if operations.writesTags || known?.isTagged == true {
        try item.isTagged = writeTag(known?.uuid ?? minted, to: file, status)
      }
      return item
    }
    item.status = try operations.perform(.synchronizeFile, of: task, at: path) { () throws(Errno) in
      try file.synchronize()
      return try FileStatus.of(file)
    }
    return item
  }

  /// Writes a tag, and keeps the permissions.
  private mutating func writeTag(
    _ uuid: UUIDBits, to file: borrowing OwnedDescriptor, _ status: FileStatus
  ) throws(Errno) -> Bool {
    let isTagged = try operations.writeTag(uuid, to: file, permissions: status.permissions | 0o200, &carrying)
    try? file.setPermissions(status.permissions)
    return isTagged
  }
}
