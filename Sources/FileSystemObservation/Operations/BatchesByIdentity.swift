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
  ///   - audience: The listeners to notify.
  ///   - control: Its progress counts the items of `uuids`; the bytes are those of the item at hand. If it cancels, the
  ///     item at hand is the first that remains.
  public func moveItems(
    with uuids: [UUID], into directory: FilePath, overwriting: Bool = false, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) async -> ItemBatch<UUID> {
    await perform(onItemsWith: uuids, control) { (item, control) throws(FileSystemObserverError) in
      try self.move(
        item.path, to: directory.appending(lastOf: item.path), expecting: item.expected, overwrites: overwriting,
        notifying: audience, control)
    }
  }

  /// Copies several items into a folder, under their names, from wherever they are now.
  ///
  /// - Parameters:
  ///   - uuids: The UUIDs of the items.
  ///   - directory: The path of the folder.
  ///   - audience: The listeners to notify.
  ///   - control: Its progress counts the items of `uuids`; the bytes are those of the item at hand.
  public func duplicateItems(
    with uuids: [UUID], into directory: FilePath, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) async -> ItemBatch<UUID> {
    await perform(onItemsWith: uuids, control) { (item, control) throws(FileSystemObserverError) in
      try self.duplicate(
        item.path, to: directory.appending(lastOf: item.path), expecting: item.expected, notifying: audience, control)
    }
  }

  /// Removes several items for good, wherever they are now.
  ///
  /// - Parameters:
  ///   - uuids: The UUIDs of the items.
  ///   - audience: The listeners to notify.
  ///   - control: Follows and cancels the batch between two items.
  public func removeItems(
    with uuids: [UUID], notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) async -> ItemBatch<UUID> {
    await perform(onItemsWith: uuids, control) { (item, _) throws(FileSystemObserverError) in
      try self.remove(item.path, expecting: item.expected, notifying: audience)
    }
  }

  /// Moves several items to the trash, wherever they are now.
  ///
  /// - Parameters:
  ///   - uuids: The UUIDs of the items.
  ///   - allowingHomeTrash: Whether items whose file system can have no trash are moved to that of the home folder.
  ///   - audience: The listeners to notify.
  ///   - control: Its progress counts the items of `uuids`; the bytes are those of the item at hand.
  public func trashItems(
    with uuids: [UUID], allowingHomeTrash: Bool = false, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) async -> ItemBatch<UUID> {
    await perform(onItemsWith: uuids, control) { (item, control) throws(FileSystemObserverError) in
      try self.trash(
        item.path, expecting: item.expected, allowsHomeTrash: allowingHomeTrash, notifying: audience, control)
    }
  }

  /// Performs an operation on each item until one fails or the caller cancels.
  private func perform(
    onItemsWith uuids: [UUID], _ control: OperationControl,
    _ operation: @escaping @Sendable (FoundItem, OperationControl) throws(FileSystemObserverError) -> Operation
  ) async -> ItemBatch<UUID> {
    let control = OperationControl(progress: control.progress) { Task.isCancelled || control.isCancelled() }
    var completed: [Operation] = []
    for (index, uuid) in uuids.enumerated() {
      do throws(FileSystemObserverError) {
        try control.checkCancellation(before: "the item with the UUID \(uuid.uuidString)")
        let part = control.part(index, of: uuids.count)
        completed.append(try await performing(onItemWith: uuid, part, operation))
        control.report(completed.count, of: uuids.count)
      } catch {
        return ItemBatch(completed: completed, remaining: Array(uuids[index...]), failure: error)
      }
    }
    return ItemBatch(completed: completed)
  }
}
