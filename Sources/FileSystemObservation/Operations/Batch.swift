public import SystemPackage

extension FileSystemObserver {
  /// The result of an operation on several items that are named by their paths.
  public typealias Batch = ItemBatch<FilePath>

  /// The result of an operation on several items, one after the other.
  ///
  /// `Item` is by what the items are named: their paths, or their UUIDs. If one item fails, the items after it are left
  /// as they are. To go on, mend the reason and pass ``remaining`` to the same call; to leave out the item that failed,
  /// drop the first of them.
  public struct ItemBatch<Item: Sendable & Hashable>: Sendable, Hashable {
    /// The completed operations, in order.
    public let completed: [Operation]
    /// The items that nothing was done to; the first is the one that failed.
    public let remaining: [Item]
    /// Why the first of the remaining items failed; `nil` if all are complete.
    public let failure: FileSystemObserverError?

    /// Makes a result, for apps that mock the observer.
    public init(completed: [Operation], remaining: [Item] = [], failure: FileSystemObserverError? = nil) {
      self.completed = completed
      self.remaining = remaining
      self.failure = failure
    }
  }

  /// Moves several items into a folder, under their names; see ``moveItem(at:to:overwriting:notifying:control:)``.
  ///
  /// - Parameters:
  ///   - paths: The paths of the items.
  ///   - directory: The path of the folder.
  ///   - overwriting: Whether items of the same names are replaced.
  ///   - audience: The listeners to notify.
  ///   - control: Its progress counts the items of `paths`; the bytes are those of the item at hand. If it cancels, the
  ///     item at hand is the first that remains.
  public func moveItems(
    at paths: [FilePath], into directory: FilePath, overwriting: Bool = false,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) -> Batch {
    perform(on: paths, at: \.self, control) { (path, control) throws(FileSystemObserverError) in
      try moveItem(
        at: path, to: directory.appending(lastOf: path), overwriting: overwriting, notifying: audience,
        control: control)
    }
  }

  /// Copies several items into a folder, under their names; see ``duplicateItem(at:to:notifying:control:)``.
  ///
  /// - Parameters:
  ///   - paths: The paths of the items.
  ///   - directory: The path of the folder.
  ///   - audience: The listeners to notify.
  ///   - control: Its progress counts the items of `paths`; the bytes are those of the item at hand.
  public func duplicateItems(
    at paths: [FilePath], into directory: FilePath, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) -> Batch {
    perform(on: paths, at: \.self, control) { (path, control) throws(FileSystemObserverError) in
      try duplicateItem(at: path, to: directory.appending(lastOf: path), notifying: audience, control: control)
    }
  }

  /// Removes several items for good; see ``removeItem(at:notifying:)``.
  ///
  /// - Parameters:
  ///   - paths: The paths of the items.
  ///   - audience: The listeners to notify.
  ///   - control: Follows and cancels the batch between two items.
  public func removeItems(
    at paths: [FilePath], notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) -> Batch {
    perform(on: paths, at: \.self, control) { (path, _) throws(FileSystemObserverError) in
      try removeItem(at: path, notifying: audience)
    }
  }

  /// Moves several items to the trash; see ``trashItem(at:allowingHomeTrash:notifying:control:)``.
  ///
  /// - Parameters:
  ///   - paths: The paths of the items.
  ///   - allowingHomeTrash: Whether items whose file system can have no trash are moved to that of the home folder.
  ///   - audience: The listeners to notify.
  ///   - control: Its progress counts the items of `paths`; the bytes are those of the item at hand.
  public func trashItems(
    at paths: [FilePath], allowingHomeTrash: Bool = false, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) -> Batch {
    perform(on: paths, at: \.self, control) { (path, control) throws(FileSystemObserverError) in
      try trashItem(at: path, allowingHomeTrash: allowingHomeTrash, notifying: audience, control: control)
    }
  }

  /// Moves several items from the trash back; see ``restoreItem(_:to:notifying:control:)``.
  ///
  /// - Parameters:
  ///   - items: The items, each of which gets its original path. What remains is named by the paths in the trash.
  ///   - audience: The listeners to notify.
  ///   - control: Its progress counts the items of `items`; the bytes are those of the item at hand.
  public func restoreItems(
    _ items: [TrashedItem], notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) -> Batch {
    perform(on: items, at: \.path, control) { (item, control) throws(FileSystemObserverError) in
      try restoreItem(item, notifying: audience, control: control)
    }
  }

  /// Performs an operation on each item until one fails or the caller cancels.
  private func perform<Item>(
    on items: [Item], at path: (Item) -> FilePath, _ control: OperationControl,
    _ operation: (Item, OperationControl) throws(FileSystemObserverError) -> Operation
  ) -> Batch {
    var completed: [Operation] = []
    for (index, item) in items.enumerated() {
      do throws(FileSystemObserverError) {
        try control.checkCancellation(before: path(item).string, at: path(item))
        completed.append(try operation(item, control.part(index, of: items.count)))
        control.report(completed.count, of: items.count)
      } catch {
        return Batch(completed: completed, remaining: items[index...].map(path), failure: error)
      }
    }
    return Batch(completed: completed)
  }
}

extension FilePath {
  /// This folder with the name of another path.
  func appending(lastOf path: FilePath) -> FilePath {
    path.lastComponent.map { appending($0) } ?? self
  }
}
