import LinuxFileSystem
import SystemPackage

/// What the directories on a mount have in common, so that it is asked for with the first of them only.
///
/// On ext4 `statfs(2)` sums up counters of all processors, and marking a file system asks for the same: with no more
/// than two of them that was 2 % of the first scan of a million files (perf).
///
/// Whoever asks holds a directory of the mount open, so that the kernel cannot give the mount's number to another
/// meanwhile; and it could not before, for a mount that goes or comes is seen in the table of mounts.
final class MountCache: Sendable {
  struct Item: Sendable {
    var mount: MountNumber
    /// The identifier of the file system.
    var identifier: UInt64
    /// Whether the file system is marked: its mark stays as long as it is mounted, or in use.
    var isMarked = false
  }

  private let changes: MountChanges
  /// The one that was asked for last: a tree is on few mounts, and nearly always on one.
  private let last = Mutex<Item?>(nil)

  init() throws(Errno) {
    changes = try MountChanges()
  }

  /// What is known of the mount that an open directory is on.
  ///
  /// - Parameter mayBeGone: Whether what is known may be of a former mount.
  func item(
    of directory: borrowing OwnedDescriptor, on mount: MountNumber, mayBeGone: Bool = true
  ) throws(Errno) -> Item {
    let known = last.withLock { last -> Item? in
      if mayBeGone, changes.takeNews() { last = nil }
      return last?.mount == mount ? last : nil
    }
    if let known { return known }
    let description = try FileSystemDescription.of(directory)
    let item = Item(mount: mount, identifier: description.identifier)
    // A process may know directories of mounts that are not its own: nothing tells it when those go.
    if FileSystemType(magic: description.type).hasOneIdentifier, MountTable()?[mount] != nil {
      last.withLock { $0 = item }
    }
    return item
  }

  /// The file system of a mount has been marked.
  func noteMarked(_ mount: MountNumber) {
    last.withLock { if $0?.mount == mount { $0?.isMarked = true } }
  }
}
