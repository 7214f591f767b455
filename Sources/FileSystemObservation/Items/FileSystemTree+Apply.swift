package import FileIdentity
import LinuxFileSystem

// Applying sets of changes: first all removals, then all insertions.

/// The effect of one change on a tree; paths are relative to the observed directory.
package struct TreeStep: Sendable {
  package var kind: FileSystemChange.Kind
  package var uuid: UUIDBits
  package var itemKind: FileSystemItem.Kind
  package var path: ArraySlice<UInt8>
  package var previousPath: ArraySlice<UInt8>?
  package var isCopying: Bool
  package var isTagged: Bool
  /// The item's other properties.
  var facts: ItemFacts?

  package init(
    kind: FileSystemChange.Kind, uuid: UUIDBits, itemKind: FileSystemItem.Kind, path: ArraySlice<UInt8>,
    previousPath: ArraySlice<UInt8>? = nil, isCopying: Bool = false, isTagged: Bool = true
  ) {
    self.kind = kind
    self.uuid = uuid
    self.itemKind = itemKind
    self.path = path
    self.previousPath = previousPath
    self.isCopying = isCopying
    self.isTagged = isTagged
  }

  init(_ record: ChangeRecord, _ log: ChangeLog) {
    self.init(
      kind: record.kind, uuid: record.uuid, itemKind: record.itemKind, path: log.paths[record.path],
      previousPath: record.previousPath.map { log.paths[$0] }, isCopying: record.isCopying, isTagged: record.isTagged)
    facts = record.facts
  }

  init(_ change: FileSystemChange, below directory: FilePath) {
    let item = change.item
    self.init(
      kind: change.kind, uuid: UUIDBits(item.uuid), itemKind: item.kind, path: item.relativePath.bytes[...],
      previousPath: change.previousPath.map { directory.bytes(ofPathBelow: $0) ?? [] }, isCopying: item.isCopying,
      isTagged: item.identity == .tag)
    facts = ItemFacts(item)
  }

  /// The path before the set of an item that leaves it.
  package var formerPath: ArraySlice<UInt8>? {
    switch kind {
    case .deleted, .unlinked: path
    case .renamed, .moved: previousPath
    case .discovered, .duplicated, .linked, .copyFinished, .modified, .attributesChanged, .activity: nil
    }
  }

  /// The path after the set of an item that is there.
  package var newPath: ArraySlice<UInt8>? {
    switch kind {
    case .deleted, .unlinked, .attributesChanged, .activity: nil
    case .renamed, .moved, .discovered, .duplicated, .linked, .copyFinished, .modified: path
    }
  }
}

extension FileSystemTree {
  /// Applies an event: a reset, a set of changes, or a move of the directory; other events do not change the tree.
  public mutating func apply(_ event: FileSystemObserver.Event) {
    switch event {
    case .reset(let snapshot, _): self = FileSystemTree(snapshot)
    case .didChange(let changes): apply(changes)
    // A new run restarts the numbers; its first set is the whole tree.
    case .willBeginFullScan(.start): sequence = 0
    case .rootMoved(_, let path): directory = path
    case .willBeginFullScan, .scanProgress, .didCompleteFullScan, .diagnostic, .didEnd: break
    }
  }

  /// Applies a set of changes.
  ///
  /// Apply sets in the order of their numbers and without gaps; a set whose number is not higher than ``sequence`` is
  /// ignored. The set of a first scan replaces the whole tree. If a set is missing, changes of items that the tree does
  /// not have are skipped.
  ///
  /// - Complexity: O(*n* · *d*) for *n* changes with paths of depth *d*; the contents of a moved folder cost nothing.
  public mutating func apply(_ changes: FileSystemChanges) {
    if let storage = changes.firstScan {
      graph = FileGraph(storage)
      sequence = changes.sequence
    } else if changes.sequence > sequence {
      apply(changes.steps)
      sequence = changes.sequence
    }
  }

  /// Applies the changes of one set.
  package mutating func apply(_ steps: [TreeStep]) {
    var replay = Replay(graph)
    graph = FileGraph(root: .unseen, uuid: UUIDBits(high: 0, low: 0))
    replay.takeOut(steps)
    replay.putIn(steps)
    replay.note(steps)
    graph = replay.finished()
  }
}

/// A tree during the application of a set.
private struct Replay {
  private var graph: FileGraph
  /// Entries taken out, by the index of the step that puts them back.
  private var taken: [Int: NodeID] = [:]
  private var moved: Set<Int> = []
  /// Deleted directories that still have children, until another directory replaces them.
  private var nameless: [NodeID] = []

  init(_ graph: FileGraph) {
    self.graph = graph
  }

  /// Takes out all entries that leave their places, the deepest first, so that the other paths stay valid.
  mutating func takeOut(_ steps: [TreeStep]) {
    let order = steps.indices.compactMap { index in steps[index].formerPath.map { (index, depth: Self.depth($0)) } }
    for (index, _) in order.sorted(by: { ($1.depth, $0.0) < ($0.depth, $1.0) }) {
      let step = steps[index]
      guard let path = step.formerPath, let id = graph.node(atPath: path), id != .root, graph[id].uuid == step.uuid
      else { continue }
      if step.previousPath == nil {
        remove(id)
      } else {
        graph.takeOut(id)
        taken[index] = id
        moved.insert(index)
      }
    }
  }

