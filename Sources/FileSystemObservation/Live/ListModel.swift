import FileIdentity
import FoundationEssentials
import SystemPackage

/// The rows of a list and the tree they are from: a value that events and settings change.
///
/// Events are taken first; `finishUpdate()` then changes the rows.
struct ListModel: Sendable {
  typealias Filter = @Sendable (FileSystemItem.Snapshot) -> Bool

  /// What an update has changed.
  struct Update: Sendable {
    var changes: FileSystemItemList.Changes
    /// The entries whose items have changed.
    var touched: [NodeID] = []
    /// Whether the paths of many items may have changed.
    var concernsAll = false
  }

  /// The UUID of the directory; `nil` for the observed one.
  let directoryUUID: UUIDBits?
  let isDeep: Bool
  var tree: LiveTree
  var rows = RowStore()
  var ordering: RowOrdering
  var filter: Filter?
  /// The IDs of rows that are further names of files.
  var furtherIDs: [NodeID: FileSystemItem.ID] = [:]

  /// The tree read anew in this update.
  private(set) var replacement: LiveTree?
  var effects = TreeEffects()
  private(set) var folderEvent: FileSystemItemList.Changes.FolderEvent?
  /// Whether the directory of the list has another path.
  private(set) var hasMoved = false
  private(set) var mustSort = false
  private(set) var mustFilter = false
  /// Whether a run has started whose first set has not arrived.
  private var awaitsFirstScan = false

  /// Makes the rows of a snapshot.
  init(
    _ snapshot: FileSystemSnapshot, below uuid: UUIDBits?, isDeep: Bool, order: FileSystemItemList.Order,
    filter: Filter?
  ) {
    directoryUUID = uuid
    self.isDeep = isDeep
    self.filter = filter
    ordering = RowOrdering(order)
    tree = LiveTree(snapshot, below: uuid, isDeep: isDeep)
    rows = RowStore(ordering.sort(Self.accepted(tree, filter), in: tree.graph))
    noteFurtherIDs()
  }

  /// The entries of a tree that a filter accepts.
  static func accepted(_ tree: LiveTree, _ filter: Filter?) -> [NodeID] {
    guard let filter else { return tree.entries }
    return tree.entries.filter { filter(tree.snapshot($0)) }
  }

  /// Notes the IDs of all rows that are further names.
  mutating func noteFurtherIDs() {
    furtherIDs = [:]
    for id in rows.all where tree.isFurtherName(id) { furtherIDs[id] = tree.id(of: id) }
  }
}

extension LiveTree {
  init(_ snapshot: FileSystemSnapshot, below uuid: UUIDBits?, isDeep: Bool) {
    self.init(
      snapshot.tree.storage, below: uuid, isDeep: isDeep, directory: snapshot.directory,
      stamp: Stamp(epoch: snapshot.cursor?.epoch ?? 0, sequence: snapshot.sequence))
  }
}

// MARK: - Taking events and settings

extension ListModel {
  /// The tree with all taken events.
  var newestTree: LiveTree { replacement ?? tree }

  /// The scope of the list's events.
  var scope: FileSystemObserver.Scope {
    if isDeep { return directoryUUID.map { .subtree(UUID($0)) } ?? .all }
    return .folder(UUID(directoryUUID ?? newestTree.uuid))
  }

  /// Whether the next update may change the directory of the list.
  var concernsFolder: Bool { replacement != nil || folderEvent != nil }

  /// Sets the order, from the next update on.
  mutating func setOrder(_ order: FileSystemItemList.Order) {
    ordering = RowOrdering(order, after: ordering)
    mustSort = true
  }

  /// Sets the filter, from the next update on.
  mutating func setFilter(_ filter: Filter?) {
    self.filter = filter
    mustFilter = true
  }

  /// Has the rows of items be looked at again, from the next update on.
  mutating func reload(_ uuids: [UUIDBits]) {
    for uuid in uuids {
      guard let id = tree.graph.node(with: uuid), id != .root else { continue }
      for name in tree.graph.names(of: id) { effects.touch(name, uuid) }
    }
  }

  /// Takes an event.
  ///
  /// - Parameter snapshot: Takes a snapshot of the list's scope.
  mutating func take(_ event: FileSystemObserver.Event, snapshot: () -> FileSystemSnapshot) {
    switch event {
    case .reset(let snapshot, _): readAnew(snapshot)
    case .didChange(let changes): take(changes)
    // The numbers of a new run begin again, and its first set is the whole tree.
    case .willBeginFullScan(.start):
      setSequence(0)
      awaitsFirstScan = true
    // There is no first set without items.
    case .didCompleteFullScan where awaitsFirstScan: readAnew(snapshot())
    case .rootMoved(_, let path): setDirectory(path)
    case .willBeginFullScan, .scanProgress, .didCompleteFullScan, .diagnostic, .didEnd: break
    }
  }

  mutating func readAnew(_ snapshot: FileSystemSnapshot) {
    awaitsFirstScan = false
    replacement = LiveTree(snapshot, below: directoryUUID, isDeep: isDeep)
  }

  private mutating func take(_ changes: FileSystemChanges) {
    if let storage = changes.firstScan {
      awaitsFirstScan = false
      let stamp = LiveTree.Stamp(epoch: changes.cursor?.epoch ?? 0, sequence: changes.sequence)
      replacement = LiveTree(
        storage, below: directoryUUID, isDeep: isDeep, directory: changes.directory, stamp: stamp)
    } else if changes.areDetails ? changes.sequence >= sequence : changes.sequence > sequence {
      apply(changes)
    }
  }

  private mutating func apply(_ changes: FileSystemChanges) {
    var ignored = TreeEffects()
    if replacement != nil {
      _ = replacement?.apply(changes, &ignored)
    } else if let event = tree.apply(changes, &effects) {
      note(event)
    }
  }

  private mutating func note(_ event: FileSystemItemList.Changes.FolderEvent) {
    if event != .deleted { hasMoved = true }
    // One that is gone and back in one update has moved at most.
    folderEvent = folderEvent == .deleted && event == .returned ? .moved : event
  }

  private var sequence: UInt64 { newestTree.stamp.sequence }

  private mutating func setSequence(_ sequence: UInt64) {
    replacement?.stamp.sequence = sequence
    tree.stamp.sequence = sequence
  }

  private mutating func setDirectory(_ path: FilePath) {
    replacement?.directory = path
    tree.directory = path
    // A folder that is gone does not move with the observed one.
    if newestTree.isPresent { note(.moved) }
  }

  /// Ends an update: takes the tree that was read anew.
  mutating func endUpdate() {
    if let replacement { tree = replacement } else { tree.endUpdate(effects) }
    replacement = nil
    effects = TreeEffects()
    folderEvent = nil
    (hasMoved, mustSort, mustFilter) = (false, false, false)
  }
}
