import LinuxFileSystem
public import SystemPackage

// The operations without blocking the calling thread: each runs on a thread of its own, and does the same as the
// synchronous call. Cancelling the task ends a copy.

extension FileSystemObserver {
  /// Moves an item without blocking the calling thread; see the synchronous call.
  @discardableResult
  public func moveItem(
    at source: FilePath, to destination: FilePath, overwriting: Bool = false, naming: ItemNaming? = nil,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing(control) { (control) throws(FileSystemObserverError) in
      try self.moveItem(
        at: source, to: destination, overwriting: overwriting, naming: naming, notifying: audience, control: control)
    }
  }

  /// Gives an item another name without blocking the calling thread; see the synchronous call.
  @discardableResult
  public func renameItem(
    at path: FilePath, to name: String, notifying audience: Audience = .everyone
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing { (_) throws(FileSystemObserverError) in
      try self.renameItem(at: path, to: name, notifying: audience)
    }
  }

  /// Removes an item without blocking the calling thread; see the synchronous call.
  @discardableResult
  public func removeItem(
    at path: FilePath, notifying audience: Audience = .everyone
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing { (_) throws(FileSystemObserverError) in try self.removeItem(at: path, notifying: audience) }
  }

  /// Moves an item to the trash without blocking the calling thread; see the synchronous call.
  @discardableResult
  public func trashItem(
    at path: FilePath, allowingHomeTrash: Bool = false, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing(control) { (control) throws(FileSystemObserverError) in
      try self.trashItem(
        at: path, allowingHomeTrash: allowingHomeTrash, notifying: audience, control: control)
    }
  }

  /// Moves an item from the trash back without blocking the calling thread; see the synchronous call.
  @discardableResult
  public func restoreItem(
    _ item: TrashedItem, to destination: FilePath? = nil, naming: ItemNaming? = nil,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing(control) { (control) throws(FileSystemObserverError) in
      try self.restoreItem(item, to: destination, naming: naming, notifying: audience, control: control)
    }
  }

  /// The items in the user's trash, without blocking the calling thread; see the synchronous call.
  public func trashedItems() async -> (items: [TrashedItem], problems: [FileSystemObserverError]) {
    await performing { (_) throws(Never) in self.trashedItems() }
  }

  /// Creates a file without blocking the calling thread; see the synchronous call.
  @discardableResult
  public func createFile(
    at path: FilePath, contents: some Collection<UInt8> & Sendable = EmptyCollection<UInt8>(),
    naming: ItemNaming? = nil, notifying audience: Audience = .everyone
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing { (_) throws(FileSystemObserverError) in
      try self.createFile(at: path, contents: contents, naming: naming, notifying: audience)
    }
  }

  /// Creates a folder without blocking the calling thread; see the synchronous call.
  @discardableResult
  public func createDirectory(
    at path: FilePath, withIntermediateDirectories createsIntermediates: Bool = false, naming: ItemNaming? = nil,
    notifying audience: Audience = .everyone
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing { (_) throws(FileSystemObserverError) in
      try self.createDirectory(
        at: path, withIntermediateDirectories: createsIntermediates, naming: naming, notifying: audience)
    }
  }

  /// Copies a file or folder without blocking the calling thread; see the synchronous call.
  @discardableResult
  public func duplicateItem(
    at source: FilePath, to destination: FilePath, naming: ItemNaming? = nil, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing(control) { (control) throws(FileSystemObserverError) in
      try self.duplicateItem(at: source, to: destination, naming: naming, notifying: audience, control: control)
    }
  }

  /// Copies a file or folder beside itself without blocking the calling thread; see the synchronous call.
  @discardableResult
  public func duplicateItem(
    at source: FilePath, naming: ItemNaming = .copy, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing(control) { (control) throws(FileSystemObserverError) in
      try self.duplicateItem(at: source, naming: naming, notifying: audience, control: control)
    }
  }

  /// Replaces the contents of a document without blocking the calling thread; see the synchronous call.
  @discardableResult
  public func replaceContents(
    of path: FilePath, with contents: some Collection<UInt8> & Sendable,
    ifUnchangedSince version: ContentVersion? = nil, notifying audience: Audience = .everyone
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing { (_) throws(FileSystemObserverError) in
      try self.replaceContents(of: path, with: contents, ifUnchangedSince: version, notifying: audience)
    }
  }

  /// Performs operations on a thread of its own; they end when the task is cancelled.
  func performing<Outcome: Sendable, Failure: Error>(
    _ control: OperationControl = OperationControl(),
    _ body: @escaping @Sendable (OperationControl) throws(Failure) -> Outcome
  ) async throws(Failure) -> Outcome {
    let isCancelled = Mutex(false)
    let control = OperationControl(progress: control.progress) {
      isCancelled.withLock { $0 } || control.isCancelled()
    }
    let result = await withTaskCancellationHandler {
      await offThread { () throws(Never) in
        Result { () throws(Failure) in try body(control) }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
    return try result.get()
  }
}
