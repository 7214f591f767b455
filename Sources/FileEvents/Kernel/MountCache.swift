import LinuxFileSystem
import SystemPackage

/// Facts common to all directories of a mount, looked up once.
///
/// On ext4 both `statfs(2)` and marking a file system sum up counters of all processors, which took 2 % of the first
/// scan of a million files on two processors (perf).
///
/// The caller holds a directory of the mount open, so that the kernel cannot reuse the mount's number during the call.
/// A reuse before the call shows in the table of mounts.
final class MountCache: Sendable {
  struct Item: Sendable {
    var mount: MountNumber
    /// The identifier of the file system.
    var identifier: UInt64
    /// Whether the file system is marked.
    ///
    /// The mark lasts as long as the file system is mounted or in use.
    var isMarked = false
  }

  private let changes: MountChanges
  /// The mount that was looked up last: a tree has few mounts, and nearly always one.
  private let last = Mutex<Item?>(nil)

  init() throws(Errno) {
    changes = try MountChanges()
  }

  /// The facts of the mount of an open directory.
  ///
  /// - Parameter mayBeGone: Whether the number may have been reused since the last call.
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
    // A mount outside the process's namespace is not remembered, because its end is not reported.
    if FileSystemType(magic: description.type).hasOneIdentifier, MountTable()?[mount] != nil {
      last.withLock { $0 = item }
    }
    return item
  }

  /// Remembers that the file system of a mount has been marked.
  func noteMarked(_ mount: MountNumber) {
    last.withLock { if $0?.mount == mount { $0?.isMarked = true } }
  }
}
