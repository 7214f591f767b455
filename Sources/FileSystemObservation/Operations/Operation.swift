internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

extension FileSystemObserver {
  /// The result of an operation.
  public struct Operation: Sendable, Hashable {
    /// The item after the operation; after a removal, as it was before.
    public let item: FileSystemItem.Snapshot
    /// The version of the contents, for a later
    /// ``FileSystemObserver/replaceContents(of:with:ifUnchangedSince:notifying:)``; `nil` for anything but a file.
    public let version: ContentVersion?
    /// The cursor after the set that announced the operation; `nil` if the observer does not run.
    public let cursor: Cursor?
    /// Properties that could not be carried over to a copy or a new version, for instance an owner who is another user.
    public let notCarried: [CarryFailure]
    /// Items that were not copied with a folder: FIFOs, sockets, devices, and what is mounted there.
    ///
    /// The paths begin at the folder.
    public let leftOut: [FilePath]
    /// A hidden item with what should be removed and could not be.
    ///
    /// The operation itself is complete.
    public let leftOver: FilePath?
    /// The item in the trash, after ``FileSystemObserver/trashItem(at:allowingHomeTrash:notifying:control:)``.
    public let trashedItem: TrashedItem?
    /// The path that a moved, renamed or restored item had just before, for undo; `nil` after any other operation.
    ///
    /// Another program may have moved the item since the app last looked: an operation by UUID finds it all the same.
    public let previousPath: FilePath?
    /// The UUID of the item that a copy was made of; `nil` after any other operation.
    public let original: UUID?

    /// Makes a result, for apps that mock the observer.
    public init(
      item: FileSystemItem.Snapshot, version: ContentVersion? = nil, cursor: Cursor? = nil,
      notCarried: [CarryFailure] = [], leftOut: [FilePath] = [], leftOver: FilePath? = nil,
      trashedItem: TrashedItem? = nil, previousPath: FilePath? = nil, original: UUID? = nil
    ) {
      self.item = item
      self.version = version
      self.cursor = cursor
      self.notCarried = notCarried
      self.leftOut = leftOut
      self.leftOver = leftOver
      self.trashedItem = trashedItem
      self.previousPath = previousPath
      self.original = original
    }
  }
}

extension FileSystemObserver.Operation: Identifiable {
  /// The identity of the item.
  public var id: FileSystemItem.Snapshot.ID { item.id }

  /// The item's UUID.
  public var uuid: UUID { item.uuid }

  /// The item's path.
  public var path: FilePath { item.path }
}

extension FileSystemItem.Snapshot {
  /// Makes the item of an operation that no observer has.
  init(_ made: OperationOutcome.Item, at path: FilePath) {
    let status = made.status
    let isDirectory = status.kind == .directory
    self.init(
      uuid: UUID(made.uuid ?? .minted(for: FileKey(status), on: status.device)), kind: FileSystemItem.Kind(status.kind),
      relativePath: FilePath(path.lastComponent?.string ?? ""), directory: path.removingLastComponent(),
      size: isDirectory ? 0 : status.size, modificationNanoseconds: status.modified,
      creationNanoseconds: status.born == 0 ? nil : status.born, identity: made.isTagged ? .tag : .inode)
  }
}
