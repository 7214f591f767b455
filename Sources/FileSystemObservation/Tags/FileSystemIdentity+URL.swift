public import FoundationEssentials
public import SystemPackage

// Overloads for file URLs. Each throws `invalidArgument` for a URL that is not a file URL, besides the errors of the
// call with a path.

extension FileSystemIdentity {
  /// The identity of the item at a file URL; see ``uuid(ofItemAt:)-(FilePath)``.
  public func uuid(ofItemAt url: URL) throws(FileSystemObserverError) -> Value {
    try uuid(ofItemAt: try FilePath(argument: url))
  }

  /// Writes the computed UUID as the tag of the item at a file URL, unless it has a tag; see the call with a path.
  public func claim(forItemAt url: URL) throws(FileSystemObserverError) -> Value {
    try claim(forItemAt: try FilePath(argument: url))
  }

  /// Writes a UUID as the tag of the item at a file URL, replacing any tag; see the call with a path.
  public func setUUID(_ uuid: UUID, forItemAt url: URL) throws(FileSystemObserverError) {
    try setUUID(uuid, forItemAt: try FilePath(argument: url))
  }

  /// Removes the tag of the item at a file URL; see the call with a path.
  ///
  /// - Returns: Whether the item had a tag.
  @discardableResult
  public func removeTag(fromItemAt url: URL) throws(FileSystemObserverError) -> Bool {
    try removeTag(fromItemAt: try FilePath(argument: url))
  }

  /// Removes the tags of the directory at a file URL and of everything below it; see the call with a path.
  ///
  /// - Returns: The number of tags removed.
  @discardableResult
  public func removeTags(
    below directory: URL, failed: (FilePath, Errno) -> Void = { _, _ in }
  ) throws(FileSystemObserverError) -> Int {
    try removeTags(below: try FilePath(argument: directory), failed: failed)
  }
}
