package import FileIdentity
internal import LinuxFileSystem
package import SystemPackage

extension DocumentOperations {
  /// Copies a document or a folder to a free name; each copy has its own UUID before it becomes visible.
  ///
  /// Blocks are shared if the file system can (`FICLONE`), otherwise copied by the kernel or the server if possible,
  /// and otherwise read and written; holes stay holes. The copies have extended attributes, access control lists and
  /// read, write and execute permissions of their originals; as with `cp`, they belong to the caller and their times
  /// are new. In a folder, symbolic links are copied as such, and hard links of one file stay so among the copies;
  /// FIFOs, sockets, devices and what is mounted there are left out and returned.
  ///
  /// - Parameters:
  ///   - source: The document or folder.
  ///   - destination: The path of the copy.
  ///   - uuid: The known UUID of the source, used if it has no tag.
  ///   - control: Follows and cancels the copying.
  /// - Returns: The copies, each with the UUID of its original.
  /// - Throws: `notAFile` for a FIFO, socket or device; `invalidArgument` for a copy inside the folder itself;
  ///   `cancelled`; `fileOperationFailed` with EEXIST if the destination exists, with EBUSY if a file was written during
  ///   the copy, or with another reason. After an error nothing is left behind.
  package func duplicate(
    _ source: FilePath, to destination: FilePath, uuid: UUIDBits? = nil, control: OperationControl = OperationControl()
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let task = DocumentTask.duplicate(source, destination)
    let (place, status) = try existing(source, for: task)
    switch status.kind {
    case .directory: return try duplicateFolder(at: source, place, to: destination, task, uuid, control)
    case .symlink: return try duplicateLink(place, status, to: destination, task, control)
    case .file, .special: return try duplicateFile(at: source, place, to: destination, task, uuid, control)
    }
  }

  private func duplicateLink(
    _ source: DocumentPlace, _ status: FileStatus, to destination: FilePath, _ task: DocumentTask,
    _ control: OperationControl
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let place = try DocumentPlace(destination, for: task)
    try place.requireFree(for: task)
    var job = CopyJob(self, task, .duplicate, control)
    var temporary = TemporaryName(in: place.folder)
    let item = try copyLink(at: source, status, to: &temporary, &job)
    try job.finishItem(at: nil)
    var outcome = OperationOutcome(item: item)
    try publish(&temporary, as: place, of: task, &outcome)
    outcome.notCarried = job.finish()
    return outcome
  }

  /// Makes a symbolic link that points where another does.
  func copyLink(
    at source: DocumentPlace, _ status: FileStatus, to temporary: inout TemporaryName, _ job: inout CopyJob
  ) throws(FileSystemObserverError) -> OperationOutcome.Item {
    job.expect(items: 1, bytes: 0)
    try perform(.createFile, of: job.task) { () throws(Errno) in
      let target = try source.name.withView { (name) throws(Errno) in
        try SymbolicLink.target(of: name, in: source.folder.descriptor)
      }
      try temporary.createSymbolicLink(pointingAt: target)
    }
    return try job.completeLink(status, temporary.name, in: temporary.directory)
  }

  private func duplicateFile(
    at source: FilePath, _ sourcePlace: DocumentPlace, to destination: FilePath, _ task: DocumentTask,
    _ uuid: UUIDBits?, _ control: OperationControl
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let document = try OpenDocument.open(at: source, sourcePlace, for: task)
    try requireExpected(document.file, document.status, task)
    let place = try DocumentPlace(destination, for: task)
    try place.requireFree(for: task)
    var job = CopyJob(self, task, .duplicate, control)
    job.expect(items: 1, bytes: document.status.size)
    var temporary = TemporaryName(in: place.folder)
    let file = try perform(.createFile, of: task) { () throws(Errno) in try temporary.createFile() }
    let item = try job.copyFile(from: document.file, document.status, to: file, uuid: uuid)
    try job.finishItem(at: nil)
    // Close the copy before its rename, so that an observer does not see it being written.
    _ = consume file
    var outcome = OperationOutcome(item: item)
    try publish(&temporary, as: place, of: task, &outcome)
    outcome.notCarried = job.finish()
    return outcome
  }

