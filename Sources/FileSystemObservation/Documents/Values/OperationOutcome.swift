package import FileIdentity
package import LinuxFileSystem
package import SystemPackage

/// What an operation has made, so that it can be announced without another look at the disk.
package struct OperationOutcome: Sendable {
  /// One item, and its identity.
  package struct Item: Sendable, Equatable {
    /// The path from the item that was operated on; empty for that item itself.
    package var path = FilePath()
    /// The status when the operation took effect.
    package var status: FileStatus
    /// The UUID; nothing if the item has no tag and its identity is known only to an observer.
    package var uuid: UUIDBits?
    /// Whether the UUID is in the item's tag.
    package var isTagged: Bool
    /// The UUID of the item that it is a copy of.
    package var original: UUIDBits?
  }

  /// The item that was operated on; after a removal, as it was.
  package var item: Item
  /// The items below it that the operation has made.
  package var descendants: [Item] = []
  /// The item that was replaced at the destination.
  package var replaced: Item?
  /// Properties that could not be carried over.
  package var notCarried: [FileSystemObserver.CarryFailure] = []
  /// Items that were not copied, because they are FIFOs, sockets or devices or because something is mounted there;
  /// paths from the folder that was copied.
  package var leftOut: [FilePath] = []
  /// A hidden item that could not be removed after the operation had taken effect.
  package var leftOver: FilePath?

  /// The item in the trash, after it was trashed.
  package var trashedItem: FileSystemObserver.TrashedItem?
  /// The folders that were made above a restored item, the topmost first; their paths are relative to that one.
  package var createdFolders: [Item] = []

  /// The UUID of each copy, and of what it is a copy of.
  package var originals: [UUIDBits: UUIDBits] {
    var originals: [UUIDBits: UUIDBits] = [:]
    for item in [item] + descendants {
      if let uuid = item.uuid, let original = item.original { originals[uuid] = original }
    }
    return originals
  }

  /// Whether the item that the app has asked for is the last of those below the item.
  var isLastRequested = false

  /// The item that the app has asked for.
  var requested: Item { isLastRequested ? descendants.last ?? item : item }

  /// What an observer cannot see of the new item.
  var committed: CommittedItem { CommittedItem(key: FileKey(item.status), originals: originals) }

  /// The version of the document's contents.
  package var version: FileSystemObserver.ContentVersion { FileSystemObserver.ContentVersion(item.status) }
}
