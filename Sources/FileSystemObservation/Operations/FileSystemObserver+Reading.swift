public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

// Reading a document for a later save.

extension FileSystemObserver {
  /// Reads the contents of a document, with their version.
  ///
  /// Pass the version to ``replaceContents(of:with:ifUnchangedSince:notifying:)``, which then overwrites nothing that
  /// this call has not read.
  ///
  /// The contents are of one version, also if another program saves the document at the same time. If a program has the
  /// file open for writing, they are what the file has had for a tenth of a second. Blocks until all is in memory; works
  /// without a running observer.
  ///
  /// - Parameter path: The absolute path of a regular file. A symbolic link at its end is not followed, and a FIFO or
  ///   device is not opened.
  /// - Throws: `notAFile`; `itemIsBusy` if another program writes it all the time; `fileOperationFailed` with the
  ///   reason.
  public func contents(of path: FilePath) throws(FileSystemObserverError) -> DocumentContents {
    try operations(on: OperationTarget(), notifying: .everyone).contents(of: path)
  }

  /// Reads the contents of a document at a file URL; see the call with a path.
  public func contents(of url: URL) throws(FileSystemObserverError) -> DocumentContents {
    try contents(of: try FilePath(argument: url))
  }

  /// Reads the contents of a document without blocking the calling thread; see the synchronous call.
  public func contents(of path: FilePath) async throws(FileSystemObserverError) -> DocumentContents {
    try await performing { (_) throws(FileSystemObserverError) in try self.contents(of: path) }
  }

  /// Reads the contents of a document at a file URL without blocking the calling thread; see the call with a path.
  public func contents(of url: URL) async throws(FileSystemObserverError) -> DocumentContents {
    try await contents(of: try FilePath(argument: url))
  }

  /// The version of a document's contents, wherever it is now, for example for a cache of previews.
  ///
  /// Reads the file's status only.
  ///
  /// - Parameter uuid: The UUID of a regular file of the tree.
  /// - Throws: `outsideTree` if there is no such item; or the errors of ``version(ofItemAt:)``.
  public func version(ofItemWith uuid: UUID) async throws(FileSystemObserverError) -> ContentVersion {
    try await performing(onItemWith: uuid) { (item, _) throws(FileSystemObserverError) in
      try self.operations(on: OperationTarget(), expecting: item.expected, notifying: .everyone)
        .version(ofItemAt: item.path)
    }
  }

  /// Reads the contents of a document, wherever it is now.
  ///
  /// Another program may have renamed it, or moved it to another folder, also at the last moment; no other document is
  /// read that is at its former path. A copy that its original has taken over is read as what it is now.
  ///
  /// ```swift
  /// let contents = try await observer.contents(ofItemWith: document)
  /// …
  /// try await observer.replaceContents(ofItemWith: document, with: new, ifUnchangedSince: contents.version)
  /// ```
  ///
  /// - Parameter uuid: The UUID of a regular file of the tree.
  /// - Throws: `outsideTree` if there is no such item: it was deleted, put in the trash, or moved out of the tree; or the
  ///   errors of the call with a path.
  public func contents(ofItemWith uuid: UUID) async throws(FileSystemObserverError) -> DocumentContents {
    try await performing(onItemWith: uuid) { (item, _) throws(FileSystemObserverError) in
      try self.operations(on: OperationTarget(), expecting: item.expected, notifying: .everyone).contents(of: item.path)
    }
  }
}
