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

  private let reader: QueueReader<FanotifyInstance>
  private let sequencer: HintSequencer
  private let mounts: MountCache
  /// Whether the kernel once refused to ignore something: always before Linux 6.0, later for want of memory or marks.
  private let cannotIgnore = Atomic(false)

  /// - Parameters:
  ///   - sequencer: Numbers the hints, together with those of other sources.
  ///   - wait: Another waiter for the events, which the kernel wakes first.
  /// - Throws: ENOSYS or EINVAL on a kernel before 5.17; EMFILE where the user has too many groups or the process too
  ///   many descriptors; EPERM where it is forbidden.
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
      if former == nil { reader.forget(mark) }
      throw error
    }
    if scope == .entriesWithoutAttributes { beginTagging(in: directory, isWhole, wereToldOf: former == .entries) }
    if scope == .entries, !isBeingTagged { reader.sendEarlierChange(of: handle, mark) }
    return mark
  }

  /// The scan's own tags would fill the queue: what is added to a mark stays there until it is taken away, and one of
  /// the file system tells of all that is not to be ignored.
  private func beginTagging(in directory: DirectoryHandle, _ isWhole: Bool, wereToldOf: Bool) {
    if isWhole {
      if !reader.queue.ignore(MarkScope.attributesOfEntries, in: directory.descriptor) {
        cannotIgnore.store(true, ordering: .relaxed)
      }
    } else if wereToldOf {
      reader.queue.unmark(directory.descriptor, for: .attribute)
    }
  }

  /// What has been told of tags by now, where it could not be ignored, is still unwanted.
  private func endTagging(in directory: DirectoryHandle) {
    guard reader.queue.isPrivileged else { return }
    if cannotIgnore.load(ordering: .relaxed) { reader.readAll() }
    reader.queue.stopIgnoring(MarkScope.attributesOfEntries, in: directory.descriptor)
  }

  /// A mark of the whole file system, or else of the directory; whether it is that of the file system.
  ///
  /// If the file system has been mounted anew, it has no mark any more. What lies above the observed directory may be
  /// on another one, of which nothing else is wanted.
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

  /// The handle of a directory, and its mount: what is known of that, too, if it had to be asked for the handle.
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

  /// Without the directory the kernel keeps its mark until the directory is removed or observation ends; what it tells
  /// is thrown away.
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
