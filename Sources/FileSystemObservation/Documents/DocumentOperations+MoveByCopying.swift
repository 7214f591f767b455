internal import FileIdentity
internal import LinuxFileSystem
internal import SystemPackage

extension DocumentOperations {
  /// Moves an item to another file system.
  func moveByCopying(
    _ moving: Moving, _ uuid: UUIDBits?, _ control: OperationControl
  ) throws(FileSystemObserverError) -> OperationOutcome {
    try requireMovable(moving)
    var temporary = TemporaryName(in: moving.destination.folder)
    var (outcome, contents) = try copy(moving, to: &temporary, uuid, control)
    let hidden = HiddenItem(moving.source)
    var failure: FileSystemObserverError?
    do throws(FileSystemObserverError) {
      try commit(moving.task, making: CommittedItem(isMovedByCopying: true)) { () throws(Errno) in
        try moving.requireUnchanged(at: moving.source)
        try publish(&temporary, moving, contents, hiding: hidden, &failure)
        outcome.item.update(at: moving.destination)
      }
    } catch {
      throw failure ?? error
    }
    finish(moving.task, in: moving.destination.folder)
    do throws(FileSystemObserverError) {
      try perform(.removeOriginal, of: moving.task) { () throws(Errno) in }
      try hidden.remove(moving.task)
    } catch {
      outcome.leftOver = hidden.path(besides: moving.path)
    }
    finish(moving.task, in: moving.source.folder)
    return outcome
  }

  /// Checks that the original can be removed later, and that what the item replaces may be replaced.
  private func requireMovable(_ moving: Moving) throws(FileSystemObserverError) {
    let task = moving.task
    if moving.status.kind == .special { throw task.cannotBeCopied(moving.path) }
    if moving.status.kind == .directory { try requireRemovable(moving.source, moving.status, task) }
    try perform(.checkItem, of: task) { () throws(Errno) in
      try TreeRemoval.requireChangeable(moving.source.folder)
      guard let present = try moving.destination.statusIfAny() else { return }
      switch (moving.status.kind, present.kind) {
      case (.directory, .directory):
        if try !moving.destination.openFolder().isEmpty { throw .directoryNotEmpty }
      case (.directory, _): throw .notDirectory
      case (_, .directory): throw .isDirectory
      default: break
      }
    }
  }

  /// Copies an item; also returns what a folder had in it.
  private func copy(
    _ moving: Moving, to temporary: inout TemporaryName, _ uuid: UUIDBits?, _ control: OperationControl
  ) throws(FileSystemObserverError) -> (OperationOutcome, CopiedFolder?) {
    switch moving.status.kind {
    case .directory: try copyFolder(moving, to: &temporary, uuid, control)
    case .symlink: (try copyLink(moving, to: &temporary, control), nil)
    case .file, .special: (try copyFile(moving, to: &temporary, uuid, control), nil)
    }
  }

  private func copyFile(
    _ moving: Moving, to temporary: inout TemporaryName, _ uuid: UUIDBits?, _ control: OperationControl
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let task = moving.task
    let document = try OpenDocument.open(at: moving.path, moving.source, for: task)
    var job = CopyJob(self, task, .move, control)
    job.expect(items: 1, bytes: document.status.size)
    let file = try perform(.createFile, of: task) { () throws(Errno) in try temporary.createFile() }
    let item = try job.copyFile(from: document.file, document.status, to: file, uuid: uuid)
    try job.finishItem(at: nil)
    return OperationOutcome(item: item, notCarried: job.finish())
  }

  private func copyLink(
    _ moving: Moving, to temporary: inout TemporaryName, _ control: OperationControl
  ) throws(FileSystemObserverError) -> OperationOutcome {
    var job = CopyJob(self, moving.task, .move, control)
    let item = try copyLink(at: moving.source, moving.status, to: &temporary, &job)
    return OperationOutcome(item: item, notCarried: job.finish())
  }

  private func copyFolder(
    _ moving: Moving, to temporary: inout TemporaryName, _ uuid: UUIDBits?, _ control: OperationControl
  ) throws(FileSystemObserverError) -> (OperationOutcome, CopiedFolder) {
    let task = moving.task
    let folder = try task.reaching(moving.path) { () throws(Errno) in try moving.source.openFolder() }
    let top = try perform(.createFile, of: task) { () throws(Errno) in try temporary.createFolder() }
    var copy = TreeCopy(CopyJob(self, task, .move, control), from: folder, moving.status, to: top)
    var outcome = OperationOutcome(item: try copy.run(uuid: uuid))
    let copied = copy.copied
    try copied.requireUnchanged(task)
    outcome.descendants = copy.items
    outcome.notCarried = copy.finish()
    return (outcome, copied)
  }

  /// Gives the copy its name, and then the original its hidden one; or neither.
  ///
  /// Once the original is hidden, no other program finds what is in it: it is compared once more.
  private func publish(
    _ temporary: inout TemporaryName, _ moving: Moving, _ contents: CopiedFolder?, hiding hidden: HiddenItem,
    _ failure: inout FileSystemObserverError?
  ) throws(Errno) {
    let name = moving.destination.name
    let isTaken = try moving.destination.statusIfAny() != nil
    let undo = try moving.overwrites && isTaken ? replace(name, with: &temporary) : publishNew(&temporary, as: name)
    do throws(Errno) {
      try hidden.hide { (place) throws(Errno) in
        try moving.requireUnchanged(at: place)
        do throws(FileSystemObserverError) {
          try contents?.requireUnchanged(moving.task)
        } catch {
          failure = error
          throw error.errno ?? .resourceBusy
        }
      }
    } catch {
      switch undo {
      case .exchange: try temporary.exchange(with: name)
      case .takeBack: try temporary.takeBack(from: name)
      case .none: break
      }
      throw error
    }
  }

  /// How a publication is undone.
  private enum Undo {
    case exchange, takeBack
    /// The file system cannot exchange names: both the original and its copy stay.
    case none
  }

  private func publishNew(_ temporary: inout TemporaryName, as name: FileName) throws(Errno) -> Undo {
    try temporary.publish(as: name)
    return .takeBack
  }

  private func replace(_ name: FileName, with temporary: inout TemporaryName) throws(Errno) -> Undo {
    do throws(Errno) {
      try temporary.exchange(with: name)
      return .exchange
    } catch {
      guard error.isUnsupportedExchange else { throw error }
      try temporary.publish(replacing: name)
      return .none
    }
  }
}

extension DocumentOperations.Moving {
  /// Fails with EBUSY if the contents of a file have changed, and with ESTALE if another item has the name.
  fileprivate func requireUnchanged(at place: DocumentPlace) throws(Errno) {
    let now = try place.requireUnchanged(since: status)
    guard now.modified == status.modified, now.size == status.size else { throw .resourceBusy }
  }
}

extension DirectoryHandle {
  /// Whether there is nothing in it.
  var isEmpty: Bool {
    get throws(Errno) {
      var isEmpty = true
      try DirectoryReader().forEachEntry(of: descriptor) { _, _, _ in isEmpty = false }
      return isEmpty
    }
  }
}
