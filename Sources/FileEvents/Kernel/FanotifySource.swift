package import LinuxFileSystem
import Synchronization
package import SystemPackage

/// Hints from fanotify(7).
///
/// Without privilege each directory has a mark. With privilege one mark covers the file system, and the reader discards
/// events of other trees. Some file systems refuse that (overlayfs, FUSE, subvolumes of btrfs); their directories have
/// marks.
package final class FanotifySource: EventSource {
  /// What is marked.
  package enum Coverage: Sendable {
    /// Whole file systems, if permitted.
    case fileSystems
    /// Each directory, as without privilege.
    case directories
  }

  private let reader: QueueReader<FanotifyInstance>
  private let sequencer: HintSequencer
  private let mounts: MountCache
  /// Whether the kernel has refused an ignore mask: always before Linux 6.0, later for lack of memory or marks.
  private let cannotIgnore = Atomic(false)

  /// - Parameters:
  ///   - sequencer: Numbers the hints, together with those of other sources.
  ///   - wait: Another waiter for the events, which the kernel wakes first.
  /// - Throws: ENOSYS or EINVAL before Linux 5.17; EMFILE if the user has too many groups or the process too many
  ///   descriptors; EPERM if fanotify is forbidden.
  init(coverage: Coverage, _ sequencer: HintSequencer, _ wait: EventWait?) throws(Errno) {
    self.sequencer = sequencer
    reader = try QueueReader(FanotifyInstance(usingPrivilege: coverage == .fileSystems), sequencer, wait)
    mounts = try MountCache()
  }

  package convenience init(coverage: Coverage = .fileSystems) throws(Errno) {
    try self.init(coverage: coverage, HintSequencer(), nil)
  }

  deinit {
    stop()
  }

  package func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) throws(Errno) {
    sequencer.deliver(to: deliver)
    try start()
  }

  /// Starts to send hints to the sequencer.
  func start() throws(Errno) { try reader.start(named: "fso-fanotify") }

  package func stop() { reader.stop() }

  package func deliverPending() { reader.readAll() }

  package var delivered: UInt64 { sequencer.delivered }

  /// Marks a directory.
  ///
  /// - Throws: ENOSPC at the limit of marks; EOPNOTSUPP, ENODEV or EXDEV if fanotify cannot report the file system.
  package func mark(_ directory: DirectoryHandle, for scope: MarkScope) throws(Errno) -> MarkID {
    if directory.mountGuard == nil { return try markNow(directory, for: scope) }
    return try directory.guarded { [self] () throws(Errno) in try markNow(directory, for: scope) }
  }

  private func markNow(_ directory: DirectoryHandle, for wanted: MarkScope) throws(Errno) -> MarkID {
    let scope = wanted.whereMarksCanBeNarrowed
    let (handle, number, asked) = try locate(directory)
    let (known, wantsInode) = reader.knowledge(of: handle)
    // The directory is open while its entries are tagged, so that its mount cannot change.
    let isBeingTagged = scope == .entriesWithoutAttributes || known == .entriesWithoutAttributes
    let mount =
      if let asked { asked } else {
        try mounts.item(of: directory.descriptor, on: number, mayBeGone: !isBeingTagged)
      }
    if scope == .entries, isBeingTagged { endTagging(in: directory) }
    let inode = wantsInode ? try FileStatus.of(directory.descriptor).inode : nil
    // Inserted before the mark, so that the reader understands the first event.
    let (mark, former) = reader.insert(handle, on: mount.mount, inode: inode, for: scope)
    let isWhole: Bool
    do {
      isWhole = try add(directory, mount, for: scope)
    } catch {
      if former == nil { reader.forget(mark) }
      throw error
    }
    if scope == .entriesWithoutAttributes { beginTagging(in: directory, isWhole, wereReported: former == .entries) }
    if scope == .entries, !isBeingTagged { reader.sendEarlierChange(of: handle, mark) }
    return mark
  }

  /// Prevents events of the scan's own tags, which would fill the queue.
  ///
  /// A mark keeps what was added to it until that is removed. A mark of the file system reports everything that is not
  /// ignored.
  private func beginTagging(in directory: DirectoryHandle, _ isWhole: Bool, wereReported: Bool) {
    if isWhole {
      if !reader.queue.ignore(MarkScope.attributesOfEntries, in: directory.descriptor) {
        cannotIgnore.store(true, ordering: .relaxed)
      }
    } else if wereReported {
      reader.queue.unmark(directory.descriptor, for: .attribute)
    }
  }

  /// Discards what was queued about tags, if the kernel could not ignore it.
  private func endTagging(in directory: DirectoryHandle) {
    guard reader.queue.isPrivileged else { return }
    if cannotIgnore.load(ordering: .relaxed) { reader.readAll() }
    reader.queue.stopIgnoring(MarkScope.attributesOfEntries, in: directory.descriptor)
  }

  /// Marks the whole file system, or else the directory; returns whether the file system is marked.
  ///
  /// A file system that is mounted again has no mark. Directories above the observed one may be on another file system,
  /// of which no other event is wanted.
  private func add(
    _ directory: DirectoryHandle, _ mount: MountCache.Item, for scope: MarkScope
  ) throws(Errno) -> Bool {
    if reader.queue.isPrivileged, scope.observesEntries {
      if mount.isMarked { return true }
      do {
        try reader.queue.markFileSystem(of: directory.descriptor, for: MarkScope.fileSystemMask)
        mounts.noteMarked(mount.mount)
        return true
      } catch {
        if error == .noMemory { throw error }
      }
    }
    try reader.queue.mark(directory.descriptor, for: scope.fanotifyMask)
    return false
  }

  /// Whether a directory is marked.
  func knows(_ directory: DirectoryHandle) -> Bool {
    guard let handle = try? located(directory).handle else { return false }
    return reader.knowledge(of: handle).scope != nil
  }

  private func located(
    _ directory: DirectoryHandle
  ) throws(Errno) -> (handle: KernelHandle, mount: MountNumber, item: MountCache.Item?) {
    if directory.mountGuard == nil { return try locate(directory) }
    return try directory.guarded { [self] () throws(Errno) in try locate(directory) }
  }

  /// The handle and the mount of a directory, and the mount's item if finding the handle needed it.
  private func locate(
    _ directory: DirectoryHandle
  ) throws(Errno) -> (handle: KernelHandle, mount: MountNumber, item: MountCache.Item?) {
    var item: MountCache.Item?
    let (handle, mount) = try directory.located { (mount) throws(Errno) in
      let known = try mounts.item(of: directory.descriptor, on: mount)
      item = known
      return known.identifier
    }
    return (handle, mount, item)
  }

  /// Without the directory the kernel keeps its mark until the directory is removed or observation ends, and the reader
  /// discards the events.
  package func unmark(_ mark: MarkID, of directory: DirectoryHandle?) {
    reader.forget(mark)
    if let directory, directory.mountGuard == nil {
      reader.queue.unmark(directory.descriptor, for: MarkScope.entries.fanotifyMask)
    }
  }

  package func recognize(_ directory: DirectoryHandle) -> MarkID? {
    guard let (handle, mount, _) = try? located(directory) else { return nil }
    let (mark, _) = reader.insert(handle, on: mount, inode: nil, for: .entries)
    reader.sendEarlierChange(of: handle, mark)
    return mark
  }
}

