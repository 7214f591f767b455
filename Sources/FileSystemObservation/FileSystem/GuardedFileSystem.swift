import FileEvents
package import FileIdentity
package import LinuxFileSystem
package import SystemPackage

/// The file system of the machine, for an observer that must not hang.
///
/// The guard of a mount that may not answer performs all calls on that mount, and throws ETIMEDOUT if there is no
/// answer. Calls on other mounts cost nothing more.
package final class GuardedFileSystem: FileSystem {
  let host: HostFileSystem
  let mounts: GuardedMounts

  package init(_ host: HostFileSystem) {
    self.host = host
    mounts = GuardedMounts()
  }

  /// - Parameter limit: The time limit of each call in nanoseconds.
  private init(_ host: HostFileSystem, limit: Int64) {
    self.host = host
    mounts = GuardedMounts(limit: limit)
  }

  /// One for a command or a call of the app, for which nothing else waits: it waits for each call for five seconds.
  static func patient(_ tag: FileTag) -> GuardedFileSystem {
    GuardedFileSystem(HostFileSystem(tag: tag), limit: 5_000_000_000)
  }

  /// Calls `handler` when there is news of mounts.
  func onMountNews(_ handler: @escaping @Sendable () -> Void) { mounts.onNews(handler) }

  /// Ends all waiting for mounts, and makes no more calls to them.
  func end() { mounts.end() }

  /// The guard for calls on a name; `nil` if they cannot hang.
  private func guardian(of name: NameView, in directory: DirectoryHandle) -> MountGuard? {
    if let guardian = directory.mountGuard { return guardian }
    if case .guarded(let guardian) = mounts.crossing(name, in: directory) { return guardian }
    return nil
  }

  /// Makes a call on a name, which may hang if its mount does not answer.
  ///
  /// - Throws: ETIMEDOUT if there is no answer; the error of `body`.
  func guarded<Result>(
    _ name: NameView, in directory: DirectoryHandle,
    _ body: @escaping @Sendable () throws(Errno) -> Result
  ) throws(Errno) -> Result {
    guard let guardian = guardian(of: name, in: directory) else { return try body() }
    return try guardian.perform { (_) throws(Errno) in try body() }
  }

  /// Makes a call on a path, which may hang if a mount does not answer.
  ///
  /// - Throws: ETIMEDOUT if there is no answer; the error of `body`.
  func guarded<Result>(
    _ path: FilePath, _ body: @escaping @Sendable () throws(Errno) -> Result
  ) throws(Errno) -> Result {
    guard let guardian = mounts.guardian(of: path) else { return try body() }
    return try guardian.perform { (_) throws(Errno) in try body() }
  }

  package func takeMountNews() -> [MountNews] { mounts.takeNews() }
  package var wallClock: Int64 { host.wallClock }
}

// MARK: - Directories

extension GuardedFileSystem {
  package func path(of directory: DirectoryHandle) -> FilePath? { host.path(of: directory) }

  package func openRoot(at path: FilePath) throws(Errno) -> DirectoryHandle {
    guard let guardian = mounts.guardian(of: path) else { return try host.openRoot(at: path) }
    return try guardian.perform { [host] _ throws(Errno) in
      try Self.guarded(host.openRoot(at: path), by: guardian)
    }
  }

  package func openDirectory(withoutLinks path: FilePath) throws(Errno) -> DirectoryHandle {
    guard let guardian = mounts.guardian(of: path) else { return try host.openDirectory(withoutLinks: path) }
    return try guardian.perform { [host] _ throws(Errno) in
      try Self.guarded(host.openDirectory(withoutLinks: path), by: guardian)
    }
  }

  /// A directory that was opened by its path, with a guard if its mount needs one.
  private static func guarded(_ directory: DirectoryHandle, by guardian: MountGuard) -> DirectoryHandle {
    let mount = MountNumber.of(directory.descriptor)
    let isGuarded = MountPoint.special().contains { $0.mayHang && $0.number == mount }
    return isGuarded ? directory.guarded(by: guardian) : directory
  }

