internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

// Look-ups. They read the graph of the run, which is at most a few milliseconds behind the disk.

extension FileSystemObserver {
  /// The item at an absolute path; the observed directory at its own path.
  ///
  /// Does not access the disk. May be called on any thread.
  ///
  /// - Parameter path: `.` and `..` are resolved lexically; symbolic links are not followed.
  /// - Returns: `nil` if the observer does not run or has no such item; also until the first scan has ended, and for a
  ///   new file until it is announced. ``synchronize(writingTags:)`` waits for both.
  public subscript(path: FilePath) -> FileSystemItem.Snapshot? {
    guard let run = state.withLock({ $0.run }), let names = run.names(below: path) else { return nil }
    let item = run.driver.state.item(at: names, below: run.directory)
    if let item, item.identity != .tag { run.noteAskedFor(names) }
    return item
  }

  /// The item at a file URL; see the subscript with a path.
  public subscript(url: URL) -> FileSystemItem.Snapshot? { (try? FilePath(url)).flatMap { self[$0] } }

  /// The item with a UUID; for a file with several names, the item of its oldest name.
  ///
  /// Does not access the disk. May be called on any thread.
  ///
  /// - Returns: `nil` if the observer does not run or has no such item; also until the first scan has ended, and for a
  ///   new file until it is announced. ``synchronize(writingTags:)`` waits for both.
  public subscript(uuid: UUID) -> FileSystemItem.Snapshot? {
    guard let run = state.withLock({ $0.run }) else { return nil }
    return run.driver.state.item(with: UUIDBits(uuid), below: run.directory)
  }

  /// The items directly in a directory, in no particular order; empty if the UUID is not that of a directory of the
  /// tree.
  ///
  /// - Parameter directory: The UUID of the observed directory, or of one below it.
  /// - Complexity: O(*n*) for *n* items in the directory, without disk access.
  public func children(of directory: UUID) -> [FileSystemItem.Snapshot] {
    guard let run = state.withLock({ $0.run }) else { return [] }
    return run.driver.state.children(of: UUIDBits(directory), below: run.directory)
  }

  /// The items directly in the directory at a path; see the call with a UUID.
  public func children(of path: FilePath) -> [FileSystemItem.Snapshot] {
    self[path].map { children(of: $0.uuid) } ?? []
  }

  /// All names of an item, the oldest first; empty if there is no such item.
  ///
  /// - Complexity: O(*n*) for *n* names, without disk access.
  public func names(of uuid: UUID) -> [FilePath] {
    guard let run = state.withLock({ $0.run }) else { return [] }
    return run.driver.state.names(of: UUIDBits(uuid), below: run.directory)
  }

  /// The UUID of the item at an absolute path.
  ///
  /// An item that is not announced yet is looked up on disk, as is any item while the observer does not run: the result
  /// is its tag, or the UUID that would be made for it. That may block on the disk. Nothing is written.
  ///
  /// - Parameter path: The path, resolved as in the subscript.
  /// - Returns: `nil` if there is no such item, or if the path is outside the observed directory.
  public func uuid(forItemAt path: FilePath) -> UUID? {
    let path = path.lexicallyNormalized()
    let (run, configuration) = state.withLock { ($0.run, $0.configuration) }
    let inForce = run?.configuration ?? configuration
    guard let names = inForce.names(below: path) else { return nil }
    if let run, let known = run.driver.state.uuid(at: names) {
      run.noteAskedFor(names)
      return UUID(known)
    }
    return Self.uuidOnDisk(path, tagName: inForce.tagName).map { UUID($0) }
  }

  /// The UUID of the item at a file URL.
  ///
  /// - Parameter url: A file URL; any other URL has no UUID.
  /// - Returns: The same as ``uuid(forItemAt:)``.
  public func uuid(forItemAt url: URL) -> UUID? { (try? FilePath(url)).flatMap { uuid(forItemAt: $0) } }

  /// The UUID of an item's parent directory.
  ///
  /// - Parameter path: The path of the item, which need not exist.
  /// - Returns: `nil` for the observed directory itself and for a path outside it.
  public func uuid(forParentOfItemAt path: FilePath) -> UUID? {
    let path = path.lexicallyNormalized()
    guard let names = configuration.names(below: path), !names.isEmpty else { return nil }
    return uuid(forItemAt: path.removingLastComponent())
  }

  /// The UUID of an item's parent directory.
  ///
  /// - Parameter url: A file URL; any other URL has no UUID.
  public func uuid(forParentOfItemAt url: URL) -> UUID? { (try? FilePath(url)).flatMap { uuid(forParentOfItemAt: $0) } }

  /// The path of an item; for a file with several names, the oldest.
  ///
  /// - Returns: `nil` if the observer does not run or has no such item; also until the first scan has ended, and for a
  ///   new file until it is announced. ``synchronize(writingTags:)`` waits for both.
  public func path(forItemWith uuid: UUID) -> FilePath? { self[uuid]?.path }

  /// The file URL of an item.
  ///
  /// - Returns: The same as ``path(forItemWith:)``. A path that is not UTF-8 has no faithful URL.
  public func url(forItemWith uuid: UUID) -> URL? { self[uuid]?.url }

  /// A snapshot of all items.
  ///
  /// After ``stop()``, the last known state; empty until the first scan is announced. Blocks while the observer makes a
  /// set of changes: a few milliseconds, longer for a rescan of a large tree.
  ///
  /// - Complexity: O(*n*) for *n* items: 20 ms for a million.
  public func snapshot() -> FileSystemSnapshot { snapshot(of: .all) }

  /// A snapshot of the items of a scope.
  func snapshot(of scope: Scope) -> FileSystemSnapshot {
    guard let run = latestRun else { return FileSystemSnapshot(directory: directory) }
    guard let (storage, sequence) = run.observed.snapshot() else {
      return FileSystemSnapshot(directory: run.directory)
    }
    return FileSystemSnapshot(storage, sequence: sequence, directory: run.directory, epoch: run.epoch, scope: scope)
  }

  private static func uuidOnDisk(_ path: FilePath, tagName: String) -> UUIDBits? {
    let files = HostFileSystem(tag: FileTag(name: tagName))
    guard let name = path.lastComponent.map(FileName.init),
      let parent = try? files.openRoot(at: path.removingLastComponent())
    else { return nil }
    return name.withView { view in
      guard let status = try? files.status(of: view, in: parent), status.kind != .special else { return nil }
      let tag = status.kind == .symlink ? .none : files.readTag(of: view, in: parent)
      if let uuid = tag.uuid { return uuid }
      let fileSystem = files.fileSystemIdentifier(of: status, named: view, in: parent)
      return UUIDBits.minted(for: FileKey(status), on: fileSystem)
    }
  }
}

extension FileSystemObserver.Run {
  /// Notes that the UUID of an item was asked for; with `.whenAsked` the item now gets its tag.
  func noteAskedFor(_ names: [FileName]) {
    guard configuration.tagging == .whenAsked else { return }
    driver.perform { $0?.writeTagAskedFor(names, .now) }
  }

  func names(below path: FilePath) -> [FileName]? { configuration.names(below: path.lexicallyNormalized()) }
}

extension FileSystemObserver.Configuration {
  /// The names that lead from the directory to a path; `nil` if the path is outside the directory.
  func names(below path: FilePath) -> [FileName]? {
    var rest = path
    guard !directory.isEmpty, rest.removePrefix(directory) else { return nil }
    return rest.components.map(FileName.init)
  }
}
