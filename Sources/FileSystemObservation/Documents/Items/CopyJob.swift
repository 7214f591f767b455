import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Copies single items to a hidden place, with everything that belongs to them.
///
/// A *duplicate* belongs to the caller, is new, and gets a UUID of its own. What is *moved* keeps owner, times and
/// UUID. The new version of a folder that *replaces* the old one keeps owner and UUID.
struct CopyJob: ~Copyable {
  enum Purpose {
    case duplicate, move, replace
  }

  let operations: DocumentOperations
  let task: DocumentTask
  let purpose: Purpose
  /// Whether each file is flushed to the disk by itself.
  var synchronizesFiles = true
  var carrying: Carrying
  private(set) var meter: ProgressMeter

  init(_ operations: DocumentOperations, _ task: DocumentTask, _ purpose: Purpose, _ control: OperationControl) {
    self.operations = operations
    self.task = task
    self.purpose = purpose
    carrying = Carrying(before: operations.beforeCarrying)
    meter = ProgressMeter(control)
  }

  mutating func expect(items: Int, bytes: Int64) { meter.expect(items: items, bytes: bytes) }

  /// Reports the end of the copying, and returns what could not be carried.
  func finish() -> [FileSystemObserver.CarryFailure] {
    meter.finish()
    return carrying.failures
  }

  func checkCancellation(at item: FilePath?) throws(FileSystemObserverError) {
    do throws(Errno) {
      try meter.checkCancellation()
    } catch {
      throw task.failure(of: .writeContents, error, at: item)
    }
  }

  /// Removes from a new folder what it has inherited.
  mutating func prepareFolder(_ folder: DirectoryHandle, at item: FilePath?) throws(FileSystemObserverError) {
    try operations.perform(.carryAttributes, of: task, at: item) { () throws(Errno) in
      try carrying.removeInheritedLists(of: folder)
      // An inherited list may have taken permissions from the owner; whether the group is inherited stays.
      try folder.descriptor.setPermissions(try FileStatus.of(folder.descriptor).permissions & 0o2000 | 0o700)
    }
  }

  mutating func finishItem(at item: FilePath?) throws(FileSystemObserverError) {
    do throws(Errno) {
      try meter.addItem()
    } catch {
      throw task.failure(of: .writeContents, error, at: item)
    }
  }
}

extension CopyJob {
  /// Copies the contents and properties of an open file to a new one.
  ///
  /// - Parameters:
  ///   - item: The path within the folder that is copied.
  ///   - known: The UUID of the file if it has no tag.
  mutating func copyFile(
    from source: borrowing OwnedDescriptor, _ status: FileStatus, to file: borrowing OwnedDescriptor,
    at item: FilePath? = nil, uuid known: UUIDBits? = nil
  ) throws(FileSystemObserverError) -> OperationOutcome.Item {
    try operations.perform(.writeContents, of: task, at: item) { () throws(Errno) in
      try ContentCopy.copy(from: source, to: file) { (count) throws(Errno) in try meter.add(bytes: count) }
      let now = try FileStatus.of(source)
      guard now.size == status.size, now.modified == status.modified else { throw .resourceBusy }
    }
    let permissions = try carryOwner(of: status, to: file, at: item)
    try operations.perform(.carryAttributes, of: task, at: item) { () throws(Errno) in
      try carrying.carryAttributes(from: source, to: file, but: operations.tag.attribute)
    }
    var made = try carryIdentity(from: source, status, to: file, at: item, uuid: known)
    try carryRest(of: status, permissions, to: file, at: item)
    if synchronizesFiles {
      try operations.perform(.synchronizeFile, of: task, at: item) { () throws(Errno) in try file.synchronize() }
    }
    made.status = try operations.perform(.checkItem, of: task, at: item) { () throws(Errno) in try FileStatus.of(file) }
    return made
  }

  /// Copies the properties of a folder to a new one whose contents are complete.
  mutating func finishFolder(
    from source: DirectoryHandle, _ status: FileStatus, to folder: DirectoryHandle, at item: FilePath? = nil,
    uuid known: UUIDBits? = nil
  ) throws(FileSystemObserverError) -> OperationOutcome.Item {
    let permissions = try carryOwner(of: status, to: folder.descriptor, at: item)
    try operations.perform(.carryAttributes, of: task, at: item) { () throws(Errno) in
      try carrying.carryAttributes(from: source.descriptor, to: folder.descriptor, but: operations.tag.attribute)
    }
    var made = try carryIdentity(from: source.descriptor, status, to: folder.descriptor, at: item, uuid: known)
    try carryRest(of: status, permissions, to: folder.descriptor, at: item)
    if synchronizesFiles {
      try operations.perform(.synchronizeFile, of: task, at: item) { () throws(Errno) in
        try folder.descriptor.synchronize()
      }
    }
    made.status = try operations.perform(.checkItem, of: task, at: item) { () throws(Errno) in
      try FileStatus.of(folder.descriptor)
    }
    return made
  }