  package func noteRoot(_ root: DirectoryHandle) {
    host.noteRoot(root)
    mounts.update(below: root)
  }

  package func mayStayOpen(_ directory: DirectoryHandle) -> Bool {
    // On the root's own mount, another open directory prevents nothing.
    directory.mountGuard == nil && host.mayStayOpen(directory)
  }

  package func openAncestors(of root: DirectoryHandle) -> [DirectoryHandle] {
    guard let guardian = root.mountGuard else { return host.openAncestors(of: root) }
    let opened = try? guardian.perform { [host] _ in host.openAncestors(of: root).map { $0.guarded(by: guardian) } }
    return opened ?? []
  }

  package func mountPoints(below root: DirectoryHandle) -> [MountNumber: [FileName]] {
    mounts.update(below: root)
    return host.mountPoints(below: root)
  }

  package func openDirectory(
    _ name: NameView, in directory: DirectoryHandle, for access: OwnedDescriptor.Access
  ) throws(Errno) -> DirectoryHandle {
    let guardian: MountGuard
    switch directory.mountGuard.map(GuardedMounts.Crossing.guarded) ?? mounts.crossing(name, in: directory) {
    case nil where !directory.isAutomount: return try host.openDirectory(name, in: directory, for: access)
    case nil, .automount: return try directory.openAutomount(name)
    case .guarded(let found): guardian = found
    }
    let name = FileName(name)
    // It is opened for listing later.
    return try guardian.perform { _ throws(Errno) in
      try name.withView { (view) throws(Errno) in try directory.open(view, for: .search).guarded(by: guardian) }
    }
  }

  package func timesFollowEntries(of directory: DirectoryHandle) -> Bool {
    guard let guardian = directory.mountGuard else { return host.timesFollowEntries(of: directory) }
    return (try? guardian.perform { [host] _ in host.timesFollowEntries(of: directory) }) ?? false
  }

  package func reopenForListing(_ directory: DirectoryHandle) throws(Errno) -> DirectoryHandle {
    if directory.isAutomount { return directory }
    guard let guardian = directory.mountGuard else { return try host.reopenForListing(directory) }
    // Checks that it may be listed; `list` opens it again.
    try guardian.perform { [host] _ throws(Errno) in _ = try host.reopenForListing(directory) }
    return directory
  }

  package func status(of directory: DirectoryHandle) throws(Errno) -> FileStatus {
    guard let guardian = directory.mountGuard else { return try host.status(of: directory) }
    return try guardian.perform { [host] _ throws(Errno) in try host.status(of: directory) }
  }

  package func inodesInTrash(among questions: [TrashQuestion], root: DirectoryHandle) -> Set<FileKey> {
    guard let guardian = root.mountGuard ?? mounts.guardian(of: TrashFolders.own) else {
      return host.inodesInTrash(among: questions, root: root)
    }
    let found = try? guardian.perform { [host] _ in host.inodesInTrash(among: questions, root: root) }
    return found ?? []
  }
}

// MARK: - Names

extension GuardedFileSystem {
  package func status(of name: NameView, in directory: DirectoryHandle) throws(Errno) -> FileStatus {
    guard let guardian = guardian(of: name, in: directory) else { return try host.status(of: name, in: directory) }
    let name = FileName(name)
    do {
      return try guardian.perform { [host] _ throws(Errno) in
        try name.withView { (view) throws(Errno) in try host.status(of: view, in: directory) }
      }
    } catch {
      // The mount refuses: the permissions of its parent directory are not the cause.
      guard error == .permissionDenied, directory.mountGuard == nil else { throw error }
      mounts.noteRefusal(by: guardian)
      throw .notPermitted
    }
  }

