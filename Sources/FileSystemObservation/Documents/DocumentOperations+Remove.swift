internal import FileIdentity
internal import LinuxFileSystem
package import SystemPackage

extension DocumentOperations {
  /// Removes an item for good: a file, a symbolic link itself, or a folder with everything below it.
  ///
  /// A folder vanishes in one step; its contents are removed after that, without following symbolic links. What is
  /// mounted below it is not touched: the folder then stays. So does an expected file, of which only a look at its hidden
  /// name shows that no other one is removed.
  ///
  /// - Parameter path: The item.
  /// - Returns: The item as it was.
  /// - Throws: `fileOperationFailed` with the reason. The item is unchanged then; only if something in a folder turns
  ///   out later to be irremovable, the folder is back without what was removed before, as the error says.
  @discardableResult
  package func remove(_ path: FilePath) throws(FileSystemObserverError) -> OperationOutcome {
    let task = DocumentTask.remove(path)
    let (place, status) = try existing(path, for: task)
    let item = existingItem(at: place, status)
    try requireRemovable(place, status, task)
    if status.kind == .directory || expectedItem != nil {
      try removeHidden(place, item, task)
    } else {
      try commit(task) { () throws(Errno) in
        try place.requireUnchanged(since: status)
        try place.name.withView { (name) throws(Errno) in
          try DirectoryChange.unlink(name, in: place.folder.descriptor)
        }
      }
    }
    finish(task, in: place.folder)
    return OperationOutcome(item: item)
  }

  /// An item as it is, with the UUID in its tag.
  func existingItem(at place: DocumentPlace, _ status: FileStatus, known: UUIDBits? = nil) -> OperationOutcome.Item {
    let isTaggable = status.kind == .file || status.kind == .directory
    let uuid = isTaggable ? place.name.withView { tag.read(of: $0, in: place.folder.descriptor).uuid } : nil
    return OperationOutcome.Item(status: status, uuid: uuid ?? known, isTagged: uuid != nil)
  }

  private func removeHidden(
    _ place: DocumentPlace, _ item: OperationOutcome.Item, _ task: DocumentTask
  ) throws(FileSystemObserverError) {
    let hidden = HiddenItem(place)
    try commit(task) { () throws(Errno) in
      try place.requireUnchanged(since: item.status)
      try hidden.hide { (hidden) throws(Errno) in try requireSame(item, at: hidden) }
    }
    do throws(FileSystemObserverError) {
      try perform(.removeOriginal, of: task) { () throws(Errno) in }
      try hidden.remove(task)
    } catch {
      // A folder comes back with whatever is left of it: that is better than a rest that nobody sees.
      try? committing(CommittedItem(target: .making(task.target))) { () throws(Errno) in try hidden.putBack() }
      throw error
    }
  }

  /// Finds out what would make a removal fail, before anything is done.
  func requireRemovable(
    _ place: DocumentPlace, _ status: FileStatus, _ task: DocumentTask
  ) throws(FileSystemObserverError) {
    let folder = try perform(.checkItem, of: task) { () throws(Errno) in
      if status.isImmutable { throw .notPermitted }
      return status.kind == .directory ? try place.openFolder() : nil
    }
    guard let folder else { return }
    try task.walking { () throws(FailedItem) in try TreeRemoval.check(contentsOf: folder) }
  }
}
