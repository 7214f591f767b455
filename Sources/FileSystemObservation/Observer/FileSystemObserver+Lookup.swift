internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

// Which file is which. Answers come from the graph, which is at most a few milliseconds behind the disk.

extension FileSystemObserver {
  /// The UUID of an item.
  ///
  /// An item that has not been announced yet, and one that is asked for while the observer does not run, is looked up on disk: its
  /// tag, or the UUID that would be minted for it. Nothing is written.
  ///
  /// - Returns: Nothing where there is no such item, it is not below the folder, or the URL is no file URL.
  public func uuid(forItemAt url: URL) -> UUID? { (try? FilePath(url)).flatMap { uuid(forItemAt: $0) } }

  /// The UUID of an item at an absolute path.
  public func uuid(forItemAt path: FilePath) -> UUID? {
    let path = path.lexicallyNormalized()
    guard let names = names(below: path) else { return nil }
    if let driver = state.withLock({ $0.driver }), let known = driver.state.uuid(at: names) { return UUID(known) }
    return uuidOnDisk(path).map { UUID($0) }
  }

  /// The UUID of the directory an item is in; for items directly in the folder, the folder's own.
  public func uuid(forParentOfItemAt url: URL) -> UUID? {
    guard let path = try? FilePath(url), let names = names(below: path), !names.isEmpty else { return nil }
    return uuid(forItemAt: path.removingLastComponent())
  }

  /// Where an item is, as a file URL.
  ///
  /// - Returns: Nothing where the observer does not run, or has no such item. Of several names, the oldest.
  public func url(forItemWith uuid: UUID) -> URL? {
    guard let (path, kind) = location(of: uuid) else { return nil }
    return URL(path, kind)
  }

  /// Where an item is.
  public func path(forItemWith uuid: UUID) -> FilePath? { location(of: uuid)?.0 }

  /// All items, and the number of the change set after which this is the state.
  ///
  /// After `stop()`, what was known last; empty before the first scan is told. While a change set is being made, this waits for its end:
  /// some milliseconds at most, but for a rescan of a large tree.
  public func inventory() -> Inventory {
    let (known, directory) = state.withLock { ($0.driver?.state ?? $0.lastKnown, $0.directory) }
    guard let (storage, sequence) = known?.snapshot() else { return Inventory(directory: directory) }
    return Inventory(storage, sequence: sequence, directory: directory)
  }

  private func location(of uuid: UUID) -> (FilePath, ItemKind)? {
    let (driver, directory) = state.withLock { ($0.driver, $0.directory) }
    guard let (bytes, kind) = driver?.state.location(of: UUIDBits(uuid)) else { return nil }
    return (directory.appending(bytes: bytes), kind)
  }

  /// The names that lead from the folder to a path; nothing where it is not below it.
  private func names(below path: FilePath) -> [FileName]? {
    var rest = path
    let directory = state.withLock { $0.directory }
    guard !directory.isEmpty, rest.removePrefix(directory) else { return nil }
    return rest.components.map(FileName.init)
  }

  private func uuidOnDisk(_ path: FilePath) -> UUIDBits? {
    let files = HostFileSystem(tag: FileTag(name: options.tagName))
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

extension ObservationState {
  /// The UUID of the entry that these names lead to, announced or not.
  func uuid(at names: [FileName]) -> UUIDBits? {
    content.withLock { content in
      let classifier = content.classifier
      guard !names.isEmpty else { return classifier.graph[.root].uuid }
      guard let place = classifier.graph.place(along: names) else { return nil }
      if let id = classifier.graph.node(at: place) { return classifier.graph[id].uuid }
      return classifier.arrivals[place]?.entry.map { classifier.identity(for: $0, copyOf: nil) }
    }
  }

  func location(of uuid: UUIDBits) -> ([UInt8], ItemKind)? {
    content.withLock { content in
      let graph = content.classifier.graph
      guard let id = graph.node(with: uuid) else { return nil }
      var bytes: [UInt8] = []
      graph.storage.appendPath(of: id, to: &bytes)
      return (bytes, ItemKind(graph[id].kind))
    }
  }
}
