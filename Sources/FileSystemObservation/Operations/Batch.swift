internal import LinuxFileSystem
public import SystemPackage

// Operations on several items. They have in common: each item is one operation, in order. When one fails, the items after
// it are left, or done if the batch is to continue; a cancellation ends the batch in any case.

extension FileSystemObserver {
  /// Moves several items into a folder, under their names; see ``moveItem(at:to:overwriting:naming:notifying:control:)``.
  ///
  /// - Parameters:
  ///   - paths: The paths of the items.
  ///   - directory: The path of the folder.
  ///   - overwriting: Whether items of the same names are replaced.
  ///   - naming: What an item is called if there is another of its name that is not replaced; `nil` to fail then.
  ///   - continuing: Whether the items after one that failed are still done.
  ///   - audience: The listeners to notify.
  ///   - control: Its progress counts the items of `paths`; the bytes are those of the item at hand. If it cancels, the
  ///     item at hand is the first that remains.
  public func moveItems(
    at paths: [FilePath], into directory: FilePath, overwriting: Bool = false, naming: ItemNaming? = nil,
    continuing: Bool = false, notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) -> Batch {
    perform(on: paths, at: \.self, continuing, control) { (path, control) throws(FileSystemObserverError) in
      try moveItem(
        at: path, to: directory.appending(lastOf: path), overwriting: overwriting, naming: naming, notifying: audience,
        control: control)
    }
  }

  /// Copies several items into a folder, under their names; see ``duplicateItem(at:to:naming:notifying:control:)``.
  ///
  /// - Parameters:
  ///   - paths: The paths of the items.
  ///   - directory: The path of the folder.
  ///   - naming: What an item is called if its name is taken there; `nil` to fail then.
  ///   - continuing: Whether the items after one that failed are still done.
  ///   - audience: The listeners to notify.
  ///   - control: Its progress counts the items of `paths`; the bytes are those of the item at hand.
  public func duplicateItems(
    at paths: [FilePath], into directory: FilePath, naming: ItemNaming? = nil, continuing: Bool = false,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) -> Batch {
    perform(on: paths, at: \.self, continuing, control) { (path, control) throws(FileSystemObserverError) in
      try duplicateItem(
        at: path, to: directory.appending(lastOf: path), naming: naming, notifying: audience, control: control)
    }
  }

  /// Copies several items, each beside itself; see ``duplicateItem(at:naming:notifying:control:)``.
  ///
  /// - Parameters:
  ///   - paths: The paths of the items.
  ///   - naming: What the copies are called.
  ///   - continuing: Whether the items after one that failed are still done.
  ///   - audience: The listeners to notify.
  ///   - control: Its progress counts the items of `paths`; the bytes are those of the item at hand.
  public func duplicateItems(
    at paths: [FilePath], naming: ItemNaming = .copy, continuing: Bool = false,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) -> Batch {
    perform(on: paths, at: \.self, continuing, control) { (path, control) throws(FileSystemObserverError) in
      try duplicateItem(at: path, naming: naming, notifying: audience, control: control)
    }
  }

  /// Removes several items for good; see ``removeItem(at:notifying:)``.
  ///
  /// - Parameters:
  ///   - paths: The paths of the items.
  ///   - continuing: Whether the items after one that failed are still done.
  ///   - audience: The listeners to notify.
  ///   - control: Follows and cancels the batch between two items.
  public func removeItems(
    at paths: [FilePath], continuing: Bool = false, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) -> Batch {
    perform(on: paths, at: \.self, continuing, control) { (path, _) throws(FileSystemObserverError) in
      try removeItem(at: path, notifying: audience)
    }
  }

  /// Moves several items to the trash; see ``trashItem(at:allowingHomeTrash:notifying:control:)``.
  ///
  /// - Parameters:
  ///   - paths: The paths of the items.
  ///   - allowingHomeTrash: Whether items whose file system can have no trash are moved to that of the home folder.
  ///   - continuing: Whether the items after one that failed are still done.
  ///   - audience: The listeners to notify.
  ///   - control: Its progress counts the items of `paths`; the bytes are those of the item at hand.
  public func trashItems(
    at paths: [FilePath], allowingHomeTrash: Bool = false, continuing: Bool = false,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) -> Batch {
    perform(on: paths, at: \.self, continuing, control) { (path, control) throws(FileSystemObserverError) in
      try trashItem(at: path, allowingHomeTrash: allowingHomeTrash, notifying: audience, control: control)
    }
  }

  /// Moves several items from the trash back; see ``restoreItem(_:to:naming:notifying:control:)``.
  ///
  /// - Parameters:
  ///   - items: The items, each of which gets its original path.
  ///   - naming: What an item is called if its name is taken; `nil` to fail then.
  ///   - continuing: Whether the items after one that failed are still done.
  ///   - audience: The listeners to notify.
  ///   - control: Its progress counts the items of `items`; the bytes are those of the item at hand.
  public func restoreItems(
    _ items: [TrashedItem], naming: ItemNaming? = nil, continuing: Bool = false,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) -> ItemBatch<TrashedItem> {
    perform(on: items, at: \.path, continuing, control) { (item, control) throws(FileSystemObserverError) in
      try restoreItem(item, naming: naming, notifying: audience, control: control)
    }
  }

  /// Performs an operation on each item.
  private func perform<Item: Sendable & Hashable>(
    on items: [Item], at path: (Item) -> FilePath, _ continues: Bool, _ control: OperationControl,
    _ operation: (Item, OperationControl) throws(FileSystemObserverError) -> Operation
  ) -> ItemBatch<Item> {
    var batch = BatchRun(items, continuing: continues, control)
    for item in items where !batch.isEnded {
      do throws(FileSystemObserverError) {
        let control = try batch.begin(path(item).string, at: path(item))
        batch.complete(try operation(item, control))
      } catch {
        batch.fail(error)
      }
    }
    return batch.result
  }
}

extension FilePath {
  /// This folder with the name of another path.
  func appending(lastOf path: FilePath) -> FilePath {
    path.lastComponent.map { appending($0) } ?? self
  }
}
