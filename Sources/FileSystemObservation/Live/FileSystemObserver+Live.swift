internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

// Live objects: items and lists that follow the tree.

extension FileSystemObserver {
  /// The live item at an absolute path; the observed directory at its own path.
  ///
  /// Does not access the disk. An object that exists already takes the newest state.
  ///
  /// - Parameters:
  ///   - path: `.` and `..` are resolved lexically; symbolic links are not followed.
  ///   - isolation: The actor that the object belongs to, on which there is one object for each item. Without an actor,
  ///     each call makes an object.
  /// - Returns: `nil` if the observer does not run or has no such item; also until the first scan has ended, for which
  ///   ``synchronize(writingTags:)`` waits.
  public func item(at path: FilePath, isolation: isolated (any Actor)? = #isolation) -> FileSystemItem? {
    guard let run = state.withLock({ $0.run }), let names = run.names(below: path) else { return nil }
    return run.driver.state.liveItem(at: names, run).map { item($0.0, $0.1, liveTable(of: isolation)) }
  }

  /// The live item at a file URL; see the call with a path.
  public func item(at url: URL, isolation: isolated (any Actor)? = #isolation) -> FileSystemItem? {
    (try? FilePath(url)).flatMap { item(at: $0, isolation: isolation) }
  }

  /// The live item with a UUID; for a file with several names, that of its oldest name.
  ///
  /// Does not access the disk.
  ///
  /// - Parameters:
  ///   - uuid: The UUID of an item, or of the observed directory.
  ///   - isolation: The actor that the object belongs to.
  /// - Returns: `nil` if the observer does not run or has no such item; also until the first scan has ended, for which
  ///   ``synchronize(writingTags:)`` waits.
  public func item(with uuid: UUID, isolation: isolated (any Actor)? = #isolation) -> FileSystemItem? {
    guard let (snapshot, stamp) = liveState(of: FileSystemItem.ID(uuid: uuid)), let snapshot else { return nil }
    return item(snapshot, stamp, liveTable(of: isolation))
  }

  /// The live item of the observed directory.
  ///
  /// - Parameter isolation: The actor that the object belongs to.
  /// - Returns: `nil` if the observer does not run.
  public func directoryItem(isolation: isolated (any Actor)? = #isolation) -> FileSystemItem? {
    item(at: directory, isolation: isolation)
  }

  /// Makes a list of the items directly in a directory.
  ///
  /// The list is complete, as of the observer's last set of changes. Before the start of the observer it is empty, and
  /// gets its rows in an update after the start. A directory that is not announced yet is looked up on disk, as is any
  /// directory while the observer does not run.
  ///
  /// - Parameters:
  ///   - path: The path of a directory; if `nil`, that of the observed one.
  ///   - order: The order of the rows.
  ///   - filter: Which items are rows; all, if `nil`.
  ///   - isolation: The actor that the list belongs to. Its rows are the actor's live items.
  /// - Returns: `nil` if there is no such directory in the observed tree; of one that is not announced, `nil` if the
  ///   disk has none there.
  /// - Complexity: O(*n* log *n*) for *n* items in the directory, and O(*m*) for *m* items of the observer.
  public func itemList(
    forDirectoryAt path: FilePath? = nil, sortedBy order: FileSystemItemList.Order = .name,
    filteredBy filter: (@Sendable (FileSystemItem.Snapshot) -> Bool)? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) -> FileSystemItemList? {
    list(at: path, isDeep: false, order, filter, liveTable(of: isolation))
  }

  /// Makes a list of all items below a directory.
  ///
  /// A renamed directory costs nothing for the rows below it; live items take their new paths in the same update, and
  /// ``FileSystemItemList/Changes/pathsChanged`` tells of it.
  ///
  /// - Parameters:
  ///   - path: The path of a directory; if `nil`, that of the observed one. A list of the whole tree shares its memory
  ///     with the observer.
  ///   - filter: Which items are rows; all, if `nil`.
  ///   - order: The order of the rows.
  ///   - isolation: The actor that the list belongs to. Its rows are the actor's live items.
  /// - Returns: `nil` if there is no such directory in the observed tree; of one that is not announced, `nil` if the
  ///   disk has none there.
  /// - Complexity: O(*n* log *n*) for *n* items below the directory, and O(*m*) for *m* items of the observer.
  public func itemList(
    below path: FilePath?, matching filter: (@Sendable (FileSystemItem.Snapshot) -> Bool)? = nil,
    sortedBy order: FileSystemItemList.Order = .name, isolation: isolated (any Actor)? = #isolation
  ) -> FileSystemItemList? {
    list(at: path, isDeep: true, order, filter, liveTable(of: isolation))
  }
}

