internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

// Operations on an item by its UUID, wherever it is now.
//
// All have in common: another program may have renamed the item, or moved it to another folder, also at the last
// moment, and nothing is done to another item that is at its former path. A copy that its original has taken over is
// the original. Of a file with several names (hard links) the oldest is meant; for another name, use its path. They
// throw `outsideTree` if there is no such item: it was deleted, put in the trash, or moved out of the tree; and
// `itemIsBusy` if it is moved so often that it is never found where it was a moment ago.

extension FileSystemObserver {
  /// Gives an item another name in its folder, wherever that is now.
  ///
  /// ```swift
  /// try await observer.renameItem(with: document, to: "Letter to Ada.txt")
  /// ```
  ///
  /// - Parameters:
  ///   - uuid: The UUID of an item of the tree.
  ///   - name: The new name.
  ///   - audience: The listeners to notify.
  /// - Returns: The item at its new path.
  /// - Throws: `outsideTree` if there is no such item; or the errors of ``renameItem(at:to:notifying:)``.
  @discardableResult
  public func renameItem(
    with uuid: UUID, to name: String, notifying audience: Audience = .everyone
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing(onItemWith: uuid) { (item, _) throws(FileSystemObserverError) in
      try self.rename(item.path, to: name, expecting: item.expected, notifying: audience)
    }
  }

  /// Moves an item from wherever it is now.
  ///
  /// - Parameters:
  ///   - uuid: The UUID of an item of the tree.
  ///   - destination: The new path. Its folder must exist.
  ///   - overwriting: Whether a file at the destination, or an empty folder, is replaced.
  ///   - naming: What the item is called if there is another at the destination that is not replaced; `nil` to fail
  ///     then.
  ///   - audience: The listeners to notify.
  ///   - control: Follows and cancels the copying between file systems.
  /// - Returns: The item at its new path.
  /// - Throws: `outsideTree` if there is no such item; or the errors of
  ///   ``moveItem(at:to:overwriting:naming:notifying:control:)``.
  @discardableResult
  public func moveItem(
    with uuid: UUID, to destination: FilePath, overwriting: Bool = false, naming: ItemNaming? = nil,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing(onItemWith: uuid, control) { (item, control) throws(FileSystemObserverError) in
      try self.move(
        item.path, to: destination, expecting: item.expected, overwrites: overwriting, naming: naming,
        notifying: audience, control)
    }
  }

  /// Copies a file, or a folder with everything below it, from wherever it is now.
  ///
  /// - Parameters:
  ///   - uuid: The UUID of an item of the tree.
  ///   - destination: The path of the copy.
  ///   - naming: What the copy is called if there is an item at the path; `nil` to fail then.
  ///   - audience: The listeners to notify.
  ///   - control: Follows and cancels the copying.
  /// - Returns: The copy, with what it lacks.
  /// - Throws: `outsideTree` if there is no such item; or the errors of ``duplicateItem(at:to:naming:notifying:control:)``.
  @discardableResult
  public func duplicateItem(
    with uuid: UUID, to destination: FilePath, naming: ItemNaming? = nil, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing(onItemWith: uuid, control) { (item, control) throws(FileSystemObserverError) in
      try self.duplicate(
        item.path, to: destination, naming: naming, expecting: item.expected, notifying: audience, control)
    }
  }

  /// Copies a file, or a folder with everything below it, beside itself, wherever it is now: the command “Duplicate”.
  ///
  /// - Parameters:
  ///   - uuid: The UUID of an item of the tree.
  ///   - naming: What the copy is called.
  ///   - audience: The listeners to notify.
  ///   - control: Follows and cancels the copying.
  /// - Returns: The copy, with what it lacks.
  /// - Throws: `outsideTree` if there is no such item; or the errors of
  ///   ``duplicateItem(at:to:naming:notifying:control:)``.
  @discardableResult
  public func duplicateItem(
    with uuid: UUID, naming: ItemNaming = .copy, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing(onItemWith: uuid, control) { (item, control) throws(FileSystemObserverError) in
      try self.duplicate(item.path, to: nil, naming: naming, expecting: item.expected, notifying: audience, control)
    }
  }

  /// Removes an item for good, wherever it is now.
  ///
  /// - Parameters:
  ///   - uuid: The UUID of an item of the tree.
  ///   - audience: The listeners to notify.
  /// - Returns: The item as it was.
  /// - Throws: `outsideTree` if there is no such item; or the errors of ``removeItem(at:notifying:)``.
  @discardableResult
  public func removeItem(
    with uuid: UUID, notifying audience: Audience = .everyone
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing(onItemWith: uuid) { (item, _) throws(FileSystemObserverError) in
      try self.remove(item.path, expecting: item.expected, notifying: audience)
    }
  }

  /// Moves an item to the trash, wherever it is now.
  ///
  /// - Parameters:
  ///   - uuid: The UUID of an item of the tree.
  ///   - allowingHomeTrash: Whether an item whose file system can have no trash is moved to that of the home folder.
  ///   - audience: The listeners to notify.
  ///   - control: Follows and cancels the copying to the trash of the home folder.
  /// - Returns: The item as it was, and ``Operation/trashedItem`` for restoring it.
  /// - Throws: `outsideTree` if there is no such item; or the errors of
  ///   ``trashItem(at:allowingHomeTrash:notifying:control:)``.
  @discardableResult
  public func trashItem(
    with uuid: UUID, allowingHomeTrash: Bool = false, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing(onItemWith: uuid, control) { (item, control) throws(FileSystemObserverError) in
      try self.trash(
        item.path, expecting: item.expected, allowsHomeTrash: allowingHomeTrash, notifying: audience, control)
    }
  }
}
