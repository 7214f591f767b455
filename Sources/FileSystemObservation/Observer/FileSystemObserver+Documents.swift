internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

// The two operations with which an app's own saves do no harm to its documents.

extension FileSystemObserver {
  /// Replaces the contents of a document, all at once: a crash or power failure leaves it complete, the old or the new.
  ///
  /// A new file is written beside the document under a hidden name, brought to the disk (fsync(2)), and takes the
  /// document's name (rename(2)). It has the document's UUID, permissions, owner as far as permitted, all other
  /// extended attributes and access control lists; what it could not be given is returned. While the observer runs, the
  /// save is announced as `modified`. It need not run, and the document need not lie in its directory. The call returns
  /// when the disk has everything.
  ///
  /// - Parameters:
  ///   - path: The document: a regular file. A symbolic link at the end of the path is not followed.
  ///   - contents: The new contents.
  /// - Returns: What the document has lost, for instance its owner where it was another's. Empty where all arrived.
  /// - Throws: `notAFile`, or `fileOperationFailed` with the reason; also where the UUID could not be written although
  ///   tags are wanted (``Configuration/tagging``) and the file system keeps attributes. The document is then as it
  ///   was, and nothing is left beside it.
  @discardableResult
  public func replaceContents(
    of path: FilePath, with contents: some Collection<UInt8>
  ) throws(FileSystemObserverError) -> [CarryFailure] {
    try documentOperations.replaceContents(
      of: path, with: contents, uuid: uuid(forItemAt: path).map { UUIDBits($0) })
  }

  /// Replaces the contents of a document at a file URL; see the call with a path.
  ///
  /// - Throws: As that, and `invalidArgument` for a URL that is no file's.
  @discardableResult
  public func replaceContents(
    of url: URL, with contents: some Collection<UInt8>
  ) throws(FileSystemObserverError) -> [CarryFailure] {
    try replaceContents(of: try FilePath(argument: url), with: contents)
  }

  /// Copies a document.
  ///
  /// The copy has a UUID of its own from the start, and appears complete under its name in one step.
  ///
  /// The contents are shared where the file system can (ioctl_ficlone(2)), and otherwise copied in the kernel
  /// (copy_file_range(2)), for which the call waits. Permissions, other extended attributes and access control lists
  /// are carried over, the tag is not.
  ///
  /// - Parameters:
  ///   - source: The document: a regular file. A symbolic link at the end of the path is not followed.
  ///   - destination: Where the copy is to be; there must be nothing.
  /// - Returns: The UUID of the copy.
  /// - Throws: `notAFile`, or `fileOperationFailed` with the reason. Nothing is left at the destination then.
  @discardableResult
  public func duplicateItem(
    at source: FilePath, to destination: FilePath
  ) throws(FileSystemObserverError) -> UUID {
    var notCarried: [CarryFailure] = []
    return try duplicateItem(at: source, to: destination, notCarried: &notCarried)
  }

  /// Copies a document, and says what the copy could not be given, as attributes that the destination's file system
  /// does not keep.
  ///
  /// - Parameters:
  ///   - source: The document: a regular file. A symbolic link at the end of the path is not followed.
  ///   - destination: Where the copy is to be; there must be nothing.
  ///   - notCarried: What the copy lacks is appended. The contents are complete.
  /// - Returns: The UUID of the copy.
  /// - Throws: As ``duplicateItem(at:to:)``.
  @discardableResult
  public func duplicateItem(
    at source: FilePath, to destination: FilePath, notCarried: inout [CarryFailure]
  ) throws(FileSystemObserverError) -> UUID {
    UUID(try documentOperations.duplicateItem(at: source, to: destination, notCarried: &notCarried))
  }

  /// Copies a document at a file URL; see the call with paths.
  ///
  /// - Throws: As that, and `invalidArgument` for a URL that is no file's.
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