// MARK: - Making

extension FileSystemObserver {
  private func item(
    _ snapshot: FileSystemItem.Snapshot, _ stamp: LiveTree.Stamp, _ table: LiveItemTable
  ) -> FileSystemItem {
    if let known = table[snapshot.id] {
      known.take(snapshot, stamp)
      return known
    }
    let item = FileSystemItem(snapshot, stamp, of: self)
    table.add(item)
    return item
  }

  private func list(
    at path: FilePath?, isDeep: Bool, _ order: FileSystemItemList.Order,
    _ filter: (@Sendable (FileSystemItem.Snapshot) -> Bool)?, _ table: LiveItemTable
  ) -> FileSystemItemList? {
    let path = (path ?? directory).lexicallyNormalized()
    let isOfRoot = path == directory
    if let known = self[path] {
      guard known.kind == .directory else { return nil }
    } else if !isOfRoot, (try? FileStatus.of(path: path)).map({ $0.kind != .directory }) == true {
      return nil
    }
    let uuid = uuid(forItemAt: path)
    guard uuid != nil || isOfRoot else { return nil }
    // Before the start nobody knows the UUID of a directory that does not exist yet.
    let scope: Scope = isDeep ? (isOfRoot ? .all : uuid.map { .subtree($0) } ?? .all) : .folder(uuid ?? UUID())
    return FileSystemItemList(
      of: isOfRoot ? nil : uuid, isDeep: isDeep, order: order, filter: filter,
      feed: makeFeed(of: scope, startingWith: .snapshot), table: table,
      observer: self)
  }

  /// Makes the feed of a live object.
  func makeFeed(of scope: Scope, startingWith start: Start) -> LiveFeed {
    LiveFeed(of: scope, startingWith: start) { [weak self] terms in
      guard let self else { return nil }
      let subscription = Subscription(terms, listenerSources)
      let remove = hub.add(subscription)
      noteListener(subscription)
      return (subscription, remove)
    }
  }

  private func liveTable(of isolation: isolated (any Actor)?) -> LiveItemTable {
    isolation.map { actor in liveTables.withLock { $0.table(of: actor) } } ?? LiveItemTable()
  }

  /// The newest state of an item, `nil` if there is no such item, and its number; `nil` if the observer does not run.
  func liveState(of id: FileSystemItem.ID) -> (FileSystemItem.Snapshot?, LiveTree.Stamp)? {
    guard let run = state.withLock({ $0.run }) else { return nil }
    return run.driver.state.liveItem(with: id, run)
  }
}

extension ObservationState {
  fileprivate func liveItem(
    at names: [FileName], _ run: FileSystemObserver.Run
  ) -> (FileSystemItem.Snapshot, LiveTree.Stamp)? {
    content.withLock { content in
      let graph = content.classifier.graph
      guard let id = graph.node(along: names) else { return nil }
      let stamp = LiveTree.Stamp(epoch: run.epoch, sequence: content.sequence)
      return (FileSystemItem.Snapshot(id, graph, below: run.directory), stamp)
    }
  }

  fileprivate func liveItem(
    with id: FileSystemItem.ID, _ run: FileSystemObserver.Run
  ) -> (FileSystemItem.Snapshot?, LiveTree.Stamp) {
    content.withLock { content in
      let graph = content.classifier.graph
      let stamp = LiveTree.Stamp(epoch: run.epoch, sequence: content.sequence)
      guard let oldest = graph.node(with: UUIDBits(id.uuid)) else { return (nil, stamp) }
      let directory = run.directory
      guard let path = id.furtherName else { return (FileSystemItem.Snapshot(oldest, graph, below: directory), stamp) }
      let node = graph.node(atPath: path.bytes[...]).flatMap { graph[$0].uuid == graph[oldest].uuid ? $0 : nil }
      return (node.map { FileSystemItem.Snapshot($0, graph, below: directory) }, stamp)
    }
  }
}
