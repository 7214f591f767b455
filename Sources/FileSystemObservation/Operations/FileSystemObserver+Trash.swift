internal import FileIdentity
internal import LinuxFileSystem
public import SystemPackage

// Trashing and restoring. See `FileSystemObserver+Move.swift` for what all operations have in common.

extension FileSystemObserver {
  /// Moves an item to the trash (FreeDesktop trash specification 1.0), where file managers show it.
  ///
  /// That is the trash of the home folder, or the trash at the top of the item's own file system, which is made if it
  /// is missing. The item keeps its inode and its UUID: ``restoreItem(_:to:naming:notifying:control:)`` brings the same item
  /// back, and so does a file manager. It is announced as `deleted` (``DeletionReason/trashed``).
  ///
  /// - Parameters:
  ///   - path: The path of a file, a folder or a symbolic link.
  ///   - allowingHomeTrash: Whether an item whose file system can have no trash is moved to that of the home folder,
  ///     which copies it.
  ///   - audience: The listeners to notify.
  ///   - control: Follows and cancels the copying to the trash of the home folder.
  /// - Returns: The item as it was, and ``Operation/trashedItem`` for restoring it.
  /// - Throws: `fileOperationFailed` with the reason; `cancelled`. After an error the item is where it was.
  @discardableResult
  public func trashItem(
    at path: FilePath, allowingHomeTrash: Bool = false, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) throws(FileSystemObserverError) -> Operation {
    try trash(path, allowsHomeTrash: allowingHomeTrash, notifying: audience, control)
  }

  /// Moves an item to the trash, if it is the expected one.
  func trash(
    _ path: FilePath, expecting item: ExpectedItem? = nil, allowsHomeTrash: Bool, notifying audience: Audience,
    _ control: OperationControl
  ) throws(FileSystemObserverError) -> Operation {
    let target = OperationTarget(source: path, reason: .trashed)
    return try operate(on: target, expecting: item, notifying: audience) {
      (operations) throws(FileSystemObserverError) in
      let uuid = item?.uuid ?? knownUUID(path)
      return try operations.trash(path, movesBetweenFileSystems: allowsHomeTrash, uuid: uuid, control: control)
    }
  }

  /// Moves an item from the trash back to where it was; missing folders above it are made again.
  ///
  /// It is announced as `discovered`, as an item that has returned if the observer has seen it leave.
  ///
  /// - Parameters:
  ///   - item: The item, from ``Operation/trashedItem`` or ``trashedItems()``, whichever program has trashed it.
  ///   - destination: The new path; if `nil`, the original one.
  ///   - naming: What the item is called if there is another at the path; `nil` to fail then.
  ///   - audience: The listeners to notify.
  ///   - control: Follows and cancels a copy between file systems.
  /// - Returns: The item at its path.
  /// - Throws: `fileOperationFailed` with EEXIST if there is an item at the path, with ENOENT if the item is no longer
  ///   in the trash, or with another reason; `cancelled`. After an error the item is in the trash.
  @discardableResult
  public func restoreItem(
    _ item: TrashedItem, to destination: FilePath? = nil, naming: ItemNaming? = nil,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) throws(FileSystemObserverError) -> Operation {
    let path = destination ?? item.originalPath
    return try atFreePath(path, naming, isFolder: Self.isFolder(item.path)) {
      (path) throws(FileSystemObserverError) in
      let target = OperationTarget(source: item.path, destination: path)
      do throws(FileSystemObserverError) {
        return try operate(on: target, notifying: audience) { (operations) throws(FileSystemObserverError) in
          try operations.restore(item, to: path, control: control)
        }
      } catch {
        throw error.errno == .noSuchFileOrDirectory && !Self.exists(item.path) ? .init(noLongerInTrash: item) : error
      }
    }
  }

  private static func exists(_ path: FilePath) -> Bool { (try? FileStatus.of(path: path)) != nil }

  /// The items in the user's trash, whichever program has trashed them: in the trash of the home folder and in that of
  /// the file system of each of the observed ``Configuration/directories``.
  ///
  /// Reads the trash folders, which blocks on the disk.
  ///
  /// - Returns: The items, in the order in which they were trashed, and why others could not be listed, for instance
  ///   because their information is damaged.
  public func trashedItems() -> (items: [TrashedItem], problems: [FileSystemObserverError]) {
    let contents = operations(on: OperationTarget(), notifying: .everyone)
      .trashedItems(onFileSystemsOf: configuration.directories)
    return (contents.items, contents.problems)
  }
}

extension FileSystemObserverError {
  fileprivate init(noLongerInTrash item: FileSystemObserver.TrashedItem) {
    self.init(
      code: .fileOperationFailed,
      sentence: "\(item.originalPath) is no longer in the trash: it was restored already, or the trash was emptied",
      path: item.originalPath, errno: .noSuchFileOrDirectory)
  }
}
