import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Examines a folder as an observer would, without any change.
final class Examiner {
  private typealias Examination = FileSystemObserver.Examination

  private var examination: Examination
  private let tag: FileTag
  private let files: HostFileSystem
  private let mounts = Mount.all()
  /// The index of the mount report of each device.
  private var reports: [UInt64: Int] = [:]

  /// The limits that have refused a mark.
  private var refusedLimits: Set<ResourceLimit> = []

  private init(_ directory: FilePath, _ tag: FileTag) {
    examination = Examination(directory: directory)
    self.tag = tag
    files = HostFileSystem(tag: tag)
  }

  static func examine(
    _ directory: FilePath, includesHidden: Bool, _ tag: FileTag
  ) throws(FileSystemObserverError) -> FileSystemObserver.Examination {
    let examiner = Examiner(directory, tag)
    try examiner.walk(includesHidden: includesHidden)
    examiner.countLimits()
    return examiner.examination
  }

  private func walk(includesHidden: Bool) throws(FileSystemObserverError) {
    if let tree = GitWorkingTree.above(examination.directory) { note(tree) }
    try TreeWalker.walk(examination.directory, includesHidden: includesHidden) { entry in
      self.visit(entry)
    } fail: { path, errno in
      self.examination.unreadable.add(path, errno)
    }
  }

  private func visit(_ entry: TreeEntry) {
    guard let status = try? files.status(of: entry.name, in: entry.directory) else { return }
    if status.kind == .directory {
      examination.directoryCount += 1
      if let tree = GitWorkingTree(at: entry.path) { note(tree) }
    } else {
      examination.fileCount += 1
    }
    guard let index = report(of: status, entry) else { return }
    if status.kind == .directory { examination.mounts[index].directoryCount += 1 }
    if status.kind == .file, examination.mounts[index].hasLeases == nil {
      examination.mounts[index].hasLeases = hasLeases(entry)
    }
    noteTag(of: entry, isSpared: status.isSpared, on: examination.mounts[index])
  }

  private func note(_ tree: GitWorkingTree) {
    examination.gitWorkingTrees.append(
      Examination.WorkingTree(place: EncodedPath(tree.path), trustsChangeTimes: tree.trustsChangeTimes))
  }

  private func noteTag(of entry: TreeEntry, isSpared: Bool, on mount: Examination.Mount) {
    if tag.read(of: entry.name, in: entry.directory.descriptor).uuid != nil { return examination.taggedCount += 1 }
    let reason: FileSystemObserver.SkipReason
    let refusal = WritePermission.refusal(of: entry.name, in: entry.directory.descriptor)
    switch refusal {
    case _ where mount.takesTags == false && !mount.isReadOnly: reason = .tagNotSupported
    case .readOnlyFileSystem: reason = .readOnly
    case nil where isSpared: reason = .onlyInLowerLayer
    case nil: return
    default: reason = .tagNotPermitted
    }
    examination.untaggable[reason, default: Examination.Group()].add(entry.path, refusal)
  }

  /// `nil` if the probe failed, or if this user may not write the file.
  private func hasLeases(_ entry: TreeEntry) -> Bool? {
    switch WriterProbe.of(entry.name, in: entry.directory.descriptor) {
    case .nobodyWrites, .beingWritten: true
    case .unknown: WritePermission.refusal(of: entry.name, in: entry.directory.descriptor) == nil ? false : nil
    case .failed: nil
    }
  }
}

// MARK: - File systems

extension Examiner {
  /// The index of the report of an entry's file system, made at the first folder on it.
  private func report(of status: FileStatus, _ entry: TreeEntry) -> Int? {
    if let known = reports[status.device] { return known }
    guard status.kind == .directory,
      let handle = try? entry.directory.open(entry.name, for: .list),
      let choice = try? SourceChoice.for(handle), let type = try? FileSystemType.of(handle.descriptor)
    else { return nil }
    let mount = mounts.last { $0.device == status.device }
    reports[status.device] = examination.mounts.count
    examination.mounts.append(
      Examination.Mount(
        place: EncodedPath(entry.path), type: mount?.type ?? type.name, isReadOnly: mount?.isReadOnly ?? false,
        source: FileSystemObserver.Backend(choice.name), reason: choice.reason,
        takesTags: takesTags(handle, isSpared: status.isSpared), hasLeases: nil, hasBirthTimes: status.born != 0,
        isUnlimited: choice.isUnlimited))
    if let limit = choice.limit { refusedLimits.insert(limit.limit) }
    return examination.mounts.count - 1
  }

  /// Tests tagging on an unnamed file; if there can be none, uses the answer to reading a tag.
  private func takesTags(_ directory: DirectoryHandle, isSpared: Bool) -> Bool? {
    // Even an unnamed file in a folder of a lower layer copies the folder into the upper layer.
    if !isSpared, let file = try? UnnamedFile.make(in: directory.descriptor) {
      do throws(Errno) {
        return try tag.claim(UUIDBits.minted(for: FileKey(try FileStatus.of(file)), on: 0), of: file)
      } catch {
        return error == .notSupported ? false : nil
      }
    }
    return FileName(".").withView { tag.isUnsupported(for: $0, in: directory.descriptor) ? false : nil }
  }
}

// MARK: - Limits

extension Examiner {
  /// The number of descriptors of an observer, besides one for each level of the tree.
  private static let usualDescriptors: UInt64 = 300

  private func countLimits() {
    let usage = KernelUsage.current()
    examination.limits = needs().compactMap { limit, needed in
      guard let current = limit.current, let used = usage.used(of: limit) else { return nil }
      // The invisible use by other processes counts too.
      let known = refusedLimits.contains(limit) ? max(used, current.value) : used
      return Examination.Limit(limit, current, used: known, needed: needed)
    }
  }

  /// The amount of each resource that the tree needs.
  private func needs() -> [(ResourceLimit, UInt64)] {
    let (fanotify, inotify) = (directoryCount(.fanotify), directoryCount(.inotify))
    var needs: [(ResourceLimit, UInt64)] = []
    if fanotify > 0 { needs += [(.fanotifyMarks, fanotify), (.fanotifyGroups, 1)] }
    if inotify > 0 { needs += [(.inotifyWatches, inotify), (.inotifyInstances, 1)] }
    for limit in ResourceLimit.allCases where refusedLimits.contains(limit) && !needs.contains(where: { $0.0 == limit })
    { needs.append((limit, 1)) }
    needs.append((.processDescriptors, Self.usualDescriptors))
    return needs
  }

  /// The number of directories that need a mark of a source.
  private func directoryCount(_ source: FileSystemObserver.Backend) -> UInt64 {
    let mounts = examination.mounts.filter { $0.source == source && !$0.isUnlimited }
    return UInt64(mounts.reduce(0) { $0 + $1.directoryCount })
  }
}

extension FileSystemObserver.Backend {
  fileprivate init(_ name: SourceChoice.Name) {
    self =
      switch name {
      case .fanotify: .fanotify
      case .inotify: .inotify
      case .polling: .polling
      }
  }
}
