package import FileIdentity
internal import LinuxFileSystem

/// The item that an operation is meant for, whatever another program puts at its path meanwhile.
package struct ExpectedItem: Sendable {
  let uuid: UUIDBits
  private let key: FileKey

  /// - Parameters:
  ///   - uuid: The UUID of the item.
  ///   - key: Its inode, by which it is known while it has no tag.
  package init(uuid: UUIDBits, key: FileKey) {
    self.uuid = uuid
    self.key = key
  }

  /// Whether an item with a tag and a status is this one.
  ///
  /// The tag decides, for a save replaces the inode. The device is not compared: its number changes with a new mount.
  func isFound(in tag: TagReading, _ status: FileStatus) -> Bool {
    if let found = tag.uuid { return found == uuid }
    let found = FileKey(status)
    return found.inode == key.inode && found.born == key.born
  }
}