  private func duplicateFolder(
    at source: FilePath, _ sourcePlace: DocumentPlace, to destination: FilePath, _ task: DocumentTask,
    _ uuid: UUIDBits?, _ control: OperationControl
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let folder = try task.reaching(source) { () throws(Errno) in try sourcePlace.openFolder() }
    let status = try task.reaching(source) { () throws(Errno) in try FileStatus.of(folder.descriptor) }
    try requireExpected(folder.descriptor, status, task)
    let place = try DocumentPlace(destination, for: task)
    try place.requireFree(for: task)
    try requireOutside(status, place, destination, task)
    var temporary = TemporaryName(in: place.folder)
    let top = try perform(.createFile, of: task) { () throws(Errno) in try temporary.createFolder() }
    var copy = TreeCopy(CopyJob(self, task, .duplicate, control), from: folder, status, to: top)
    var outcome = OperationOutcome(item: try copy.run(uuid: uuid))
    outcome.descendants = copy.items
    outcome.leftOut = copy.leftOut
    try publish(&temporary, as: place, of: task, &outcome)
    outcome.notCarried = copy.finish()
    return outcome
  }

  /// Fails if a place is within a folder.
  func requireOutside(
    _ folder: FileStatus, _ place: DocumentPlace, _ path: FilePath, _ task: DocumentTask
  ) throws(FileSystemObserverError) {
    // The kernel checks again; folders above that may not be searched cannot be checked here.
    let isInside = (try? place.folder.isInside(folder)) ?? false
    if isInside { throw task.insideItself(path) }
  }

  /// Gives a new item its name, which must be free, and notes its status.
  ///
  /// - Parameter path: The path of the item, if that is not the one that the app has asked for.
  func publish(
    _ temporary: inout TemporaryName, as place: DocumentPlace, of task: DocumentTask, at path: FilePath? = nil,
    _ outcome: inout OperationOutcome
  ) throws(FileSystemObserverError) {
    var item = outcome.committed
    item.target = path.map { .making($0) }
    try commit(task, making: item) { () throws(Errno) in
      try temporary.publish(as: place.name)
      outcome.item.update(at: place)
    }
    finish(task, in: place.folder)
  }
}

extension DocumentOperations {
  /// Copies a document.
  ///
  /// - Parameter notCarried: Properties that could not be carried over are appended.
  /// - Returns: The UUID of the copy. If no tag can be written, the one that an observer computes for it.
  /// - Throws: The errors of ``duplicate(_:to:uuid:control:)``; `notAFile` for a folder, too.
  @discardableResult
  package func duplicateItem(
    at source: FilePath, to destination: FilePath, notCarried: inout [FileSystemObserver.CarryFailure]
  ) throws(FileSystemObserverError) -> UUIDBits {
    let task = DocumentTask.duplicate(source, destination)
    let outcome = try duplicateFile(
      at: source, DocumentPlace(source, for: task), to: destination, task, nil, OperationControl())
    notCarried += outcome.notCarried
    guard let uuid = outcome.item.uuid else { preconditionFailure("each copy of a file has a UUID") }
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
}

extension OperationOutcome.Item {
  /// Takes the status of an open folder.
  mutating func update(from folder: DirectoryHandle) {
    if let now = try? FileStatus.of(folder.descriptor) { status = now }
  }

  /// Takes the status after a rename, which changes the time of the last change of properties.
  mutating func update(at place: DocumentPlace) {
    // Another program may have put another item there since.
    guard let now = try? place.status(), now.isSameItem(as: status) else { return }
    status = now
  }
}

extension DirectoryHandle {
  /// Whether this is a folder, or is below it.
  fileprivate func isInside(_ folder: FileStatus) throws(Errno) -> Bool {
    var current = self
    var status = try FileStatus.of(descriptor)
    while true {
      if status.isSameItem(as: folder) { return true }
      let above = try FileName("..").withView { (name) throws(Errno) -> DirectoryHandle in
        DirectoryHandle(try OwnedDescriptor.openPath(name, in: current.descriptor))
      }
      let aboveStatus = try FileStatus.of(above.descriptor)
      // The root of all is its own parent.
      if aboveStatus.isSameItem(as: status) { return false }
      (current, status) = (above, aboveStatus)
    }
  }
}
