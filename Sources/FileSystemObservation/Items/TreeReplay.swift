import FileIdentity
import LinuxFileSystem

/// The entries that sets of changes have touched.
struct TreeEffects: Sendable {
  /// The UUID that each touched entry had at first; `nil` for an entry that did not exist.
  private(set) var formerUUIDs: [NodeID: UUIDBits?] = [:]
  /// Directories that were renamed or moved.
  var movedDirectories: Set<NodeID> = []

  var isEmpty: Bool { formerUUIDs.isEmpty }

  mutating func touch(_ id: NodeID, _ uuid: UUIDBits) {
    if formerUUIDs[id] == nil { formerUUIDs[id] = .some(uuid) }
  }

  mutating func noteNew(_ id: NodeID) {
    if formerUUIDs[id] == nil { formerUUIDs[id] = .some(nil) }
  }
}

extension FileGraph {
  /// Stands for a graph that is somewhere else at the moment: to make one takes 100 KB.
  static let empty = FileGraph(root: .unseen, uuid: UUIDBits(high: 0, low: 0))
}

/// A tree during the application of a set.
struct TreeReplay {
  private var graph: FileGraph
  /// Entries taken out, by the index of the step that puts them back.
  private var taken: [Int: NodeID] = [:]
  private var moved: Set<Int> = []
  /// Deleted directories that still have children, until another directory replaces them.
  private var nameless: [NodeID] = []
  /// The touched entries, if somebody wants to know.
  private(set) var effects: TreeEffects?
  /// Whether the graph has only the direct contents of a directory: then a step says how many children a child has.
  private let isShallow: Bool

  init(_ graph: FileGraph, recording effects: TreeEffects? = nil, isShallow: Bool = false) {
    self.graph = graph
    self.effects = effects
    self.isShallow = isShallow
  }

  /// Applies the changes of one set.
  mutating func apply(_ steps: [TreeStep]) {
    takeOut(steps)
    putIn(steps)
    note(steps)
    removeNameless()
  }

  /// Notes an entry that is about to change, with all names of its file.
  private mutating func touch(_ id: NodeID) {
    guard effects != nil else { return }
    if graph.hasOtherNames(id) {
      for name in graph.names(of: id) { effects?.touch(name, graph[name].uuid) }
    }
    effects?.touch(id, graph[id].uuid)
  }

  /// Takes out all entries that leave their places, the deepest first, so that the other paths stay valid.
  private mutating func takeOut(_ steps: [TreeStep]) {
    let order = steps.indices.compactMap { index in steps[index].formerPath.map { (index, depth: Self.depth($0)) } }
    for (index, _) in order.sorted(by: { ($1.depth, $0.0) < ($0.depth, $1.0) }) {
      let step = steps[index]
      guard let path = step.formerPath, let id = graph.node(atPath: path), id != .root, graph[id].uuid == step.uuid
      else { continue }
      touch(id)
      if step.previousPath == nil {
        remove(id)
      } else {
        if graph[id].kind == .directory { effects?.movedDirectories.insert(id) }
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
  private mutating func putIn(_ steps: [TreeStep]) {
    let order = steps.indices.compactMap { index in steps[index].newPath.map { (index, depth: Self.depth($0)) } }
    for (index, _) in order.sorted(by: { ($0.depth, $0.0) < ($1.depth, $1.0) }) {
      let step = steps[index]
      switch step.kind {
      case .renamed, .moved: taken.removeValue(forKey: index).map { putBack(step, $0) }
      case .discovered, .duplicated, .linked: insert(step)
      case .copyFinished, .modified, .deleted, .unlinked, .attributesChanged, .activity, .propertiesChanged: break
      }
    }
  }

  /// Updates the properties of items at their new paths.
  private mutating func note(_ steps: [TreeStep]) {
    for (index, step) in steps.enumerated() where step.newPath != nil {
      guard let id = node(of: step) else { continue }
      touch(id)
      graph.setFlags(id, .tagged, step.isTagged)
      if let facts = step.facts { graph.setContent(id, modified: facts.modified, size: facts.size) }
      if isShallow, let count = step.facts?.childCount { graph.setChildCount(id, count) }
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
        touch(child)
        graph.move(child, to: place)
      }
    }
  }

  private mutating func insert(_ step: TreeStep) {
    if let id = graph.node(atPath: step.path) {
      if graph[id].uuid == step.uuid { return }
      if step.itemKind == .directory, let index = nameless.firstIndex(of: id) {
        nameless.remove(at: index)
        touch(id)
        return graph.setIdentity(id, uuid: step.uuid, key: .unseen(born: step.facts?.created ?? 0))
      }
    }
    guard let place = clearedPlace(step.path) else { return }
    let content = FileGraph.Content(
      uuid: step.uuid, key: .unseen(born: step.facts?.created ?? 0), kind: FileKind(step.itemKind),
      modified: step.facts?.modified ?? 0, size: step.facts?.size ?? 0, flags: step.isCopying ? .copying : [])
    let id = graph.insert(content, named: place.name.span, in: place.parent)
    effects?.noteNew(id)
    touch(id)
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
    for entry in below.reversed() + [id] {
      touch(entry)
      graph.remove(entry)
    }
  }

  private mutating func removeNameless() {
    for id in nameless where graph.isLive(id) { removeAll(id) }
    nameless = []
  }

  /// The tree; the caller makes the numbers of removed entries reusable.
  consuming func finished() -> FileGraph {
    graph.compactNamesIfNeeded()
    return graph
  }

  private static func depth(_ path: ArraySlice<UInt8>) -> Int { path.count { $0 == UInt8(ascii: "/") } }
}
