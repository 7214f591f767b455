public import FoundationEssentials
internal import SystemPackage

// The operations with file URLs without blocking the calling thread. Each throws `invalidArgument` for a URL that is not
// a file URL, and otherwise does the same as the call with paths.

extension FileSystemObserver {
  /// Moves an item without blocking the calling thread; see the call with paths.
  @discardableResult
  public func moveItem(
    at source: URL, to destination: URL, overwriting: Bool = false, naming: ItemNaming? = nil,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) async throws(FileSystemObserverError) -> Operation {
    try await moveItem(
      at: try FilePath(argument: source), to: try FilePath(argument: destination), overwriting: overwriting,
      naming: naming, notifying: audience, control: control)
  }

  /// Gives an item another name in its folder without blocking the calling thread; see the call with a path.
  @discardableResult
  public func renameItem(
    at url: URL, to name: String, notifying audience: Audience = .everyone
  ) async throws(FileSystemObserverError) -> Operation {
    try await renameItem(at: try FilePath(argument: url), to: name, notifying: audience)
  }

  /// Removes an item for good without blocking the calling thread; see the call with a path.
  @discardableResult
  public func removeItem(
    at url: URL, notifying audience: Audience = .everyone
  ) async throws(FileSystemObserverError) -> Operation {
    try await removeItem(at: try FilePath(argument: url), notifying: audience)
  }

  /// Moves an item to the trash without blocking the calling thread; see the call with a path.
  @discardableResult
  public func trashItem(
    at url: URL, allowingHomeTrash: Bool = false, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) async throws(FileSystemObserverError) -> Operation {
    try await trashItem(
      at: try FilePath(argument: url), allowingHomeTrash: allowingHomeTrash, notifying: audience, control: control)
  }

  /// Creates a file without blocking the calling thread; see the call with a path.
  @discardableResult
  public func createFile(
    at url: URL, contents: some Collection<UInt8> & Sendable = EmptyCollection<UInt8>(), naming: ItemNaming? = nil,
    notifying audience: Audience = .everyone
  ) async throws(FileSystemObserverError) -> Operation {
    try await createFile(at: try FilePath(argument: url), contents: contents, naming: naming, notifying: audience)
  }

  /// Creates a folder without blocking the calling thread; see the call with a path.
  @discardableResult
  public func createDirectory(
    at url: URL, withIntermediateDirectories createsIntermediates: Bool = false, naming: ItemNaming? = nil,
    notifying audience: Audience = .everyone
  ) async throws(FileSystemObserverError) -> Operation {
    try await createDirectory(
      at: try FilePath(argument: url), withIntermediateDirectories: createsIntermediates, naming: naming,
      notifying: audience)
  }

  /// Copies a file or folder without blocking the calling thread; see the call with paths.
  @discardableResult
  public func duplicateItem(
    at source: URL, to destination: URL, naming: ItemNaming? = nil, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) async throws(FileSystemObserverError) -> Operation {
    try await duplicateItem(
      at: try FilePath(argument: source), to: try FilePath(argument: destination), naming: naming,
      notifying: audience, control: control)
  }

  /// Copies a file or folder beside itself without blocking the calling thread; see the call with a path.
  @discardableResult
  public func duplicateItem(
    at source: URL, naming: ItemNaming = .copy, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) async throws(FileSystemObserverError) -> Operation {
    try await duplicateItem(
      at: try FilePath(argument: source), naming: naming, notifying: audience, control: control)
  }

  /// Replaces the contents of a document without blocking the calling thread; see the call with a path.
  @discardableResult
  public func replaceContents(
    of url: URL, with contents: some Collection<UInt8> & Sendable, ifUnchangedSince version: ContentVersion? = nil,
    notifying audience: Audience = .everyone
  ) async throws(FileSystemObserverError) -> Operation {
    try await replaceContents(
      of: try FilePath(argument: url), with: contents, ifUnchangedSince: version, notifying: audience)
  }
}
