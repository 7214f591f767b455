import FileIdentity
public import FoundationEssentials
import LinuxFileSystem
internal import SystemPackage

extension FileSystemObserver {
  /// Replaces the contents of a document atomically, wherever it is now.
  ///
  /// For a document that is open in an app: another program may have renamed it, or moved it to another folder, also at
  /// the last moment. No other document is replaced that is at its former path. A copy that its original has taken over
  /// (``FileSystemChanges/replacement(of:)``) is saved as what it is now; the result has the UUID of the original.
  /// Everything else is as with a path.
  ///
  /// ```swift
  /// try await observer.replaceContents(ofItemWith: document, with: text.utf8, ifUnchangedSince: version)
  /// ```
  ///
  /// - Parameters:
  ///   - uuid: The UUID of a regular file of the tree.
  ///   - contents: The new contents.
  ///   - version: The version that the document must have; if `nil`, any. A rename does not change it.
  ///   - audience: The listeners to notify.
  /// - Returns: The document, with the version of its new contents.
  /// - Throws: `outsideTree` if there is no such item: it was deleted, put in the trash, or moved out of the tree; or the
  ///   errors of the call with a path. After an error nothing has changed.
  @discardableResult
  public func replaceContents(
    ofItemWith uuid: UUID, with contents: some Collection<UInt8> & Sendable,
    ifUnchangedSince version: ContentVersion? = nil, notifying audience: Audience = .everyone
  ) async throws(FileSystemObserverError) -> Operation {
    try await performing(
      onItemWith: uuid,
      isOfAnother: { failure, path in
        guard failure.code == .contentsChanged, let version else { return false }
        return (try? self.version(ofItemAt: path)) == version
      },
      { (item, _) throws(FileSystemObserverError) in
        try self.operate(on: .replacing(item.path), expecting: item.expected, notifying: audience) {
          (operations) throws(FileSystemObserverError) in
          try operations.replaceContents(
            of: item.path, with: contents, ifUnchangedSince: version, uuid: UUIDBits(item.uuid))
        }
      })
  }
}
