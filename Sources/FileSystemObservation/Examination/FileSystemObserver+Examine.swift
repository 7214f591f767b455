internal import FileIdentity
public import FoundationEssentials
public import SystemPackage

extension FileSystemObserver {
  /// Examines a directory and everything below it as an observer would, and reports problems.
  ///
  /// Makes no change, and needs and disturbs no observer. Blocks on the disk: call it on a thread that may block. A mount
  /// that may not answer (FUSE, NFS, …) is waited for five seconds, and then left out (``Examination/unanswering``).
  ///
  /// - Parameters:
  ///   - directory: An absolute path.
  ///   - includesHiddenItems: Whether to count items whose names begin with a dot.
  ///   - tagName: The name of the extended attribute with the UUID.
  /// - Throws: `rootNotFound`, `rootNotDirectory`, `rootNotReadable` or `rootNotAnswering` if the directory cannot be opened;
  ///   `invalidArgument` for a relative path or a malformed attribute name.
  public static func examine(
    _ directory: FilePath, includesHiddenItems: Bool = false, tagName: String = "user.fsobserver.uuid"
  ) throws(FileSystemObserverError) -> Examination {
    var configuration = Configuration(directory: directory)
    configuration.tagName = tagName
    try configuration.check()
    return try Examiner.examine(directory, includesHidden: includesHiddenItems, FileTag(name: tagName))
  }

  /// Examines the directory at a file URL; see the call with a path.
  ///
  /// - Throws: The same errors, and `invalidArgument` for a URL that is not a file URL.
  public static func examine(
    _ directory: URL, includesHiddenItems: Bool = false, tagName: String = "user.fsobserver.uuid"
  ) throws(FileSystemObserverError) -> Examination {
    try examine(
      try FilePath(argument: directory), includesHiddenItems: includesHiddenItems, tagName: tagName)
  }
}
