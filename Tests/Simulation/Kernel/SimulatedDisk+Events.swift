package import LinuxFileSystem
import SystemPackage

// What inotify is told.

/// A rename that has happened, and whose second event is not queued yet: its process was interrupted between the two.
struct HalfRename {
  static let longest: Int64 = 35_000_000
  static let longestExchange: Int64 = 5_000_000

  /// The directories that are locked until it is complete.
  var directories: [Inode]
  var isAcrossDirectories: Bool
  /// Until when it is complete at the latest.
  var until: Int64
  var finish: () -> Void
}

extension SimulatedDisk {
  /// Tells whoever watches a directory that something happened to a name in it.
  func notify(_ directory: Inode, _ mask: InotifyMask, _ name: NameNumber, _ inode: Inode, cookie: UInt32 = 0) {
    guard !directory.watches.isEmpty else { return }
    let flags: InotifyMask = inode.kind == .directory ? .isDirectory : []
    for watch in directory.watches where !watch.mask.isDisjoint(with: mask) {
      queues[watch.queue].append(
        QueuedEvent(watch: watch.number, mask: mask.union(flags), cookie: cookie, name: name), at: now)
    }
  }

  /// Tells whoever watches an inode that something happened to itself.
  func notifySelf(_ inode: Inode, _ mask: InotifyMask) {
    for watch in inode.watches where !watch.mask.isDisjoint(with: mask) {
      let flags: InotifyMask = inode.kind == .directory && mask == .attribute ? .isDirectory : []
      queues[watch.queue].append(QueuedEvent(watch: watch.number, mask: mask.union(flags)), at: now)
    }
  }

  /// Tells of a change of attributes: the directory the name is in, and a directory itself.
  func notifyAttributes(_ dentry: Dentry) {
    noteUnseen(dentry, .attribute)
    recordChild(.attribute, dentry)
    notify(dentry.parent, .attribute, dentry.name, dentry.inode)
    if dentry.inode.kind == .directory { notifySelf(dentry.inode, .attribute) }
  }

  /// Of what happens through a hidden name, or in a new directory, observers may hear nothing, though the file has
  /// other names.
  private func noteUnseen(_ dentry: Dentry, _ mask: InotifyMask) {
    if dentry.inode.linkCount > 1, names.isHidden(dentry.name) { dentry.inode.isChangedUnseen = true }
    dentry.inode.changedThrough = ObjectIdentifier(dentry)
    let watches = dentry.parent.watches
    // Each observer has a watch of its own, and none of attributes while it writes tags in its first scan.
    if dentry.isLinked, !watches.isEmpty, watches.allSatisfy({ !$0.mask.isDisjoint(with: mask) }) {
      // Who hears of attributes looks, and finds what was written unheard.
      if mask != .attribute { dentry.inode.isChangedUnwatched = false }
    } else if dentry.inode.linkCount > (dentry.isLinked ? 1 : 0) || !watches.isEmpty {
      dentry.inode.isChangedUnwatched = true
    }
  }

  /// Tells of content through the name a file was opened by; a name that is gone is not told of (`IN_EXCL_UNLINK`).
  func notifyContent(_ dentry: Dentry, _ mask: InotifyMask) {
    noteUnseen(dentry, mask)
    recordChild(mask == .modify ? .modify : .closeWrite, dentry)
    if dentry.isLinked { notify(dentry.parent, mask, dentry.name, dentry.inode) }
  }

  /// The last name and the last holder of a directory are gone: so are its watches.
  func removeWatches(of inode: Inode) {
    recordSelf(.deleteSelf, inode)
    inode.marks = []
    notifySelf(inode, .deleteSelf)
    for watch in inode.watches {
      queues[watch.queue].append(QueuedEvent(watch: watch.number, mask: .ignored), at: now)
    }
    inode.watches = []
  }

  /// `inotify_add_watch(2)` with `IN_MASK_ADD`.
  package func watch(_ inode: Inode, queue: Int, _ mask: InotifyMask) -> Int32 {
    if let index = inode.watches.firstIndex(where: { $0.queue == queue }) {
      inode.watches[index].mask.formUnion(mask)
      return inode.watches[index].number
    }
    let number = queues[queue].newWatch()
    inode.watches.append(Watch(queue: queue, number: number, mask: mask))
    return number
  }

  /// `inotify_rm_watch(2)`.
  package func unwatch(_ inode: Inode, queue: Int) {
    guard let index = inode.watches.firstIndex(where: { $0.queue == queue }) else { return }
    let watch = inode.watches.remove(at: index)
    queues[queue].append(QueuedEvent(watch: watch.number, mask: .ignored), at: now)
  }
}

// MARK: - Halves of renames

extension SimulatedDisk {
  /// Lets a rename that was interrupted between its two events go on.
  package func completeRename() {
    guard let interrupted = half else { return }
    half = nil
    interrupted.finish()
  }

  /// A directory in which a rename is going on is locked: whoever changes or lists it waits.
  package func lock(_ directory: Inode) {
    guard let half, half.directories.contains(where: { $0 === directory }) else { return }
    completeRename()
  }

  /// Renames between directories wait for each other.
  func lockForRename(_ old: Inode, _ new: Inode) {
    lock(old)
    lock(new)
    if old !== new, let half, half.isAcrossDirectories { completeRename() }
  }
}
