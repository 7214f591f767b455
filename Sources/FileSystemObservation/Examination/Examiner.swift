import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Examines a folder as an observer would, without any change.
final class Examiner {
  private typealias Examination = FileSystemObserver.Examination

  private var examination: Examination
  private let tag: FileTag
  private let files: GuardedFileSystem
  private let mounts = Mount.all()
  /// The index of the mount report of each device.
  private var reports: [UInt64: Int] = [:]
  private var unanswering: Set<FilePath> = []

  /// The limits that have refused a mark.
  private var refusedLimits: Set<ResourceLimit> = []

  private init(_ directory: FilePath, _ tag: FileTag) {
    examination = Examination(directory: directory)
    self.tag = tag
    files = .patient(tag)
  }

  static func examine(
    _ directory: FilePath, includesHidden: Bool, _ tag: FileTag
  ) throws(FileSystemObserverError) -> FileSystemObserver.Examination {
    let examiner = Examiner(directory, tag)
    defer { examiner.files.end() }
    try examiner.walk(includesHidden: includesHidden)
    examiner.countLimits()
    return examiner.examination
  }

  private func walk(includesHidden: Bool) throws(FileSystemObserverError) {
    let directory = examination.directory
    if let tree = try? files.guarded(directory, { () throws(Errno) in GitWorkingTree.above(directory) }) { note(tree) }
    try TreeWalker.walk(directory, in: files, includesHidden: includesHidden) { entry in
      self.visit(entry)
    } fail: { path, errno in
      self.noteUnreadable(path, errno)
    }
  }

  private func noteUnreadable(_ path: FilePath, _ errno: Errno) {
    guard errno == .timedOut else { return examination.unreadable.add(path, errno) }
    let mount = mounts.last { path.starts(with: $0.path) }?.path ?? path
    if unanswering.insert(mount).inserted { examination.unanswering.add(mount, errno) }
  }

  private func visit(_ entry: TreeEntry) {
    guard let status = try? files.status(of: entry.name, in: entry.directory) else { return }
    if status.kind == .directory {
      examination.directoryCount += 1
      if let tree = gitWorkingTree(at: entry) { note(tree) }
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

  private func gitWorkingTree(at entry: TreeEntry) -> GitWorkingTree? {
    let path = entry.path
    return try? files.guarded(entry.name, in: entry.directory) { () throws(Errno) in GitWorkingTree(at: path) }
  }

  private func note(_ tree: GitWorkingTree) {
    examination.gitWorkingTrees.append(
      Examination.WorkingTree(place: EncodedPath(tree.path), trustsChangeTimes: tree.trustsChangeTimes))
  }

  private func noteTag(of entry: TreeEntry, isSpared: Bool, on mount: Examination.Mount) {
    if files.readTag(of: entry.name, in: entry.directory).uuid != nil { return examination.taggedCount += 1 }
    let reason: FileSystemObserver.SkipReason
    let refusal = refusal(of: entry)
    switch refusal {
    case _ where mount.takesTags == false && !mount.isReadOnly: reason = .tagNotSupported
    case .readOnlyFileSystem: reason = .readOnly
    case nil where isSpared: reason = .onlyInLowerLayer
    case nil, .timedOut: return
    default: reason = .tagNotPermitted
    }
    examination.untaggable[reason, default: Examination.Group()].add(entry.path, refusal)
  }

  /// Why this user may not write a file; ETIMEDOUT if its mount does not answer.
  private func refusal(of entry: TreeEntry) -> Errno? {
    let (name, directory) = (FileName(entry.name), entry.directory)
    do throws(Errno) {
      return try files.guarded(entry.name, in: directory) { () throws(Errno) in
        name.withView { WritePermission.refusal(of: $0, in: directory.descriptor) }
      }
    } catch {
      return error
    }
  }

  /// `nil` if the probe failed, or if this user may not write the file.
  private func hasLeases(_ entry: TreeEntry) -> Bool? {
    let (name, directory) = (FileName(entry.name), entry.directory)
    let probe = try? files.guarded(entry.name, in: directory) { () throws(Errno) in
      name.withView { WriterProbe.of($0, in: directory.descriptor) }
    }
    switch probe {
    case .nobodyWrites, .beingWritten: return true
    case .unknown: return refusal(of: entry) == nil ? false : nil
    case .failed, nil: return nil
    }
  }
}

// MARK: - File systems

extension Examiner {
  /// The index of the report of an entry's file system, made at the first folder on it.
  private func report(of status: FileStatus, _ entry: TreeEntry) -> Int? {
    if let known = reports[status.device] { return known }
    guard status.kind == .directory, let offer = offer(at: entry, isSpared: status.isSpared) else { return nil }
    let choice = offer.choice
    let mount = mounts.last { $0.device == status.device }
    reports[status.device] = examination.mounts.count
    examination.mounts.append(
      Examination.Mount(
        place: EncodedPath(entry.path), type: mount?.type ?? offer.type.name, isReadOnly: mount?.isReadOnly ?? false,
        source: FileSystemObserver.Backend(choice.name), reason: choice.reason,
        takesTags: offer.takesTags, hasLeases: nil, hasBirthTimes: status.born != 0,
        isUnlimited: choice.isUnlimited))
    if let limit = choice.limit { refusedLimits.insert(limit.limit) }
    return examination.mounts.count - 1
  }

  /// What a file system offers.
  private struct Offer: Sendable {
    let choice: SourceChoice
    let type: FileSystemType
    let takesTags: Bool?
  }

  /// What the file system of a folder offers; `nil` if the folder cannot be opened or does not answer.
  private func offer(at entry: TreeEntry, isSpared: Bool) -> Offer? {
    let (name, directory, tag) = (FileName(entry.name), entry.directory, tag)
    return try? files.guarded(entry.name, in: directory) { () throws(Errno) in
      let folder = try name.withView { (name) throws(Errno) in try directory.open(name, for: .list) }
      return Offer(
        choice: try SourceChoice.for(folder), type: try FileSystemType.of(folder.descriptor),
        takesTags: Self.takesTags(tag, folder, isSpared: isSpared))
    }
  }

  /// Tests tagging on an unnamed file; if there can be none, uses the answer to reading a tag.
  private static func takesTags(_ tag: FileTag, _ directory: DirectoryHandle, isSpared: Bool) -> Bool? {
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
