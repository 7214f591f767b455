import FileIdentity
import LinuxFileSystem

/// The folders that have arrived, and are not announced as complete yet.
///
/// A folder is complete when nothing in it is pending, and nothing has arrived in it for a quiet period. The engine
/// passes the time and the graph.
struct FolderArrivals: Sendable {
  private struct Folder: Sendable {
    var node: NodeID
    var quietSince: MonotonicTime
    /// What the folder waits for, as found when it was due.
    var obstacle: PendingItem?
  }

  private let quiet: Int64
  private var folders: [UUIDBits: Folder] = [:]
  private var identities: [NodeID: UUIDBits] = [:]
  /// The folders that wait for an obstacle.
  private var hindered: Set<UUIDBits> = []
  /// The earliest time when a folder may be due; `nil` if none waits for a time.
  private(set) var due: MonotonicTime?
  /// Whether new folders existed before, and only the filter has changed.
  var isRevealing = false
  /// Folders that existed before, and are announced with the next set.
  var revealed: Set<NodeID> = []

  /// - Parameter quiet: The quiet period in nanoseconds.
  init(quiet: Int64) {
    self.quiet = quiet
  }

  var isEmpty: Bool { folders.isEmpty }

  /// Whether a folder waits only for the quiet period after what had happened by a time.
  ///
  /// What has arrived in it by then may be announced some time later.
  func hasQuietFolders(until moment: MonotonicTime) -> Bool {
    folders.values.contains { $0.obstacle == nil && $0.quietSince <= moment + 2 * quiet }
  }
}

// MARK: - Arrivals

extension FolderArrivals {
  /// Takes in a set of changes that was just announced.
  mutating func note(_ records: [ChangeRecord], _ graph: borrowing FileGraph, at now: MonotonicTime) {
    let directories = records.filter { $0.itemKind == .directory }
    // A folder that gets another identity is deleted and discovered in one set, and keeps waiting.
    let renewed = Set(directories.filter { $0.isRenewal && identities[$0.node] != nil }.map(\.node))
    for record in directories {
      if renewed.contains(record.node), record.kind != .deleted { wait(for: record.node, record.uuid, at: now) }
      note(record, at: now)
    }
    revealed = []
    if folders.isEmpty { return }
    var restarted: Set<NodeID> = []
    for record in records where record.isArrival && graph.isLive(record.node) {
      restartFolders(above: record.node, &restarted, graph, at: now)
    }
  }

  private mutating func note(_ record: ChangeRecord, at now: MonotonicTime) {
    switch record.kind {
    case .deleted: forget(record.uuid)
    case .discovered, .duplicated: if isNew(record) { wait(for: record.node, record.uuid, at: now) }
    case .renamed, .moved: setNode(of: record.uuid, record.node)
    default: break
    }
  }

  private func isNew(_ record: ChangeRecord) -> Bool {
    record.effect == .comesOrGoes && !isRevealing && !revealed.contains(record.node)
  }

  private mutating func wait(for id: NodeID, _ uuid: UUIDBits, at now: MonotonicTime) {
    forget(uuid)
    // The `NodeID` may have been that of another folder.
    if let former = identities[id] { forget(former) }
    folders[uuid] = Folder(node: id, quietSince: now)
    identities[id] = uuid
    due = .earlier(due, now + quiet)
  }

  private mutating func forget(_ uuid: UUIDBits) {
    guard let folder = folders.removeValue(forKey: uuid) else { return }
    identities[folder.node] = nil
    hindered.remove(uuid)
  }

  /// Updates the `NodeID` of a folder, which may change if it comes back within a set.
  private mutating func setNode(of uuid: UUIDBits, _ id: NodeID) {
    guard let former = folders[uuid]?.node, former != id else { return }
    identities[former] = nil
    identities[id] = uuid
    folders[uuid]?.node = id
  }

  /// Restarts the quiet period of the folders above an entry; `done` has those that this set has restarted.
  private mutating func restartFolders(
    above id: NodeID, _ done: inout Set<NodeID>, _ graph: borrowing FileGraph, at now: MonotonicTime
  ) {
    var current = id
    while current != .root {
      current = graph[current].parent
      guard done.insert(current).inserted else { return }
      if let uuid = identities[current] { restart(uuid, at: now) }
    }
  }

  private mutating func restart(_ uuid: UUIDBits, at now: MonotonicTime) {
    folders[uuid]?.quietSince = now
    folders[uuid]?.obstacle = nil
    hindered.remove(uuid)
    due = .earlier(due, now + quiet)
  }
}

// MARK: - Completion

extension FolderArrivals {
  /// Removes the folders that are complete, the deepest first.
  mutating func takeComplete(_ classifier: borrowing Classifier, at now: MonotonicTime) -> [NodeID] {
    guard let due, due <= now else { return [] }
    let waiting = folders.filter { $0.value.obstacle == nil && $0.value.quietSince + quiet <= now }
    let obstacles = waiting.isEmpty ? [:] : classifier.pendingItemsByDirectory
    var complete: [(level: Int, id: NodeID)] = []
    for (uuid, folder) in waiting {
      if let obstacle = classifier.coverage.isRescanning ? .recovery : obstacles[folder.node] {
        folders[uuid]?.obstacle = obstacle
        hindered.insert(uuid)
      } else {
        forget(uuid)
        complete.append((classifier.graph.storage.level(of: folder.node), folder.node))
      }
    }
    setDue()
    return complete.sorted { ($1.level, $0.id) < ($0.level, $1.id) }.map(\.id)
  }

  /// Makes folders due whose obstacle is gone.
  mutating func releaseHindered(_ classifier: borrowing Classifier) {
    for uuid in hindered {
      guard let folder = folders[uuid], let obstacle = folder.obstacle, !classifier.isPending(obstacle) else {
        continue
      }
      folders[uuid]?.obstacle = nil
      hindered.remove(uuid)
      due = .earlier(due, folder.quietSince + quiet)
    }
  }

  private mutating func setDue() {
    due = folders.values.reduce(nil) { earliest, folder in
      folder.obstacle == nil ? .earlier(earliest, folder.quietSince + quiet) : earliest
    }
  }
}

extension ChangeRecord {
  /// Whether the entry has another identity from now on.
  fileprivate var isRenewal: Bool { effect == .changesIdentity && (kind == .discovered || kind == .duplicated) }

  /// Whether an item arrives in a folder, or is completed there.
  fileprivate var isArrival: Bool {
    switch kind {
    case .discovered, .duplicated, .linked, .moved, .renamed, .copyFinished: true
    case .modified, .unlinked, .deleted, .attributesChanged, .activity, .propertiesChanged: false
    }
  }
}

// MARK: - Pending items

/// An item that is not decided or not complete yet.
enum PendingItem: Sendable {
  case arrival(Place)
  /// An entry that is unresolved, not announced, or announced as being copied.
  case entry(NodeID)
  /// The comparison of the tree with the disk.
  case recovery
}
