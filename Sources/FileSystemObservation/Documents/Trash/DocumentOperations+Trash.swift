package import FileIdentity
internal import FoundationEssentials
internal import LinuxFileSystem
package import SystemPackage

extension DocumentOperations {
  /// Moves an item to a trash folder of its own file system (FreeDesktop trash specification 1.0).
  ///
  /// That is the trash of the home folder, or else the one at the top of the file system. The item keeps its inode and
  /// its tag. Its info file appears complete just before the item leaves; if the process is killed between the two, the
  /// info file remains alone.
  ///
  /// - Parameters:
  ///   - path: The item. A symbolic link is trashed itself.
  ///   - movesBetweenFileSystems: Whether an item whose file system has no trash is moved to that of the home folder.
  ///   - uuid: The known UUID of the item, used if it has no tag.
  ///   - places: Where the trash folders are.
  ///   - control: Follows and cancels the copying between file systems.
  /// - Returns: The item in the trash; ``OperationOutcome/trashedItem`` can be restored.
  /// - Throws: `fileOperationFailed` with the reason. After an error the item is where it was.
  package func trash(
    _ path: FilePath, movesBetweenFileSystems: Bool = false, uuid: UUIDBits? = nil,
    places: TrashPlaces = TrashPlaces(), control: OperationControl = OperationControl()
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let task = DocumentTask.trash(path)
    let (place, status) = try existing(path, for: task)
    try perform(.checkItem, of: task) { () throws(Errno) in if status.isImmutable { throw .notPermitted } }
    let trashing = Trashing(place: place, path: path, status: status, uuid: uuid, task: task)
    // Another call that fails, or another program, may remove empty folders of the trash at any moment.
    return try Self.repeating {
      $0.errno == .noSuchFileOrDirectory && (try? place.status()) != nil
    } _: { () throws(FileSystemObserverError) in
      try trash(trashing, places, movesBetweenFileSystems, control)
    }
  }

  private func trash(
    _ trashing: Trashing, _ places: TrashPlaces, _ movesBetweenFileSystems: Bool, _ control: OperationControl
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let attempt: Attempt
    do throws(Errno) {
      attempt = try trashByRenaming(trashing, places)
    } catch {
      guard movesBetweenFileSystems else { throw trashing.task.withoutTrash(trashing.path, error) }
      return try trashByMoving(trashing, places, control)
    }
    return try attempt.get()
  }

  /// The item that is to be trashed.
  struct Trashing {
    let place: DocumentPlace
    let path: FilePath
    let status: FileStatus
    let uuid: UUIDBits?
    let task: DocumentTask
  }

  private typealias Attempt = Result<OperationOutcome, FileSystemObserverError>

  /// - Throws: Why the file system has no trash folder.
  private func trashByRenaming(_ trashing: Trashing, _ places: TrashPlaces) throws(Errno) -> Attempt {
    if let attempt = try trashAtHome(trashing, places) { return attempt }
    let trash = try places.topTrash(for: trashing.place.folder)
    return Attempt { () throws(FileSystemObserverError) in
      try using(trash) { () throws(FileSystemObserverError) in try rename(trashing, into: trash) }
    }
  }

  /// Puts an item into a trash folder; if that fails, nothing stays of what was made of the folder.
  private func using(
    _ trash: TrashFolder, _ body: () throws(FileSystemObserverError) -> OperationOutcome
  ) throws(FileSystemObserverError) -> OperationOutcome {
    do throws(FileSystemObserverError) {
      return try body()
    } catch {
      trash.made.remove()
      throw error
    }
  }

  private func trashAtHome(_ trashing: Trashing, _ places: TrashPlaces) throws(Errno) -> Attempt? {
    let folder = try FileStatus.of(trashing.place.folder.descriptor)
    guard let trash = try? places.homeTrash(for: folder) else { return nil }
    do throws(FileSystemObserverError) {
      return .success(
        try using(trash) { () throws(FileSystemObserverError) in try rename(trashing, into: trash) })
    } catch {
      // One file system that is mounted twice.
      return error.errno == .improperLink ? nil : .failure(error)
    }
  }

  private func rename(
    _ trashing: Trashing, into trash: TrashFolder
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let (place, task) = (trashing.place, trashing.task)
    if trashing.status.kind == .directory {
      let files = DocumentPlace(folder: trash.files, name: place.name)
      try requireOutside(trashing.status, files, trash.path, task)
    }
    var outcome = OperationOutcome(item: existingItem(at: place, trashing.status, known: trashing.uuid))
    var record = try TrashRecord.write(self, trashing, in: trash)
    let item = outcome.item
    try commit(task) { () throws(Errno) in
      try place.requireUnchanged(since: trashing.status)
      try record.publish { (name) throws(Errno) in
        try self.rename(item, at: place, to: DocumentPlace(folder: trash.files, name: name))
      }
      outcome.item.update(at: DocumentPlace(folder: trash.files, name: record.name))
    }
    if trashing.status.kind == .directory { record.noteSize() }
    finish(task, in: trash.info, trash.files, place.folder)
    outcome.trashedItem = record.trashedItem(outcome.item.uuid)
    return outcome
  }

  private func trashByMoving(
    _ trashing: Trashing, _ places: TrashPlaces, _ control: OperationControl
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let task = trashing.task
    let trash: TrashFolder? = try perform(.checkItem, of: task) { () throws(Errno) in try places.homeTrash(for: nil) }
    guard let trash else { throw task.withoutTrash(trashing.path, .noSuchFileOrDirectory) }
    return try using(trash) { () throws(FileSystemObserverError) in try move(trashing, into: trash, control) }
  }

  private func move(
    _ trashing: Trashing, into trash: TrashFolder, _ control: OperationControl
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let task = trashing.task
    var record = try TrashRecord.write(self, trashing, in: trash)
    try perform(.createFile, of: task) { () throws(Errno) in
      try record.publish { (name) throws(Errno) in
        // The item takes the place only later; another program with the same thought finds the info file.
        if try DocumentPlace(folder: trash.files, name: name).statusIfAny() != nil { throw .fileExists }
      }
    }
    do throws(FileSystemObserverError) {
      let moving = Moving(
        source: trashing.place, path: trashing.path, status: trashing.status,
        destination: DocumentPlace(folder: trash.files, name: record.name), task: task, overwrites: false)
      var outcome = try move(moving, to: trash.path, trashing.uuid, control)
      if trashing.status.kind == .directory { record.noteSize() }
      finish(task, in: trash.info)
      outcome.trashedItem = record.trashedItem(outcome.item.uuid)
      return outcome
    } catch {
      record.takeBack()
      throw error
    }
  }
}
