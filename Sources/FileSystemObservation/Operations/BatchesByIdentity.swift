public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

// Operations on several items by their UUIDs, as for the selected rows of a table; see
// `FileSystemObserver+MoveByIdentity.swift` for what they have in common. When the task is cancelled, the item at hand
// is the first that remains.

extension FileSystemObserver {
  /// Moves several items into a folder, under their names, from wherever they are now.
  ///
  /// - Parameters:
  ///   - uuids: The UUIDs of the items.
  ///   - directory: The path of the folder.
  ///   - overwriting: Whether items of the same names are replaced.
  ///   - naming: What an item is called if there is another of its name that is not replaced; `nil` to fail then.
  ///   - continuing: Whether the items after one that failed are still done.
  ///   - audience: The listeners to notify.
  ///   - control: Its progress counts the items of `uuids`; the bytes are those of the item at hand. If it cancels, the
  ///     item at hand is the first that remains.
  public func moveItems(
    with uuids: [UUID], into directory: FilePath, overwriting: Bool = false, naming: ItemNaming? = nil,
    continuing: Bool = false, notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) async -> ItemBatch<UUID> {
    await perform(onItemsWith: uuids, continuing, control) { (item, control) throws(FileSystemObserverError) in
      try self.move(
        item.path, to: directory.appending(lastOf: item.path), expecting: item.expected, overwrites: overwriting,
        naming: naming, notifying: audience, control)
    }
  }

  /// Copies several items into a folder, under their names, from wherever they are now.
  ///
  /// - Parameters:
  ///   - uuids: The UUIDs of the items.
  ///   - directory: The path of the folder.
  ///   - naming: What an item is called if its name is taken there; `nil` to fail then.
  ///   - continuing: Whether the items after one that failed are still done.
  ///   - audience: The listeners to notify.
  ///   - control: Its progress counts the items of `uuids`; the bytes are those of the item at hand.
  public func duplicateItems(
    with uuids: [UUID], into directory: FilePath, naming: ItemNaming? = nil, continuing: Bool = false,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) async -> ItemBatch<UUID> {
    await perform(onItemsWith: uuids, continuing, control) { (item, control) throws(FileSystemObserverError) in
      try self.duplicate(
        item.path, to: directory.appending(lastOf: item.path), naming: naming, expecting: item.expected,
        notifying: audience, control)
    }
  }

  /// Copies several items, each beside itself, wherever they are now.
  ///
  /// - Parameters:
  ///   - uuids: The UUIDs of the items.
  ///   - naming: What the copies are called.
  ///   - continuing: Whether the items after one that failed are still done.
  ///   - audience: The listeners to notify.
  ///   - control: Its progress counts the items of `uuids`; the bytes are those of the item at hand.
  public func duplicateItems(
    with uuids: [UUID], naming: ItemNaming = .copy, continuing: Bool = false,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) async -> ItemBatch<UUID> {
    await perform(onItemsWith: uuids, continuing, control) { (item, control) throws(FileSystemObserverError) in
      try self.duplicate(item.path, to: nil, naming: naming, expecting: item.expected, notifying: audience, control)
    }
  }

  /// Removes several items for good, wherever they are now.
  ///
  /// - Parameters:
  ///   - uuids: The UUIDs of the items.
  ///   - continuing: Whether the items after one that failed are still done.
  ///   - audience: The listeners to notify.
  ///   - control: Follows and cancels the batch between two items.
  public func removeItems(
    with uuids: [UUID], continuing: Bool = false, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) async -> ItemBatch<UUID> {
    await perform(onItemsWith: uuids, continuing, control) { (item, _) throws(FileSystemObserverError) in
      try self.remove(item.path, expecting: item.expected, notifying: audience)
    }
  }

  /// Moves several items to the trash, wherever they are now.
  ///
  /// - Parameters:
  ///   - uuids: The UUIDs of the items.
  ///   - allowingHomeTrash: Whether items whose file system can have no trash are moved to that of the home folder.
  ///   - continuing: Whether the items after one that failed are still done.
  ///   - audience: The listeners to notify.
  ///   - control: Its progress counts the items of `uuids`; the bytes are those of the item at hand.
  public func trashItems(
    with uuids: [UUID], allowingHomeTrash: Bool = false, continuing: Bool = false,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) async -> ItemBatch<UUID> {
    await perform(onItemsWith: uuids, continuing, control) { (item, control) throws(FileSystemObserverError) in
      try self.trash(
        item.path, expecting: item.expected, allowsHomeTrash: allowingHomeTrash, notifying: audience, control)
    }
  }

  /// Performs an operation on each item.
  private func perform(
    onItemsWith uuids: [UUID], _ continues: Bool, _ control: OperationControl,
    _ operation: @escaping @Sendable (FoundItem, OperationControl) throws(FileSystemObserverError) -> Operation
  ) async -> ItemBatch<UUID> {
    let control = OperationControl(progress: control.progress) { Task.isCancelled || control.isCancelled() }
    var batch = BatchRun(uuids, continuing: continues, control)
    for uuid in uuids where !batch.isEnded {
      do throws(FileSystemObserverError) {
        let control = try batch.begin("the item with the UUID \(uuid.uuidString)")
        batch.complete(try await performing(onItemWith: uuid, control, operation))
      } catch {
        batch.fail(error)
      }
    }
    return batch.result
  }
}
