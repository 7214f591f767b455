package import FileIdentity
package import LinuxFileSystem

/// A question about an inode that has left the tree: whether it is in a trash folder.
package struct TrashQuestion: Sendable {
  package var key: FileKey
  /// The former name.
  package var name: FileName
  /// The time at which the departure became known.
  package var since: MonotonicTime

  package init(key: FileKey, name: FileName, since: MonotonicTime) {
    (self.key, self.name, self.since) = (key, name, since)
  }
}
