internal import FileIdentity
internal import LinuxFileSystem
internal import SystemPackage

/// An item that gets a hidden name before it is removed, or before it replaces another.
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

  /// Hides the item if it is still the right one.
  ///
  /// Another program may save it, or put another item there, at the last moment: only what has the hidden name cannot be
  /// replaced any more.
  ///
  /// - Parameter check: Throws if the item is another, or has changed; then it gets its name back, unless a later version
  ///   has that already.
  func hide(if check: (DocumentPlace) throws(Errno) -> Void) throws(Errno) {
    try ItemRename.rename(place.name, in: place.folder, to: name, in: place.folder)
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

  /// Gives the item another name, and replaces a file or an empty folder there; if that fails, it gets its own back.
  func replace(_ destination: DocumentPlace) throws(Errno) {
    do throws(Errno) {
      try ItemRename.rename(name, in: place.folder, to: destination.name, in: destination.folder, replacing: true)
    } catch {
      try? putBack()
      throw error
    }
  }

  func remove(_ task: DocumentTask) throws(FileSystemObserverError) {
    do throws(FailedItem) {
      try TreeRemoval.remove(name, from: place.folder)
    } catch {
      throw task.incompleteRemoval(error)
    }
  }
}

extension DocumentOperations {
  /// Gives an item, and no other, a new name.
  ///
  /// Another program may put another item there at the last moment. So what has arrived is looked at: another item goes
  /// back. The right one may have left again, which concerns nobody here. What a wrong one has replaced would be lost: an
  /// expected item is looked at under a hidden name before it replaces another.
  func rename(
    _ item: OperationOutcome.Item, at place: DocumentPlace, to destination: DocumentPlace, replacing: Bool = false
  ) throws(Errno) {
    try place.requireUnchanged(since: item.status)
    if replacing {
      guard expectedItem != nil, try destination.statusIfAny() != nil else {
        return try ItemRename.rename(
          place.name, in: place.folder, to: destination.name, in: destination.folder, replacing: true)
      }
      let hidden = HiddenItem(place)
      try hidden.hide { (hidden) throws(Errno) in try requireSame(item, at: hidden) }
      return try hidden.replace(destination)
    }
    try ItemRename.rename(place.name, in: place.folder, to: destination.name, in: destination.folder)
    do throws(Errno) {
      try requireSame(item, at: destination)
    } catch {
      guard error == .staleNFSFileHandle else { return }
      try? ItemRename.rename(destination.name, in: destination.folder, to: place.name, in: place.folder)
      throw error
    }
  }

  /// Fails with ESTALE if an operation has taken another item than the one that it looked at.
  ///
  /// On some file systems (mergerfs, overlayfs) a rename may give an item another inode number. There the tag decides;
  /// without one, only an expected item must be known by its inode.
  func requireSame(_ item: OperationOutcome.Item, at place: DocumentPlace) throws(Errno) {
    let status = try place.status()
    if status.isSameItem(as: item.status) { return }
    let present = place.name.withView { tag.read(of: $0, in: place.folder.descriptor).uuid }
    let isSame = present.map { $0 == (expectedItem?.uuid ?? item.uuid) } ?? (!item.isTagged && expectedItem == nil)
    guard isSame, status.kind == item.status.kind else { throw .staleNFSFileHandle }
  }
}