extension MarkScope {
  /// The events of a mark of a directory.
  package var fanotifyMask: FanotifyMask {
    switch self {
    case .entries: Self.structure.union(.attribute)
    case .entriesToTag, .entriesWithoutAttributes: Self.structure
    case .departures: [.delete, .rename, .moveSelf, .onDirectory]
    case .itself: [.moveSelf, .onDirectory]
    }
  }

  /// The events of a mark of a file system.
  ///
  /// It reports removal and rename of a directory under the directory's name.
  static let fileSystemMask: FanotifyMask = [
    .create, .delete, .rename, .modify, .closeWrite, .attribute, .onDirectory,
  ]

  /// Attribute changes of the entries.
  static let attributesOfEntries: FanotifyMask = [.attribute, .onDirectory, .onChild]

  private static let structure: FanotifyMask = [
    .create, .delete, .rename, .modify, .closeWrite, .deleteSelf, .moveSelf, .onDirectory, .onChild,
  ]
}

// MARK: - Marked directories

extension QueueReader<FanotifyInstance> {
  /// The scope in which a directory is marked, if it is; and whether its inode number would help to read handles.
  fileprivate func knowledge(of directory: KernelHandle) -> (scope: MarkScope?, wantsInode: Bool) {
    withTranslator { translator in
      (translator.directories[directory.handle]?.scope, translator.directories.wantsInode(of: directory))
    }
  }

  /// Adds a directory, or changes its scope.
  ///
  /// - Returns: Its number, and the scope that it had.
  fileprivate func insert(
    _ directory: KernelHandle, on mount: MountNumber, inode: UInt64?, for scope: MarkScope
  ) -> (mark: MarkID, former: MarkScope?) {
    add(on: mount) { translator, table in
      let former = translator.directories[directory.handle]?.scope
      if let table { translator.directories.note(mount, in: table) }
      return (translator.directories.insert(directory, on: mount, inode: inode, for: scope), former)
    }
  }

  /// Sends a hint of a change of attributes that came before the directory was known.
  fileprivate func sendEarlierChange(of directory: KernelHandle, _ mark: MarkID) {
    send { translator in
      guard translator.directories.takeChange(of: directory.handle) else { return [] }
      return [Hint(directory: mark, kinds: [.attributes, .directory])]
    }
  }
}
