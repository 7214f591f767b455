import FileEvents
import FileIdentity
import FileSystemObservation
import LinuxFileSystem
import SystemPackage

/// Looks at a folder as an observer would, and changes nothing.
final class Examination {
  private var diagnosis: Diagnosis
  private let tag = FileTag()
  private let files = HostFileSystem(tag: FileTag())
  private let mounts = Mount.all()
  /// Where the report of each device is.
  private var reports: [UInt64: Int] = [:]

  private init(_ directory: FilePath) {
    diagnosis = Diagnosis(directory: directory)
  }

  static func examine(_ directory: FilePath, includesHidden: Bool) throws(CommandFailure) -> Diagnosis {
    let examination = Examination(directory)
    try examination.walk(includesHidden: includesHidden)
    examination.countLimits()
    return examination.diagnosis
  }

  private func walk(includesHidden: Bool) throws(CommandFailure) {
    diagnosis.gitTrees = [GitWorkingTree.above(diagnosis.directory)].compactMap { $0 }
    try TreeWalker.walk(diagnosis.directory, includesHidden: includesHidden) { entry in
      self.visit(entry)
    } fail: { path, errno in
      self.diagnosis.unreadable.add(path, errno)
    }
  }

  private func visit(_ entry: TreeEntry) {
    guard let status = try? files.status(of: entry.name, in: entry.directory) else { return }
    if status.kind == .directory {
      diagnosis.folderCount += 1
      if let tree = GitWorkingTree(at: entry.path) { diagnosis.gitTrees.append(tree) }
    } else {
      diagnosis.fileCount += 1
    }
    guard let index = report(of: status, entry) else { return }
    if status.kind == .directory { diagnosis.mounts[index].folderCount += 1 }
    if status.kind == .file, diagnosis.mounts[index].hasLeases == nil {
      diagnosis.mounts[index].hasLeases = hasLeases(entry)
    }
    noteTag(of: entry, isSpared: status.isSpared, on: diagnosis.mounts[index])
  }

  private func noteTag(of entry: TreeEntry, isSpared: Bool, on mount: Diagnosis.MountReport) {
    if tag.read(of: entry.name, in: entry.directory.descriptor).uuid != nil { return diagnosis.taggedCount += 1 }
    let reason: FileSystemObserver.SkipReason
    let refusal = WritePermission.refusal(of: entry.name, in: entry.directory.descriptor)
    switch refusal {
    case _ where mount.takesTags == false && !mount.isReadOnly: reason = .tagNotSupported
    case .readOnlyFileSystem: reason = .readOnly
    case nil where isSpared: reason = .onlyInLowerLayer
    case nil: return
    default: reason = .tagNotPermitted
    }
    diagnosis.untaggable[reason, default: Diagnosis.Group()].add(entry.path, refusal)
  }

  /// Nothing where the file is another's, or somebody writes it.
  private func hasLeases(_ entry: TreeEntry) -> Bool? {
    switch WriterProbe.of(entry.name, in: entry.directory.descriptor) {
    case .nobodyWrites, .beingWritten: true
    case .unknown: WritePermission.refusal(of: entry.name, in: entry.directory.descriptor) == nil ? false : nil
    case .failed: nil
    }
  }
}

extension Diagnosis.Group {
  mutating func add(_ path: FilePath, _ errno: Errno?) {
    count += 1
    if first == nil {
      first = path
      self.errno = errno
    }
  }
}

// MARK: - File systems

extension Examination {
  /// Where the report of an entry's file system is: it is made when its first folder is met.
  private func report(of status: FileStatus, _ entry: TreeEntry) -> Int? {
    if let known = reports[status.device] { return known }
    guard status.kind == .directory,
      let handle = try? entry.directory.open(entry.name, for: .list),
      let choice = try? SourceChoice.for(handle), let type = try? FileSystemType.of(handle.descriptor)
    else { return nil }
    let mount = mounts.last { $0.device == status.device }
    reports[status.device] = diagnosis.mounts.count
    diagnosis.mounts.append(
      Diagnosis.MountReport(
        path: entry.path, type: mount?.type ?? type.name, isReadOnly: mount?.isReadOnly ?? false, source: choice,
        takesTags: takesTags(handle, isSpared: status.isSpared), hasLeases: nil, hasBirthTimes: status.born != 0))
    return diagnosis.mounts.count - 1
  }

  /// Tries it on a file without a name; where there can be none, the answer to reading says as much as can be known.
  private func takesTags(_ directory: DirectoryHandle, isSpared: Bool) -> Bool? {
    // A file in a folder of a lower layer, be it without a name, has the folder copied.
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

extension Examination {
  /// What an observer opens besides one descriptor a level of the tree.
  private static let usualDescriptors: UInt64 = 300

  private func countLimits() {
    let usage = KernelUsage.current()
    let folders = { (name: SourceChoice.Name) in
      let mounts = self.diagnosis.mounts.filter { $0.source.name == name && !$0.source.isUnlimited }
      return UInt64(mounts.reduce(0) { $0 + $1.folderCount })
    }
    let refused = Set(diagnosis.mounts.compactMap { $0.source.limit?.limit })
    var needs: [(ResourceLimit, UInt64)] = []
    if folders(.fanotify) > 0 { needs += [(.fanotifyMarks, folders(.fanotify)), (.fanotifyGroups, 1)] }
    if folders(.inotify) > 0 { needs += [(.inotifyWatches, folders(.inotify)), (.inotifyInstances, 1)] }
    for limit in refused where !needs.contains(where: { $0.0 == limit }) { needs.append((limit, 1)) }
    needs.append((.processDescriptors, Self.usualDescriptors))
    diagnosis.limits = needs.compactMap { limit, needed in
      guard let (setting, value) = limit.current, let used = usage.used(of: limit) else { return nil }
      // What others have that cannot be seen counts too.
      let known = refused.contains(limit) ? max(used, value) : used
      return Diagnosis.LimitReport(limit: limit, setting: setting, value: value, used: known, needed: needed)
    }
  }
}