  private mutating func remove(_ id: NodeID) {
    guard graph.storage.hasChildren(id) else { return graph.remove(id) }
    nameless.append(id)
    graph.setIdentity(id, uuid: UUIDBits(high: .max, low: UInt64(id.rawValue)), key: .unseen)
  }

  /// Puts in all arriving entries, parents first, since a path may lead through directories that arrive in the same
  /// set.
  mutating func putIn(_ steps: [TreeStep]) {
    let order = steps.indices.compactMap { index in steps[index].newPath.map { (index, depth: Self.depth($0)) } }
    for (index, _) in order.sorted(by: { ($0.depth, $0.0) < ($1.depth, $1.0) }) {
      let step = steps[index]
      switch step.kind {
      case .renamed, .moved: taken.removeValue(forKey: index).map { putBack(step, $0) }
      case .discovered, .duplicated, .linked: insert(step)
      case .copyFinished, .modified, .deleted, .unlinked, .attributesChanged, .activity: break
      }
    }
  }

  /// Updates the properties of items at their new paths.
  mutating func note(_ steps: [TreeStep]) {
    for (index, step) in steps.enumerated() where step.newPath != nil {
      guard let id = node(of: step) else { continue }
      graph.setFlags(id, .tagged, step.isTagged)
      if let facts = step.facts { graph.setContent(id, modified: facts.modified, size: facts.size) }
      if step.kind == .copyFinished { for name in graph.names(of: id) { graph.setFlags(name, .copying, false) } }
      // The oldest name of the file is removed; this name succeeds it.
      if step.previousPath != nil, !moved.contains(index) { graph.makeOldest(id) }
    }
  }

  private func node(of step: TreeStep) -> NodeID? {
    graph.node(atPath: step.path).flatMap { graph[$0].uuid == step.uuid ? $0 : nil }
  }

  private mutating func putBack(_ step: TreeStep, _ id: NodeID) {
    if let occupant = graph.node(atPath: step.path) { takeOver(occupant, by: id) }
    guard let place = clearedPlace(step.path) else { return discard(id) }
    graph.putIn(id, at: place)
  }

  /// A directory arrives at the place of a deleted one, whose remaining children move into it.
  private mutating func takeOver(_ former: NodeID, by id: NodeID) {
    guard graph[id].kind == .directory, let index = nameless.firstIndex(of: former) else { return }
    nameless.remove(at: index)
    for child in graph.storage.children(of: former) {
      let place = Place(parent: id, name: graph.name(child))
      if let standing = graph.node(at: place) {
        takeOver(child, by: standing)
      } else {
        graph.move(child, to: place)
      }
    }
  }

  private mutating func insert(_ step: TreeStep) {
    if let id = graph.node(atPath: step.path) {
      if graph[id].uuid == step.uuid { return }
      if step.itemKind == .directory, let index = nameless.firstIndex(of: id) {
        nameless.remove(at: index)
        return graph.setIdentity(id, uuid: step.uuid, key: .unseen)
      }
    }
    guard let place = clearedPlace(step.path) else { return }
    let content = FileGraph.Content(
      uuid: step.uuid, key: .unseen(born: step.facts?.created ?? 0), kind: FileKind(step.itemKind),
      modified: step.facts?.modified ?? 0, size: step.facts?.size ?? 0, flags: step.isCopying ? .copying : [])
    graph.insert(content, named: place.name.span, in: place.parent)
  }

  /// The place at a path, cleared of any entry; `nil` if there is no such directory.
  private mutating func clearedPlace(_ path: ArraySlice<UInt8>) -> Place? {
    if let occupant = graph.node(atPath: path) { removeAll(occupant) }
    let slash = path.lastIndex(of: UInt8(ascii: "/"))
    guard let parent = graph.node(atPath: path[..<(slash ?? path.startIndex)]), graph[parent].kind == .directory else {
      return nil
    }
    return Place(parent: parent, name: FileName(bytes: path[(slash.map { $0 + 1 } ?? path.startIndex)...]))
  }

  /// Removes an entry that was taken out and has no new place.
  private mutating func discard(_ id: NodeID) {
    graph.putIn(id, at: Place(parent: .root, name: FileName(bytes: [0])))
    removeAll(id)
  }

  private mutating func removeAll(_ id: NodeID) {
    guard id != .root else { return }
    var below: [NodeID] = []
    graph.storage.forEachDescendant(of: id) { below.append($0) }
    for entry in below.reversed() { graph.remove(entry) }
    graph.remove(id)
  }

  /// The finished tree, without deleted directories.
  consuming func finished() -> FileGraph {
    for id in nameless where graph.isLive(id) { removeAll(id) }
    graph.reuseRemoved()
    graph.compactNamesIfNeeded()
    return graph
  }

  private static func depth(_ path: ArraySlice<UInt8>) -> Int { path.count { $0 == UInt8(ascii: "/") } }
}
