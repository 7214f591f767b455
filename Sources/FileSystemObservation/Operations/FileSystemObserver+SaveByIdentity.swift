import FileIdentity
public import FoundationEssentials
import LinuxFileSystem
internal import SystemPackage

extension FileSystemObserver {
  /// Replaces the contents of a document atomically, wherever it is now.
  ///
  /// For a document that is open in an app: another program may have renamed it, or moved it to another folder, also at
  /// the last moment. No other document is replaced that is at its former path. Everything else is as with a path.
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
    var failure = FileSystemObserverError(noItemWith: uuid)
    for _ in 0..<Self.mostPlaces {
      let path = path(forItemWith: uuid)
      if let path {
        do {
          return try await performing { (_) throws(FileSystemObserverError) in
            try self.replaceContents(of: path, bearing: uuid, with: contents, version, audience)
          }
        } catch {
          failure = error
        }
      }
      // It may be elsewhere, and the event not taken in yet.
      await synchronize()
      guard let next = self.path(forItemWith: uuid) else { throw FileSystemObserverError(noItemWith: uuid) }
      if next == path, !isOfAnotherItem(failure, at: next, version) { throw failure }
    }
    throw failure
  }

  /// Whether a save has failed because another item was at the path at that moment.
  private func isOfAnotherItem(
    _ failure: FileSystemObserverError, at path: FilePath, _ version: ContentVersion?
  ) -> Bool {
    if failure.errno == .staleNFSFileHandle { return true }
    guard failure.code == .contentsChanged, let version else { return false }
    return (try? self.version(ofItemAt: path)) == version
  }

  /// How often a document is looked for that is moved again and again.
  private static var mostPlaces: Int { 4 }

  private func replaceContents(
    of path: FilePath, bearing uuid: UUID, with contents: some Collection<UInt8>, _ version: ContentVersion?,
    _ audience: Audience
  ) throws(FileSystemObserverError) -> Operation {
    try operate(on: .making(path), notifying: audience) { (operations) throws(FileSystemObserverError) in
      try operations.replaceContents(
        of: path, with: contents, ifUnchangedSince: version, uuid: UUIDBits(uuid), mustBear: true)
    }
  }
}

extension FileSystemObserverError {
  fileprivate init(noItemWith uuid: UUID) {
    self.init(
      code: .outsideTree,
      sentence: "no item has the UUID \(uuid.uuidString): it was deleted or moved out; save the document as another")
  }
}
