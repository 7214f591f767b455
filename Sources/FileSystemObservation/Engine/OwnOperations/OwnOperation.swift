package import FileIdentity
package import LinuxFileSystem

/// A place below the observed directory that an operation changes.
package struct OperationPlace: Sendable {
  /// The names that lead to it.
  package var names: [FileName]
  /// The directory in which the last of them is.
  ///
  /// The app or another program may have renamed or moved it since the names were read.
  package var directory: FileKey?

  package init(_ names: [FileName], in directory: FileKey? = nil) {
    (self.names, self.directory) = (names, directory)
  }
}

/// An operation of this process that takes effect between two steps of the engine.
///
/// A place outside the observed directory is `nil`.
package struct OwnOperation: Sendable {
  /// The place that the operation's item leaves.
  package var source: OperationPlace?
  /// The place where the operation's item is afterwards.
  package var destination: OperationPlace?
  /// Whether the operation makes the item; otherwise it moves or removes one.
  package var isMaking = false
  /// Whether the operation makes the next version of an item, and fails if there is none.
  package var isReplacing = false
  /// Whether the operation moves the item from outside the observed directory, or from a hidden place in it.
  package var isBringing = false
  /// Why items end, if the operation removes them.
  package var reason: DeletionReason?
  /// Whether the operation fails while the observed directory is away: what it makes would be elsewhere, such as below an
  /// empty mount point.
  var needsRoot = false

  /// Whether the operation changes nothing below the observed directory.
  var isElsewhere: Bool { source == nil && destination == nil }

  package init(
    from source: OperationPlace? = nil, to destination: OperationPlace? = nil, isMaking: Bool = false,
    isReplacing: Bool = false, isBringing: Bool = false, reason: DeletionReason? = nil
  ) {
    self.source = source
    self.destination = destination
    self.isMaking = isMaking
    self.isReplacing = isReplacing
    self.isBringing = isBringing
    self.reason = reason
  }
}

/// The result of an operation's system calls, as far as the engine cannot see it.
package struct CommittedItem: Sendable {
  /// The inode at the destination, if the operation made it.
  package var key: FileKey?
  /// The original of each copy that the operation made, by the UUID of the copy.
  package var originals: [UUIDBits: UUIDBits] = [:]
  /// Whether the item at the destination continues the one at the source, of which it is a copy on another file system.
  package var isMovedByCopying = false
  /// What the system calls change, if that differs from what the app asked for: for instance a folder above the item.
  var target: OperationTarget?

  package init(key: FileKey? = nil, originals: [UUIDBits: UUIDBits] = [:], isMovedByCopying: Bool = false) {
    self.key = key
    self.originals = originals
    self.isMovedByCopying = isMovedByCopying
  }

  init(target: OperationTarget) {
    self.target = target
  }
}
