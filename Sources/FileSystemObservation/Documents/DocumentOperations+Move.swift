package import FileIdentity
internal import LinuxFileSystem
package import SystemPackage

extension DocumentOperations {
  /// Moves or renames an item; it keeps its identity.
  ///
  /// On one file system this is one rename(2); a symbolic link moves itself. Between file systems the item, or a whole
  /// folder, is copied to a hidden name with contents, tags, attributes, times and, as far as permitted, owners. When
  /// the copy is on the disk, it gets its name, and then the original leaves: at every moment at least one of them is
  /// complete. If the process is killed between the two, both are there.
  ///
  /// An item that is there already stays as it is.
  ///
  /// - Parameters:
  ///   - source: The item.
  ///   - destination: Its new path. The folder must exist.
  ///   - overwrites: Whether a file at the destination, or an empty folder, is replaced.
  ///   - uuid: The known UUID of the item, used if it has no tag.
  ///   - control: Follows and cancels the copying between file systems.
  /// - Throws: `invalidArgument` for a folder that would be put into itself; `cancelled`; `fileOperationFailed` with
  ///   EEXIST if the destination exists or is another name of the same item, with EBUSY if the item changed while it
  ///   was copied, or with another reason. After an error everything is as it was.
  package func move(
    _ source: FilePath, to destination: FilePath, overwrites: Bool = false, uuid: UUIDBits? = nil,
    control: OperationControl = OperationControl()
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let task = DocumentTask.move(source, destination)
    let (from, status) = try existing(source, for: task)
    let to = try DocumentPlace(destination, for: task)
    return try move(
      Moving(source: from, path: source, status: status, destination: to, task: task, overwrites: overwrites),
      to: destination, uuid, control)
  }

  /// What is moved, and where to.
  struct Moving {
    let source: DocumentPlace
    let path: FilePath
    let status: FileStatus
    let destination: DocumentPlace
    let task: DocumentTask
    let overwrites: Bool
  }

  func move(
    _ moving: Moving, to path: FilePath, _ uuid: UUIDBits?, _ control: OperationControl
  ) throws(FileSystemObserverError) -> OperationOutcome {
    var outcome = OperationOutcome(item: existingItem(at: moving.source, moving.status, known: uuid))
    if try isThere(moving) { return outcome }
    let replaced = try checkDestination(moving, path)
    if try rename(moving, &outcome) {
      finish(moving.task, in: moving.destination.folder, moving.source.folder)
    } else {
      outcome = try moveByCopying(moving, uuid, control)
    }
    outcome.replaced = replaced
    return outcome
  }

  /// Whether the item has its new name in its new folder already.
  private func isThere(_ moving: Moving) throws(FileSystemObserverError) -> Bool {
    guard moving.source.name == moving.destination.name else { return false }
    return try perform(.checkItem, of: moving.task) { () throws(Errno) in
      let former = FileKey(try FileStatus.of(moving.source.folder.descriptor))
      return former == FileKey(try FileStatus.of(moving.destination.folder.descriptor))
    }
  }

  /// - Returns: What is to be replaced.
  private func checkDestination(
    _ moving: Moving, _ path: FilePath
  ) throws(FileSystemObserverError) -> OperationOutcome.Item? {
    let (task, status) = (moving.task, moving.status)
    let present = try perform(.checkItem, of: task) { () throws(Errno) in
      if status.isImmutable { throw .notPermitted }
      return try moving.destination.statusIfAny()
    }
    if status.kind == .directory { try requireOutside(status, moving.destination, path, task) }
    guard let present else { return nil }
    // rename(2) does nothing then, and says nothing.
    if present.isSameItem(as: status) { throw task.sameItem(path) }
    guard moving.overwrites else { throw task.failure(of: .publish, .fileExists) }
    return existingItem(at: moving.destination, present)
  }

  /// Renames an item on its file system.
  ///
  /// - Returns: Whether that was possible; otherwise it must be copied.
  private func rename(_ moving: Moving, _ outcome: inout OperationOutcome) throws(FileSystemObserverError) -> Bool {
    let (source, destination) = (moving.source, moving.destination)
    let target = try perform(.checkItem, of: moving.task) { () throws(Errno) in
      try FileStatus.of(destination.folder.descriptor)
    }
    guard target.device == moving.status.device else { return false }
    let item = outcome.item
    do throws(FileSystemObserverError) {
      try commit(moving.task) { () throws(Errno) in
        try self.rename(item, at: source, to: destination, replacing: moving.overwrites)
        outcome.item.update(at: destination)
      }
      return true
    } catch {
      // Two mounts of one file system, two subvolumes, or two layers.
      if error.errno == .improperLink { return false }
      throw error
    }
  }
}
