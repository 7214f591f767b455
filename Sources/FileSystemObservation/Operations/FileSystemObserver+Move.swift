internal import LinuxFileSystem
public import SystemPackage

// Operations that move an item, or remove it.
//
// All operations have in common: they may be called on any thread and with any absolute path, whether or not the
// observer runs and the path is below its directory; a relative path is an `invalidArgument`. No symbolic link at the
// end of a path is followed. Whatever a running observer has to announce is announced before the call returns, with the
// origin `thisProcess`. If the engine is busy for more than a second, or with the first scan, the announcement comes
// later, and as `other`.

extension FileSystemObserver {
  /// Moves an item, under the same or another name; it keeps its identity.
  ///
  /// On one file system this is a single rename(2). Between file systems the item, or a whole folder, is copied with
  /// its tags, attributes, times and, as far as permitted, owners; then the copy gets its name, and the original
  /// leaves. At every moment at least one of them is complete. The change is announced as one `moved`. An item that is
  /// there already stays as it is.
  ///
  /// Blocks until the disk has everything.
  ///
  /// - Parameters:
  ///   - source: The path of a file, a folder or a symbolic link.
  ///   - destination: The new path. Its folder must exist.
  ///   - overwriting: Whether a file at the destination, or an empty folder, is replaced; its identity ends
  ///     (``DeletionReason/replaced``).
  ///   - naming: What the item is called if there is another at the destination that is not replaced; `nil` to fail
  ///     then.
  ///   - audience: The listeners to notify.
  ///   - control: Follows and cancels the copying between file systems.
  /// - Returns: The item at its new path.
  /// - Throws: `invalidArgument` for a folder that would be put into itself; `cancelled`; `fileOperationFailed` with
  ///   EEXIST if there is an item at the destination, or another name of the same file, with EBUSY if a file was written during
  ///   the copy, or with another reason. After an error everything is as it was.
  @discardableResult
  public func moveItem(
    at source: FilePath, to destination: FilePath, overwriting: Bool = false, naming: ItemNaming? = nil,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) throws(FileSystemObserverError) -> Operation {
    try move(source, to: destination, overwrites: overwriting, naming: naming, notifying: audience, control)
  }

  /// Moves an item, if it is the expected one.
  func move(
    _ source: FilePath, to destination: FilePath, expecting item: ExpectedItem? = nil, overwrites: Bool = false,
    naming: ItemNaming? = nil, notifying audience: Audience, _ control: OperationControl = OperationControl()
  ) throws(FileSystemObserverError) -> Operation {
    try atFreePath(destination, naming, isFolder: Self.isFolder(source)) {
      (destination) throws(FileSystemObserverError) in
      let target = OperationTarget(source: source, destination: destination, reason: .movedOut)
      return try operate(on: target, expecting: item, notifying: audience) {
        (operations) throws(FileSystemObserverError) in
        let uuid = item?.uuid ?? knownUUID(source)
        return try operations.move(source, to: destination, overwrites: overwrites, uuid: uuid, control: control)
      }
    }
  }

  /// Gives an item another name in its folder.
  ///
  /// - Parameters:
  ///   - path: The path of the item.
  ///   - name: The new name.
  ///   - audience: The listeners to notify.
  /// - Returns: The item at its new path.
  /// - Throws: `invalidArgument` if the name is empty, `.`, `..` or contains a slash; otherwise the errors of
  ///   ``moveItem(at:to:overwriting:naming:notifying:control:)``.
  @discardableResult
  public func renameItem(
    at path: FilePath, to name: String, notifying audience: Audience = .everyone
  ) throws(FileSystemObserverError) -> Operation {
    try rename(path, to: name, notifying: audience)
  }

  /// Gives an item another name, if it is the expected one.
  func rename(
    _ path: FilePath, to name: String, expecting item: ExpectedItem? = nil, notifying audience: Audience
  ) throws(FileSystemObserverError) -> Operation {
    guard let component = FilePath.Component(name), component.kind == .regular, !name.contains("\0") else {
      throw FileSystemObserverError(
        code: .invalidArgument,
        sentence: "\(path) cannot have the name \"\(name)\": give one that is not empty, not . or .., and has no slash",
        path: path)
    }
    let destination = path.removingLastComponent().appending(component)
    return try move(path, to: destination, expecting: item, notifying: audience)
  }

  /// Removes an item for good: a file, a symbolic link itself, or a folder with everything below it.
  ///
  /// A folder vanishes in one step, and its contents are removed after that. Symbolic links in it are not followed, and
  /// what is mounted there is not touched: the folder stays then. Blocks until everything is removed.
  ///
  /// - Parameters:
  ///   - path: The path of the item.
  ///   - audience: The listeners to notify.
  /// - Returns: The item as it was.
  /// - Throws: `fileOperationFailed` with the reason. The item is unchanged then. There is one exception: if something
  ///   in a folder turns out to be irremovable after all, the folder is back without what was removed before.
  @discardableResult
  public func removeItem(
    at path: FilePath, notifying audience: Audience = .everyone
  ) throws(FileSystemObserverError) -> Operation {
    try remove(path, notifying: audience)
  }

  /// Removes an item for good, if it is the expected one.
  func remove(
    _ path: FilePath, expecting item: ExpectedItem? = nil, notifying audience: Audience
  ) throws(FileSystemObserverError) -> Operation {
    try operate(on: .removing(path), expecting: item, notifying: audience) {
      (operations) throws(FileSystemObserverError) in try operations.remove(path)
    }
  }
}
