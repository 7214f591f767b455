internal import FileIdentity
internal import LinuxFileSystem
package import SystemPackage

extension DocumentOperations {
  /// Removes an item for good: a file, a symbolic link itself, or a folder with everything below it.
  ///
  /// A folder vanishes in one step; its contents are removed after that, without following symbolic links. What is
  /// mounted below it is not touched: the folder then stays.
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
    if status.kind == .directory {
      try removeFolder(at: place, status, task)
    } else {
      try perform(.checkItem, of: task) { () throws(Errno) in
        if status.isImmutable { throw .notPermitted }
      }
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

  private func removeFolder(
    at place: DocumentPlace, _ status: FileStatus, _ task: DocumentTask
  ) throws(FileSystemObserverError) {
    try requireRemovable(place, status, task)
    let hidden = HiddenItem(place)
    try commit(task) { () throws(Errno) in
      try place.requireUnchanged(since: status)
      try hidden.hide()
    }
    do throws(FileSystemObserverError) {
      try perform(.removeOriginal, of: task) { () throws(Errno) in }
      try hidden.remove(task)
    } catch {
      // The folder comes back with whatever is left of it: that is better than a rest that nobody sees.
      try? committing(CommittedItem(target: .making(task.target))) { () throws(Errno) in try hidden.putBack() }
      throw error
    }
  }

  /// Finds out what would make the removal of a folder fail, before anything is done.
  func requireRemovable(
    _ place: DocumentPlace, _ status: FileStatus, _ task: DocumentTask
  ) throws(FileSystemObserverError) {
    let folder = try perform(.checkItem, of: task) { () throws(Errno) in
      if status.isImmutable { throw .notPermitted }
      return try place.openFolder()
    }
    try task.walking { () throws(FailedItem) in try TreeRemoval.check(contentsOf: folder) }
  }
}

/// An item that gets a hidden name before it is removed.
///
/// Unlike a `TemporaryName`, it is not removed by itself: it is somebody's document.
struct HiddenItem: Sendable {
  private let place: DocumentPlace
  private let name = TemporaryName.fresh()

  init(_ place: DocumentPlace) {
    self.place = place
  }

  /// The path that the item has now, next to the one that it had.
  func path(besides path: FilePath) -> FilePath { path.removingLastComponent().appending(bytes: name.bytes) }

  func hide() throws(Errno) {
    try ItemRename.rename(place.name, in: place.folder, to: name, in: place.folder)
  }

  /// Hides the item if it is still the right one.
  ///
  /// Another program may save it at the last moment: only what has the hidden name cannot be replaced any more.
  ///
  /// - Parameter check: Throws if the item is another, or has changed; then it gets its name back, unless a later version
  ///   has that already.
  func hide(if check: (DocumentPlace) throws(Errno) -> Void) throws(Errno) {
    try hide()
    do throws(Errno) {
      try check(DocumentPlace(folder: place.folder, name: name))
    } catch {
      try? putBack()
      throw error
    }
  }

  func putBack() throws(Errno) {
    try ItemRename.rename(name, in: place.folder, to: place.name, in: place.folder)
  }

  func remove(_ task: DocumentTask) throws(FileSystemObserverError) {
    do throws(FailedItem) {
      try TreeRemoval.remove(name, from: place.folder)
    } catch {
      throw task.incompleteRemoval(error)
    }
  }
}
