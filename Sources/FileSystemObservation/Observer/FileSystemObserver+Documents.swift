internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

// Two operations that let an app save and copy its documents without losing their metadata.

extension FileSystemObserver {
  /// Replaces the contents of a document atomically: a crash or power failure leaves the old or the new contents,
  /// complete.
  ///
  /// The call writes a new file beside the document under a hidden name, flushes it to the disk (fsync(2)) and renames
  /// it over the document (rename(2)). The new file has the document's UUID, permissions, owner as far as permitted,
  /// all other extended attributes and access control lists; the call returns what it could not carry over. A running
  /// observer announces the save as `modified`. The observer need not run, and the document need not be in its
  /// directory. The call blocks until the disk has everything.
  ///
  /// - Parameters:
  ///   - path: The document, a regular file. A symbolic link at the end of the path is not followed.
  ///   - contents: The new contents.
  /// - Returns: What the document has lost, for instance an owner who is another user. Empty if everything was carried
  ///   over.
  /// - Throws: `notAFile`, or `fileOperationFailed` with the reason. It also throws if the UUID cannot be written
  ///   although tags are wanted (``Configuration/tagging``) and the file system keeps attributes. After an error the
  ///   document is unchanged and no file is left beside it.
  @discardableResult
  public func replaceContents(
    of path: FilePath, with contents: some Collection<UInt8>
  ) throws(FileSystemObserverError) -> [CarryFailure] {
    try documentOperations.replaceContents(
      of: path, with: contents, uuid: uuid(forItemAt: path).map { UUIDBits($0) })
  }

  /// Replaces the contents of the document at a file URL; see the call with a path.
  ///
  /// - Throws: The same errors, and `invalidArgument` for a URL that is not a file URL.
  @discardableResult
  public func replaceContents(
    of url: URL, with contents: some Collection<UInt8>
  ) throws(FileSystemObserverError) -> [CarryFailure] {
    try replaceContents(of: try FilePath(argument: url), with: contents)
  }

  /// Copies a document.
  ///
  /// The copy has a UUID of its own from the start, and appears under its name complete, in one step.
  ///
  /// Contents are shared if the file system can (ioctl_ficlone(2)), otherwise copied in the kernel
  /// (copy_file_range(2)); the call blocks until then. Permissions, other extended attributes and access control lists
  /// are carried over; the tag is not.
  ///
  /// - Parameters:
  ///   - source: The document, a regular file. A symbolic link at the end of the path is not followed.
  ///   - destination: The path of the copy, which must not exist.
  /// - Returns: The UUID of the copy.
  /// - Throws: `notAFile`, or `fileOperationFailed` with the reason. After an error no file is left at the destination.
  @discardableResult
  public func duplicateItem(
    at source: FilePath, to destination: FilePath
  ) throws(FileSystemObserverError) -> UUID {
    var notCarried: [CarryFailure] = []
    return try duplicateItem(at: source, to: destination, notCarried: &notCarried)
  }

  /// Copies a document and reports what could not be carried over.
  ///
  /// That happens, for instance, with attributes that the destination's file system does not keep.
  ///
  /// - Parameters:
  ///   - source: The document, a regular file. A symbolic link at the end of the path is not followed.
  ///   - destination: The path of the copy, which must not exist.
  ///   - notCarried: The properties that the copy lacks are appended. The contents are complete.
  /// - Returns: The UUID of the copy.
  /// - Throws: The same errors as ``duplicateItem(at:to:)``.
  @discardableResult
  public func duplicateItem(
    at source: FilePath, to destination: FilePath, notCarried: inout [CarryFailure]
  ) throws(FileSystemObserverError) -> UUID {
    UUID(try documentOperations.duplicateItem(at: source, to: destination, notCarried: &notCarried))
  }

  /// Copies the document at a file URL; see the call with paths.
  ///
  /// - Throws: The same errors, and `invalidArgument` for a URL that is not a file URL.
  @discardableResult
  public func duplicateItem(at source: URL, to destination: URL) throws(FileSystemObserverError) -> UUID {
    try duplicateItem(at: try FilePath(argument: source), to: try FilePath(argument: destination))
  }

  private var documentOperations: DocumentOperations {
    let configuration = configuration
    return DocumentOperations(
      tag: FileTag(name: configuration.tagName), writesTags: configuration.tagging != .never)
  }
}