  package func fileSystemIdentifier(
    of status: FileStatus, named name: NameView, in directory: DirectoryHandle
  ) -> UInt64 {
    guard let guardian = guardian(of: name, in: directory) else {
      return host.fileSystemIdentifier(of: status, named: name, in: directory)
    }
    let name = FileName(name)
    let found = try? guardian.perform { [host] _ in
      name.withView { host.fileSystemIdentifier(of: status, named: $0, in: directory) }
    }
    return found ?? status.device
  }

  /// The identifier of the file system on a device, if it is known and outlasts a restart; see
  /// `fileSystemIdentifier(of:named:in:)`.
  package func lastingIdentifier(ofDevice device: UInt64) -> UInt64? { host.lastingIdentifier(ofDevice: device) }

  package func readTag(of name: NameView, in directory: DirectoryHandle) -> TagReading {
    guard let guardian = guardian(of: name, in: directory) else { return host.readTag(of: name, in: directory) }
    let name = FileName(name)
    return (try? guardian.perform { [host] _ in name.withView { host.readTag(of: $0, in: directory) } }) ?? .unreadable
  }

  package func attributes(of name: NameView, in directory: DirectoryHandle) -> AttributeSummary? {
    guard let guardian = guardian(of: name, in: directory) else { return host.attributes(of: name, in: directory) }
    let name = FileName(name)
    return (try? guardian.perform { [host] _ in name.withView { host.attributes(of: $0, in: directory) } }) ?? nil
  }

  package func claimTag(
    _ uuid: UUIDBits, for name: NameView, in directory: DirectoryHandle, expecting key: FileKey
  ) throws(Errno) -> TagWriting {
    guard let guardian = guardian(of: name, in: directory) else {
      return try host.claimTag(uuid, for: name, in: directory, expecting: key)
    }
    let name = FileName(name)
    return try guardian.perform { [host] _ throws(Errno) in
      try name.withView { (view) throws(Errno) in
        try host.claimTag(uuid, for: view, in: directory, expecting: key)
      }
    }
  }

  package func claimTagNotingTime(
    _ uuid: UUIDBits, for name: NameView, in directory: DirectoryHandle, expecting key: FileKey
  ) throws(Errno) -> (outcome: TagWriting, changed: Int64?) {
    guard guardian(of: name, in: directory) == nil else {
      return (try claimTag(uuid, for: name, in: directory, expecting: key), nil)
    }
    return try host.claimTagNotingTime(uuid, for: name, in: directory, expecting: key)
  }

  package func replaceTag(
    with uuid: UUIDBits, for name: NameView, in directory: DirectoryHandle, expecting key: FileKey
  ) throws(Errno) -> TagWriting {
    guard let guardian = guardian(of: name, in: directory) else {
      return try host.replaceTag(with: uuid, for: name, in: directory, expecting: key)
    }
    let name = FileName(name)
    return try guardian.perform { [host] _ throws(Errno) in
      try name.withView { (view) throws(Errno) in
        try host.replaceTag(with: uuid, for: view, in: directory, expecting: key)
      }
    }
  }

  package func probeWriters(of name: NameView, in directory: DirectoryHandle) -> WriterProbe {
    guard let guardian = guardian(of: name, in: directory) else { return host.probeWriters(of: name, in: directory) }
    let name = FileName(name)
    let found = try? guardian.perform { [host] _ in name.withView { host.probeWriters(of: $0, in: directory) } }
    return found ?? .failed
  }

  package func mayReadContents(in directory: DirectoryHandle) -> Bool {
    directory.mountGuard == nil && !directory.isAutomount && host.mayReadContents(in: directory)
  }

  /// Nothing is waited for on a mount that may not answer.
  package func passBarrier(in directory: DirectoryHandle) -> Bool {
    directory.mountGuard == nil && host.passBarrier(in: directory)
  }

  package func lookAfterWriters(of name: NameView, in directory: DirectoryHandle) -> LookAfterWriters {
    guard guardian(of: name, in: directory) == nil else {
      return lookByName(after: probeWriters(of: name, in: directory), at: name, in: directory)
    }
    return host.lookAfterWriters(of: name, in: directory)
  }
}
