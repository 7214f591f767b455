public import FoundationEssentials
public import SystemPackage

// The same with file URLs. Each throws `invalidArgument` for a URL that is no file's, besides what the call with a path
// throws.

extension FileSystemIdentity {
  /// The identity of an item at a file URL; see ``uuid(ofItemAt:)-(FilePath)``.
  public func uuid(ofItemAt url: URL) throws(FileSystemObserverError) -> Value {
    try uuid(ofItemAt: try FilePath(argument: url))
  }

  /// Gives an item at a file URL the UUID that is computed for it, unless its tag has one already; see the call with a
  /// path.
  public func claim(forItemAt url: URL) throws(FileSystemObserverError) -> Value {
    try claim(forItemAt: try FilePath(argument: url))
  }

  /// Gives an item at a file URL a UUID, whatever stands in its tag; see the call with a path.
  public func setUUID(_ uuid: UUID, forItemAt url: URL) throws(FileSystemObserverError) {
    try setUUID(uuid, forItemAt: try FilePath(argument: url))
  }

  /// Takes the tag of an item at a file URL away; see the call with a path.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func removeTag(fromItemAt url: URL) throws(FileSystemObserverError) -> Bool {
    try removeTag(fromItemAt: try FilePath(argument: url))
  }

  /// Takes the tags of a directory at a file URL and of everything below it away; see the call with a path.
  ///
  /// - Returns: How many.
  @discardableResult
  public func removeTags(
    below directory: URL, failed: (FilePath, Errno) -> Void = { _, _ in }
  ) throws(FileSystemObserverError) -> Int {
    try removeTags(below: try FilePath(argument: directory), failed: failed)
  }
}
