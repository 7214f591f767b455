internal import LinuxFileSystem
public import SystemPackage

// Saving. See `FileSystemObserver+Move.swift` for what all operations have in common.

extension FileSystemObserver {
  /// The version of a file's contents, for a later save that must not overwrite others' changes.
  ///
  /// ``contents(of:)`` reads both. To read in another way, take the version before: if another program writes in
  /// between, the save then finds the change. Reads the file's status only.
  ///
  /// - Parameter path: The path of a file.
  /// - Throws: `notAFile` for anything but a regular file; `fileOperationFailed` if there is no item at the path.
  public func version(ofItemAt path: FilePath) throws(FileSystemObserverError) -> ContentVersion {
    try operations(on: OperationTarget(), notifying: .everyone).version(ofItemAt: path)
  }

  /// Replaces the contents of a document atomically: a crash or power failure leaves the old or the new contents,
  /// complete.
  ///
  /// The call writes a new file beside the document under a hidden name, flushes it to the disk (fsync(2)) and renames
  /// it over the document (rename(2)); with a version, the two exchange their names (`RENAME_EXCHANGE` of renameat2(2)),
  /// so that what another program saves at the last moment goes back. The new file has the document's UUID,
  /// permissions, owner as far as permitted, all other extended attributes and access control lists. The save is
  /// announced as `modified`. Blocks until the disk has everything.
  ///
  /// As with every rename, the permissions of the folder count and not those of the document: a document that is
  /// protected from writing is replaced, and is protected afterwards. An app that wants to ask its user first looks
  /// whether the document can be written (access(2), or `FileManager.isWritableFile(atPath:)`).
  ///
  /// ```swift
  /// let contents = try observer.contents(of: path)
  /// …
  /// try observer.replaceContents(of: path, with: new, ifUnchangedSince: contents.version)
  /// ```
  ///
  /// - Parameters:
  ///   - path: The document, a regular file.
  ///   - contents: The new contents.
  ///   - version: The version that the document must have; if `nil`, any.
  ///   - audience: The listeners to notify.
  /// - Returns: The document, with the version of its new contents.
  /// - Throws: `notAFile`; `contentsChanged` if the document has another version; `fileOperationFailed` with the
  ///   reason, also if the UUID cannot be written although tags are wanted (``Configuration/tagging``) and the file
  ///   system keeps attributes. After an error the document is unchanged and no file is left beside it.
  @discardableResult
  public func replaceContents(
    of path: FilePath, with contents: some Collection<UInt8>, ifUnchangedSince version: ContentVersion? = nil,
    notifying audience: Audience = .everyone
  ) throws(FileSystemObserverError) -> Operation {
    try operate(on: .replacing(path), notifying: audience) {
      (operations) throws(FileSystemObserverError) in
      try operations.replaceContents(
        of: path, with: contents, ifUnchangedSince: version, uuid: knownUUID(path))
    }
  }

  /// Replaces the contents of a document atomically with what a closure writes, for a large document.
  ///
  /// - Parameters:
  ///   - path: The document, a regular file.
  ///   - version: The version that the document must have; if `nil`, any.
  ///   - audience: The listeners to notify.
  ///   - body: Called once, on this thread, with the writer of the new contents.
  /// - Returns: The document, with the version of its new contents.
  /// - Throws: What the closure throws; otherwise the errors of the call with contents. After an error the document is
  ///   unchanged and no file is left beside it.
  @discardableResult
  public func replaceContents(
    of path: FilePath, ifUnchangedSince version: ContentVersion? = nil, notifying audience: Audience = .everyone,
    writingWith body: (borrowing ContentWriter) throws -> Void
  ) throws -> Operation {
    try operate(on: .replacing(path), notifying: audience) {
      (operations) throws(any Error) in
      try operations.replaceContents(of: path, ifUnchangedSince: version, uuid: knownUUID(path), writingWith: body)
    }
  }

  /// Replaces everything in a document of several files, such as a `.textbundle`, in one step.
  ///
  /// The closure fills a new folder beside the document, under a hidden name. Both then change places
  /// (`RENAME_EXCHANGE` of renameat2(2)), and the old folder is removed: a reader sees all of the old document or all
  /// of the new one. The folder keeps its UUID, and so does each file of the same relative path; files that the closure
  /// does not write are gone. Blocks until the disk has everything.
  ///
  /// - Parameters:
  ///   - path: The document, a folder.
  ///   - audience: The listeners to notify.
  ///   - body: Called once, on this thread, with the path of the new folder, which is empty.
  /// - Returns: The folder.
  /// - Throws: What the closure throws; `invalidArgument` if there is no folder at the path; `fileOperationFailed` with
  ///   EINVAL if the file system cannot exchange names, or with another reason. After an error the document is
  ///   unchanged.
  @discardableResult
  public func replaceContents(
    ofDirectoryAt path: FilePath, notifying audience: Audience = .everyone,
    filling body: (FilePath) throws -> Void
  ) throws -> Operation {
    try operate(on: .replacing(path, reason: .removed), notifying: audience) { (operations) throws(any Error) in
      try operations.replaceContents(ofFolder: path, uuid: knownUUID(path), filling: body)
    }
  }
}