  /// Copies a symbolic link; it has no tag, for only files and folders have.
  mutating func copyLink(
    _ stop: FolderWalk.Stop, _ status: FileStatus, to folder: DirectoryHandle
  ) throws(FileSystemObserverError) -> OperationOutcome.Item {
    try operations.perform(.writeContents, of: task, at: stop.path) { () throws(Errno) in
      try stop.name.withView { (name) throws(Errno) in
        let target = try SymbolicLink.target(of: name, in: stop.folder.descriptor)
        try SymbolicLink.make(name, in: folder.descriptor, pointingAt: target)
      }
    }
    return try completeLink(status, stop.name, in: folder, at: stop.path)
  }

  /// Gives a new symbolic link what belongs to it.
  mutating func completeLink(
    _ status: FileStatus, _ name: FileName, in folder: DirectoryHandle, at item: FilePath? = nil
  ) throws(FileSystemObserverError) -> OperationOutcome.Item {
    let made = try operations.perform(.carryOwner, of: task, at: item) { () throws(Errno) in
      try name.withView { (name) throws(Errno) in
        if purpose == .move { try carryLink(status, to: name, in: folder) }
        return try FileStatus.of(name, in: folder.descriptor)
      }
    }
    return OperationOutcome.Item(path: item ?? FilePath(), status: made, uuid: nil, isTagged: false)
  }

  private mutating func carryLink(
    _ status: FileStatus, to name: NameView, in folder: DirectoryHandle
  ) throws(Errno) {
    let present = try FileStatus.of(name, in: folder.descriptor)
    if status.owner != present.owner || status.group != present.group {
      try carrying.attempt(.owner) { () throws(Errno) in
        try SymbolicLink.setOwner(status.owner, group: status.group, of: name, in: folder.descriptor)
      }
    }
    try SymbolicLink.setModified(status.modified, of: name, in: folder.descriptor)
  }
}

extension CopyJob {
  /// Gives a moved item its owner.
  ///
  /// - Returns: The permissions that the item may have.
  private mutating func carryOwner(
    of status: FileStatus, to file: borrowing OwnedDescriptor, at item: FilePath?
  ) throws(FileSystemObserverError) -> UInt32 {
    guard purpose != .duplicate else { return try duplicatePermissions(of: status, file, at: item) }
    return try operations.perform(.carryOwner, of: task, at: item) { () throws(Errno) in
      try carrying.carryOwner(of: status, to: file)
    }
  }

  /// The set-user-ID and set-group-ID bits refer to an owner that a duplicate does not have.
  ///
  /// A folder's group may be inherited by what is in it (set-group-ID); that is so if its new parent says so.
  private func duplicatePermissions(
    of status: FileStatus, _ file: borrowing OwnedDescriptor, at item: FilePath?
  ) throws(FileSystemObserverError) -> UInt32 {
    guard status.kind == .directory else { return status.permissions & 0o777 }
    let present = try operations.perform(.checkItem, of: task, at: item) { () throws(Errno) in try FileStatus.of(file) }
    return status.permissions & 0o1777 | present.permissions & 0o2000
  }

  private mutating func carryIdentity(
    from source: borrowing OwnedDescriptor, _ status: FileStatus, to file: borrowing OwnedDescriptor,
    at item: FilePath?, uuid known: UUIDBits?
  ) throws(FileSystemObserverError) -> OperationOutcome.Item {
    try operations.perform(.writeTag, of: task, at: item) { () throws(Errno) in
      let present = operations.tag.read(of: source).uuid
      let minted = try operations.mintedUUID(for: source)
      let original = present ?? known ?? minted
      let uuid = purpose != .duplicate ? original : try operations.mintedUUID(for: file, avoiding: original)
      // A tag that there is is carried in any case.
      let isWanted = operations.writesTags || purpose != .duplicate && present != nil
      var isTagged = false
      if isWanted {
        let permissions: UInt32 = status.kind == .directory ? 0o700 : 0o600
        isTagged = try operations.writeTag(uuid, to: file, permissions: permissions, &carrying)
      }
      // A moved item without its tag is another item to everybody else.
      if purpose == .move, operations.writesTags, !isTagged {
        carrying.note(.tag, operations.tag.attribute, .notSupported)
      }
      return OperationOutcome.Item(
        path: item ?? FilePath(), status: status, uuid: uuid, isTagged: isTagged,
        original: purpose == .duplicate ? original : nil)
    }
  }

  private mutating func carryRest(
    of status: FileStatus, _ permissions: UInt32, to file: borrowing OwnedDescriptor, at item: FilePath?
  ) throws(FileSystemObserverError) {
    try operations.perform(.carryPermissions, of: task, at: item) { () throws(Errno) in
      let wanted = purpose == .duplicate ? permissions : status.permissions
      try carrying.carryPermissions(permissions, wanted: wanted, to: file)
    }
    guard purpose == .move else { return }
    try operations.perform(.carryTimes, of: task, at: item) { () throws(Errno) in
      try file.setModified(status.modified)
    }
  }
}
