internal import FileIdentity
public import FoundationEssentials
import LinuxFileSystem
internal import SystemPackage

// The two operations with which an app's own saves do no harm to its documents.

extension FileSystemObserver {
  /// Replaces the contents of a document, all at once: a crash or power failure leaves it complete, the old or the new.
  ///
  /// A new file is written beside the document under a hidden name, brought to the disk (fsync(2)), and takes the document's name
  /// (rename(2)). It has the document's UUID, permissions, owner as far as permitted, all other extended attributes and access control
  /// lists; what it could not be given is returned. While the observer runs, the save is told as `modified`. It need not run, and the document need not lie in its folder.
  ///
  /// - Parameters:
  ///   - url: The document: a regular file. A symbolic link is not followed.
  ///   - contents: The new contents.
  /// - Returns: What the document has lost, for instance its owner where it was another's. Empty where all arrived.
  /// - Throws: `notAFile`, `invalidArgument` for a URL that is no file's, or `fileOperationFailed` with the reason; also where the UUID
  ///   could not be written although ``ObservationOptions/writesTags`` is set and the file system keeps attributes. The document is then
  ///   as it was, and nothing is left beside it.
  @discardableResult
  public func replaceContents(
    of url: URL, with contents: some Collection<UInt8>
  ) throws(ObservationError) -> [CarryFailure] {
    let path = try FilePath(argument: url)
    return try documentOperations.replaceContents(
      of: path, with: contents, uuid: uuid(forItemAt: path).map { UUIDBits($0) })
  }

  /// Copies a document.
  ///
  /// The copy has a UUID of its own from the start, and appears complete under its name in one step.
  ///
  /// The contents are shared where the file system can (ioctl_ficlone(2)), and otherwise copied in the kernel (copy_file_range(2)).
  /// Permissions, other extended attributes and access control lists are carried over, the tag is not.
  ///
  /// - Parameters:
  ///   - source: The document: a regular file. A symbolic link is not followed.
  ///   - destination: Where the copy is to be; there must be nothing.
  /// - Returns: The UUID of the copy.
  /// - Throws: `notAFile`, `invalidArgument` for a URL that is no file's, or `fileOperationFailed` with the reason. Nothing is left at the
  ///   destination then.
  @discardableResult
  public func duplicateItem(at source: URL, to destination: URL) throws(ObservationError) -> UUID {
    var notCarried: [CarryFailure] = []
    return try duplicateItem(at: source, to: destination, notCarried: &notCarried)
  }

  /// Copies a document, and says what the copy could not be given, as attributes that the destination's file system does not keep.
  ///
  /// - Parameters:
  ///   - source: The document: a regular file. A symbolic link is not followed.
  ///   - destination: Where the copy is to be; there must be nothing.
  ///   - notCarried: What the copy lacks is appended. The contents are complete.
  /// - Returns: The UUID of the copy.
  /// - Throws: As ``duplicateItem(at:to:)``.
  @discardableResult
  public func duplicateItem(
    at source: URL, to destination: URL, notCarried: inout [CarryFailure]
  ) throws(ObservationError) -> UUID {
    let (source, destination) = (try FilePath(argument: source), try FilePath(argument: destination))
    return UUID(try documentOperations.duplicateItem(at: source, to: destination, notCarried: &notCarried))
  }

  private var documentOperations: DocumentOperations {
    let options = options
    return DocumentOperations(tag: FileTag(name: options.tagName), writesTags: options.writesTags)
  }
}
