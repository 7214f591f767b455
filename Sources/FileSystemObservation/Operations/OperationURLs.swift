public import FoundationEssentials
internal import SystemPackage

// The operations with file URLs. Each throws `invalidArgument` for a URL that is not a file URL, and otherwise does the
// same as the call with paths.

extension FileSystemObserver {
  /// Moves an item; see the call with paths.
  @discardableResult
  public func moveItem(
    at source: URL, to destination: URL, overwriting: Bool = false, naming: ItemNaming? = nil,
    notifying audience: Audience = .everyone, control: OperationControl = OperationControl()
  ) throws(FileSystemObserverError) -> Operation {
    try moveItem(
      at: try FilePath(argument: source), to: try FilePath(argument: destination), overwriting: overwriting,
      naming: naming, notifying: audience, control: control)
  }

  /// Gives an item another name in its folder; see the call with a path.
  @discardableResult
  public func renameItem(
    at url: URL, to name: String, notifying audience: Audience = .everyone
  ) throws(FileSystemObserverError) -> Operation {
    try renameItem(at: try FilePath(argument: url), to: name, notifying: audience)
  }

  /// Removes an item for good; see the call with a path.
  @discardableResult
  public func removeItem(
    at url: URL, notifying audience: Audience = .everyone
  ) throws(FileSystemObserverError) -> Operation {
    try removeItem(at: try FilePath(argument: url), notifying: audience)
  }

  /// Moves an item to the trash; see the call with a path.
  @discardableResult
  public func trashItem(
    at url: URL, allowingHomeTrash: Bool = false, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) throws(FileSystemObserverError) -> Operation {
    try trashItem(
      at: try FilePath(argument: url), allowingHomeTrash: allowingHomeTrash, notifying: audience, control: control)
  }

  /// Creates a file; see the call with a path.
  @discardableResult
  public func createFile(
    at url: URL, contents: some Collection<UInt8> = EmptyCollection<UInt8>(), naming: ItemNaming? = nil,
    notifying audience: Audience = .everyone
  ) throws(FileSystemObserverError) -> Operation {
    try createFile(at: try FilePath(argument: url), contents: contents, naming: naming, notifying: audience)
  }

  /// Creates a folder; see the call with a path.
  @discardableResult
  public func createDirectory(
    at url: URL, withIntermediateDirectories createsIntermediates: Bool = false, naming: ItemNaming? = nil,
    notifying audience: Audience = .everyone
  ) throws(FileSystemObserverError) -> Operation {
    try createDirectory(
      at: try FilePath(argument: url), withIntermediateDirectories: createsIntermediates, naming: naming,
      notifying: audience)
  }

  /// Copies a file or folder; see the call with paths.
  @discardableResult
  public func duplicateItem(
    at source: URL, to destination: URL, naming: ItemNaming? = nil, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) throws(FileSystemObserverError) -> Operation {
    try duplicateItem(
      at: try FilePath(argument: source), to: try FilePath(argument: destination), naming: naming,
      notifying: audience, control: control)
  }

  /// Copies a file or folder beside itself; see the call with a path.
  @discardableResult
  public func duplicateItem(
    at source: URL, naming: ItemNaming = .copy, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) throws(FileSystemObserverError) -> Operation {
    try duplicateItem(
      at: try FilePath(argument: source), naming: naming, notifying: audience, control: control)
  }

  /// The version of a file's contents; see the call with a path.
  public func version(ofItemAt url: URL) throws(FileSystemObserverError) -> ContentVersion {
    try version(ofItemAt: try FilePath(argument: url))
  }

  /// Replaces the contents of a document atomically; see the call with a path.
  @discardableResult
  public func replaceContents(
    of url: URL, with contents: some Collection<UInt8>, ifUnchangedSince version: ContentVersion? = nil,
    notifying audience: Audience = .everyone
  ) throws(FileSystemObserverError) -> Operation {
    try replaceContents(
      of: try FilePath(argument: url), with: contents, ifUnchangedSince: version, notifying: audience)
  }

  /// Replaces the contents of a document atomically with what a closure writes; see the call with a path.
  @discardableResult
  public func replaceContents(
    of url: URL, ifUnchangedSince version: ContentVersion? = nil, notifying audience: Audience = .everyone,
    writingWith body: (borrowing ContentWriter) throws -> Void
  ) throws -> Operation {
    try replaceContents(
      of: try FilePath(argument: url), ifUnchangedSince: version, notifying: audience, writingWith: body)
  }
}
