internal import FileIdentity
public import FoundationEssentials
public import SystemPackage

extension FileSystemObserver {
  /// Looks at a directory and everything below it as an observer would, and says what is missing for observing it well.
  ///
  /// Nothing is changed. No observer is needed, and none is disturbed. It waits for the disk, and for as long as a file
  /// system does not answer: call it on a thread that may be blocked.
  ///
  /// - Parameters:
  ///   - directory: An absolute path.
  ///   - includesHiddenItems: Whether names that begin with a dot count.
  ///   - tagName: The name of the extended attribute with the UUID.
  /// - Throws: `rootNotFound`, `rootNotDirectory` or `rootNotReadable` where the directory cannot be opened;
  ///   `invalidArgument` for a path that is not absolute, or a malformed name of an attribute.
  public static func examine(
    _ directory: FilePath, includesHiddenItems: Bool = false, tagName: String = "user.fsobserver.uuid"
  ) throws(FileSystemObserverError) -> Examination {
    var configuration = Configuration(directory: directory)
    configuration.tagName = tagName
    try configuration.check()
    return try Examiner.examine(directory, includesHidden: includesHiddenItems, FileTag(name: tagName))
  }

  /// The same for a directory at a file URL; see the call with a path.
  ///
  /// - Throws: As that, and `invalidArgument` for a URL that is no file's.
  public static func examine(
    _ directory: URL, includesHiddenItems: Bool = false, tagName: String = "user.fsobserver.uuid"
  ) throws(FileSystemObserverError) -> Examination {
    try examine(
      try FilePath(argument: directory), includesHiddenItems: includesHiddenItems, tagName: tagName)
  }
}
