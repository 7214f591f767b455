internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

// Which item is which. Answers come from the graph of the run, which is at most a few milliseconds behind the disk.

extension FileSystemObserver {
  /// The item at an absolute path; at that of the observed directory, that directory.
  ///
  /// It touches no disk, and does not wait for one.
  ///
  /// - Parameter path: `.` and `..` are resolved without looking at the disk, and no symbolic link is followed.
  /// - Returns: Nothing where the observer does not run, or has no such item.
  public subscript(path: FilePath) -> FileSystemItem.Snapshot? {
    guard let run = state.withLock({ $0.run }), let names = run.names(below: path) else { return nil }
    let item = run.driver.state.item(at: names, below: run.directory)
    if let item, item.identity != .tag { run.noteAskedFor(names) }
    return item
  }

  /// The item at a file URL; see the subscript with a path.
  public subscript(url: URL) -> FileSystemItem.Snapshot? { (try? FilePath(url)).flatMap { self[$0] } }

  /// The item with a UUID; of a file with several names, the name that stands for it.
  ///
  /// It touches no disk, and does not wait for one.
  ///
  /// - Returns: Nothing where the observer does not run, or has no such item.
  public subscript(uuid: UUID) -> FileSystemItem.Snapshot? {
    guard let run = state.withLock({ $0.run }) else { return nil }
    return run.driver.state.item(with: UUIDBits(uuid), below: run.directory)
  }

  /// The items directly in a directory, in no particular order; none where it is no directory of the tree.
  ///
  /// - Parameter directory: The UUID of the observed directory, or of one below it.
  /// - Complexity: O(*n*) for *n* items in the directory; it touches no disk.
  public func children(of directory: UUID) -> [FileSystemItem.Snapshot] {
    guard let run = state.withLock({ $0.run }) else { return [] }
    return run.driver.state.children(of: UUIDBits(directory), below: run.directory)
  }

  /// The items directly in the directory at a path.
  public func children(of path: FilePath) -> [FileSystemItem.Snapshot] {
    self[path].map { children(of: $0.uuid) } ?? []
  }

  /// All names of an item, the oldest first; none where there is no such item.
  ///
  /// - Complexity: O(*n*) for *n* names; it touches no disk.
  public func names(of uuid: UUID) -> [FilePath] {
    guard let run = state.withLock({ $0.run }) else { return [] }
    return run.driver.state.names(of: UUIDBits(uuid), below: run.directory)
  }

  /// The UUID of an item at an absolute path.
  ///
  /// An item that has not been announced yet, and one that is asked for while the observer does not run, is looked up
  /// on disk: its tag, or the UUID that would be made for it. That may wait for the disk. Nothing is written.
  ///
  /// - Parameter path: The path; see the subscript.
  /// - Returns: Nothing where there is no such item, or it is not in the observed directory.
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

  /// The UUID of an item at a file URL.
  ///
  /// - Parameter url: A file URL; for any other there is no UUID.
  /// - Returns: As ``uuid(forItemAt:)``.
  public func uuid(forItemAt url: URL) -> UUID? { (try? FilePath(url)).flatMap { uuid(forItemAt: $0) } }

  /// The UUID of the directory an item is in; for items directly in the observed directory, that directory's.
  ///
  /// - Parameter path: The path of the item, which need not exist.
  /// - Returns: Nothing for the observed directory itself, and for what is not in it.
  public func uuid(forParentOfItemAt path: FilePath) -> UUID? {
    let path = path.lexicallyNormalized()
    guard let names = configuration.names(below: path), !names.isEmpty else { return nil }
    return uuid(forItemAt: path.removingLastComponent())
  }

  /// The UUID of the directory an item is in.
  ///
  /// - Parameter url: A file URL; for any other there is no UUID.
  public func uuid(forParentOfItemAt url: URL) -> UUID? { (try? FilePath(url)).flatMap { uuid(forParentOfItemAt: $0) } }

  /// Where an item is.
  ///
  /// - Returns: Nothing where the observer does not run, or has no such item. Of several names, the one that stands for
  ///   the file.
  public func path(forItemWith uuid: UUID) -> FilePath? { self[uuid]?.path }

  /// Where an item is, as a file URL.
  ///
  /// - Returns: As ``path(forItemWith:)``. A path that is not UTF-8 has no faithful URL.
  public func url(forItemWith uuid: UUID) -> URL? { self[uuid]?.url }

  /// All items, and the moment at which this was the state.
  ///
  /// After ``stop()``, what was known last; empty before the first scan is announced. While a set of changes is being
  /// made, this waits for its end: some milliseconds at most, but for a rescan of a large tree.
  ///
  /// - Complexity: O(*n*) for *n* items: 20 ms for a million.
  public func snapshot() -> FileSystemSnapshot { snapshot(of: .all) }

  /// The items of a scope.
  func snapshot(of scope: Scope) -> FileSystemSnapshot {
    let (run, directory) = state.withLock { ($0.run ?? $0.lastRun, $0.configuration.directory) }
    guard let run else { return FileSystemSnapshot(directory: directory) }
    guard let (storage, sequence) = run.driver.state.snapshot() else {
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
  /// The UUID of an item was asked for: where that is when it gets its tag, it gets it now.
  func noteAskedFor(_ names: [FileName]) {
    guard configuration.tagging == .whenAsked else { return }
    driver.perform { $0?.writeTagAskedFor(names, .now) }
  }

  func names(below path: FilePath) -> [FileName]? { configuration.names(below: path.lexicallyNormalized()) }
}

extension FileSystemObserver.Configuration {
  /// The names that lead from the directory to a path; nothing where it is not in it.
  func names(below path: FilePath) -> [FileName]? {
    var rest = path
    guard !directory.isEmpty, rest.removePrefix(directory) else { return nil }
    return rest.components.map(FileName.init)
  }
}
