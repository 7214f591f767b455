package import LinuxFileSystem
import Synchronization
package import SystemPackage

/// Hints from fanotify(7), read by a thread of its own.
///
/// Without privilege each directory has a mark. With it, a mark covers the whole file system, and events that are not
/// of the tree are thrown away as they are read; file systems that refuse that (overlayfs, FUSE, subvolumes of btrfs)
/// have a mark for each directory.
package final class FanotifySource: EventSource {
  /// What is marked.
  package enum Coverage: Sendable {
    /// Whole file systems where that is permitted.
    case fileSystems
    /// Each directory, as without privilege.
    case directories
  }

  private let reader: FanotifyReader
  private let mounts: KnownMounts
  private let thread = SourceThread()
  /// Whether the kernel once refused to ignore something: always before Linux 6.0, later for want of memory or marks.
  private let cannotIgnore = Atomic(false)

  /// - Throws: ENOSYS or EINVAL on a kernel before 5.17; EMFILE where the user has too many groups or the process too
  ///   many descriptors; EPERM where it is forbidden.
  package init(coverage: Coverage = .fileSystems, _ wait: EventWait? = nil) throws(Errno) {
    reader = try FanotifyReader(usingPrivilege: coverage == .fileSystems, wait)
    mounts = try KnownMounts()
  }

  deinit {
    stop()
  }

  package func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) throws(Errno) {
    let reader = reader
    // The signal of an earlier `stop()` would end the new thread at once.
    reader.shutdown.clear()
    reader.deliver(to: deliver)
    try thread.start(named: "fso-fanotify") { reader.run() }
  }

  /// Marks a directory.
  ///
  /// - Throws: ENOSPC where a limit of marks is reached; EOPNOTSUPP, ENODEV or EXDEV where fanotify cannot tell of the
  ///   file system.
  package func mark(_ directory: DirectoryHandle, for scope: MarkScope) throws(Errno) -> MarkID {
    if directory.mountGuard == nil { return try markNow(directory, for: scope) }
    return try directory.guarded { [self] () throws(Errno) in try markNow(directory, for: scope) }
  }

  private func markNow(_ directory: DirectoryHandle, for wanted: MarkScope) throws(Errno) -> MarkID {
    let scope = wanted.whereMarksCanBeNarrowed
    let (handle, number, asked) = try locate(directory)
    let (known, wantsInode) = reader.knowledge(of: handle)
    // While its entries are given tags it is open, and so its mount stays what it was.
    let isBeingTagged = scope == .entriesWithoutAttributes || known == .entriesWithoutAttributes
    let mount =
      if let asked { asked } else {
        try mounts.item(of: directory.descriptor, on: number, mayBeGone: !isBeingTagged)
      }
    if scope == .entries, isBeingTagged { endTagging(in: directory) }
    let inode = wantsInode ? try FileStatus.of(directory.descriptor).inode : nil
    // Known before it is marked: whatever is told of it is understood.
    let (mark, former) = reader.insert(handle, on: mount.mount, inode: inode, for: scope)
    let isWhole: Bool
    do {
      isWhole = try add(directory, mount, for: scope)
    } catch {
      if former == nil { reader.remove(mark) }
      throw error
    }
    if scope == .entriesWithoutAttributes { beginTagging(in: directory, isWhole, wereToldOf: former == .entries) }
    if scope == .entries, !isBeingTagged { reader.tellEarlierChange(of: handle, mark) }
    return mark
  }

  /// The scan's own tags would fill the queue: what is added to a mark stays there until it is taken away, and one of
  /// the file system tells of all that is not to be ignored.
  private func beginTagging(in directory: DirectoryHandle, _ isWhole: Bool, wereToldOf: Bool) {
    if isWhole {
      if !reader.instance.ignore(MarkScope.attributesOfEntries, in: directory.descriptor) {
        cannotIgnore.store(true, ordering: .relaxed)
      }
    } else if wereToldOf {
      reader.instance.unmark(directory.descriptor, for: .attribute)
    }
  }

  /// What has been told of tags by now, where it could not be ignored, is still unwanted.
  private func endTagging(in directory: DirectoryHandle) {
    guard reader.instance.isPrivileged else { return }
    if cannotIgnore.load(ordering: .relaxed) { reader.readAll() }
    reader.instance.stopIgnoring(MarkScope.attributesOfEntries, in: directory.descriptor)
  }

  /// A mark of the whole file system, or else of the directory; whether it is that of the file system.
  ///
  /// If the file system has been mounted anew, it has no mark any more. What lies above the observed directory may be
  /// on another one, of which nothing else is wanted.
  private func add(
    _ directory: DirectoryHandle, _ mount: KnownMounts.Item, for scope: MarkScope
  ) throws(Errno) -> Bool {
    if reader.instance.isPrivileged, scope.observesEntries {
      if mount.isMarked { return true }
      do {
        try reader.instance.markFileSystem(of: directory.descriptor, for: MarkScope.fileSystemMask)
        mounts.noteMarked(mount.mount)
        return true
      } catch {
        if error == .noMemory { throw error }
      }
    }
    try reader.instance.mark(directory.descriptor, for: scope.fanotifyMask)
    return false
  }

  /// Whether a directory is marked.
  func knows(_ directory: DirectoryHandle) -> Bool {
    guard let handle = try? located(directory).handle else { return false }
    return reader.knowledge(of: handle).scope != nil
  }

  private func located(
    _ directory: DirectoryHandle
  ) throws(Errno) -> (handle: KernelHandle, mount: MountNumber, item: KnownMounts.Item?) {
    if directory.mountGuard == nil { return try locate(directory) }
    return try directory.guarded { [self] () throws(Errno) in try locate(directory) }
  }

  /// The handle of a directory, and its mount: what is known of that, too, if it had to be asked for the handle.
  private func locate(
    _ directory: DirectoryHandle
  ) throws(Errno) -> (handle: KernelHandle, mount: MountNumber, item: KnownMounts.Item?) {
    var item: KnownMounts.Item?
    let (handle, mount) = try directory.located { (mount) throws(Errno) in
      let known = try mounts.item(of: directory.descriptor, on: mount)
      item = known
      return known.identifier
    }
    return (handle, mount, item)
  }

  package func unmark(_ mark: MarkID) {
    reader.remove(mark)
  }

  /// Without the directory the kernel keeps its mark until the directory is removed or observation ends; what it tells
  /// is thrown away.
  package func unmark(_ mark: MarkID, of directory: DirectoryHandle?) {
    reader.remove(mark)
    if let directory, directory.mountGuard == nil {
      reader.instance.unmark(directory.descriptor, for: MarkScope.entries.fanotifyMask)
    }
  }

  package func recognize(_ directory: DirectoryHandle) -> MarkID? {
    guard let (handle, mount, _) = try? located(directory) else { return nil }
    let (mark, _) = reader.insert(handle, on: mount, inode: nil, for: .entries)
    reader.tellEarlierChange(of: handle, mark)
    return mark
  }

  package func deliverPending() {
    reader.readAll()
  }

  package var delivered: UInt64 { reader.delivered }

  package func stop() {
    reader.shutdown.send()
    thread.join()
  }
}

extension MarkScope {
  /// What fanotify is asked for in a directory.
  package var fanotifyMask: FanotifyMask {
    switch self {
    case .entries: Self.structure.union(.attribute)
    case .entriesToTag, .entriesWithoutAttributes: Self.structure
    case .departures: [.delete, .rename, .moveSelf, .onDirectory]
    case .itself: [.moveSelf, .onDirectory]
    }
  }

  /// What it is asked for in a file system: that a directory itself was removed or renamed is told with its name.
  static let fileSystemMask: FanotifyMask = [
    .create, .delete, .rename, .modify, .closeWrite, .attribute, .onDirectory,
  ]

  /// The attributes of what is in a directory.
  static let attributesOfEntries: FanotifyMask = [.attribute, .onDirectory, .onChild]

  private static let structure: FanotifyMask = [
    .create, .delete, .rename, .modify, .closeWrite, .deleteSelf, .moveSelf, .onDirectory, .onChild,
  ]
}
