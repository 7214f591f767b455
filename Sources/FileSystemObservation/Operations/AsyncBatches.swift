import LinuxFileSystem
public import SystemPackage

// The operations on several items without blocking the calling thread: each runs on a thread of its own, and does the
// same as the synchronous call. When the task is cancelled, the item at hand is the first that remains.

extension FileSystemObserver {
  /// Moves several items into a folder without blocking the calling thread; see the synchronous call.
  public func moveItems(
    at paths: [FilePath], into directory: FilePath, overwriting: Bool = false, naming: ItemNaming? = nil,
    continuing: Bool = false, notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) async -> Batch {
    await batch(control) {
      self.moveItems(
        at: paths, into: directory, overwriting: overwriting, naming: naming, continuing: continuing,
        notifying: audience, control: $0)
    }
  }

  /// Copies several items into a folder without blocking the calling thread; see the synchronous call.
  public func duplicateItems(
    at paths: [FilePath], into directory: FilePath, naming: ItemNaming? = nil, continuing: Bool = false,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) async -> Batch {
    await batch(control) {
      self.duplicateItems(
        at: paths, into: directory, naming: naming, continuing: continuing, notifying: audience, control: $0)
    }
  }

  /// Copies several items, each beside itself, without blocking the calling thread; see the synchronous call.
  public func duplicateItems(
    at paths: [FilePath], naming: ItemNaming = .copy, continuing: Bool = false,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) async -> Batch {
    await batch(control) {
      self.duplicateItems(at: paths, naming: naming, continuing: continuing, notifying: audience, control: $0)
    }
  }

  /// Removes several items for good without blocking the calling thread; see the synchronous call.
  public func removeItems(
    at paths: [FilePath], continuing: Bool = false, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) async -> Batch {
    await batch(control) {
      self.removeItems(at: paths, continuing: continuing, notifying: audience, control: $0)
    }
  }

  /// Moves several items to the trash without blocking the calling thread; see the synchronous call.
  public func trashItems(
    at paths: [FilePath], allowingHomeTrash: Bool = false, continuing: Bool = false,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) async -> Batch {
    await batch(control) {
      self.trashItems(
        at: paths, allowingHomeTrash: allowingHomeTrash, continuing: continuing, notifying: audience, control: $0)
    }
  }

  /// Moves several items from the trash back without blocking the calling thread; see the synchronous call.
  public func restoreItems(
    _ items: [TrashedItem], naming: ItemNaming? = nil, continuing: Bool = false,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) async -> ItemBatch<TrashedItem> {
    await batch(control) {
      self.restoreItems(items, naming: naming, continuing: continuing, notifying: audience, control: $0)
    }
  }

  private func batch<Item>(
    _ control: OperationControl, _ body: @escaping @Sendable (OperationControl) -> ItemBatch<Item>
  ) async -> ItemBatch<Item> {
    await performing(control) { (control) throws(Never) in body(control) }
  }
}
