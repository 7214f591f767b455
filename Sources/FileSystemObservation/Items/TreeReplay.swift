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
  /// The child counts before the set of directories whose contents change, if somebody wants to know the effects.
  private var childCounts: [NodeID: Int64] = [:]
  /// The touched entries, if somebody wants to know.
  private(set) var effects: TreeEffects?
  /// Whether directories in the graph may lack contents: then a step says how many children one has.
  private let isShallow: Bool
  /// In a part of a tree, the folders above the items; they are made when an item needs them.
  private(set) var foldersAbove: Set<NodeID>?

  init(
    _ graph: FileGraph, recording effects: TreeEffects? = nil, isShallow: Bool = false,
    foldersAbove: Set<NodeID>? = nil
  ) {
    self.graph = graph
    self.effects = effects
    self.isShallow = isShallow
    self.foldersAbove = foldersAbove
  }

  /// Applies the changes of one set.
  mutating func apply(_ steps: [TreeStep]) {
    takeOut(steps)
    putIn(steps)
    note(steps)
    removeNameless()
    removeEmptyFoldersAbove()
    touchCounts()
  }

  /// Notes how many children a directory has before that changes.
  private mutating func noteCount(of directory: NodeID) {
    guard effects != nil, !isShallow, childCounts[directory] == nil else { return }
    childCounts[directory] = graph[directory].size
  }

  /// Touches the directories that have more or fewer children than before.
  private mutating func touchCounts() {
    for (id, count) in childCounts where graph.isLive(id) && graph[id].size != count { touch(id) }
    childCounts = [:]
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
        noteCount(of: graph[id].parent)
        graph.takeOut(id)
        taken[index] = id
        moved.insert(index)
      }
    }
  }

  private mutating func remove(_ id: NodeID) {
    guard graph.storage.hasChildren(id) else {
      noteCount(of: graph[id].parent)
      return graph.remove(id)
    }
    nameless.append(id)
    graph.setIdentity(id, uuid: Self.placeholder(id), key: .unseen)
  }

  /// A UUID for an entry that has none.
  private static func placeholder(_ id: NodeID) -> UUIDBits { UUIDBits(high: .max, low: UInt64(id.rawValue)) }

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
      if let facts = step.facts {
        graph.setContent(id, modified: facts.modified, size: facts.size)
        graph.setCreated(id, facts.created)
      }
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
    noteCount(of: place.parent)
    graph.putIn(id, at: place)
    nameFolder(above: step, place.parent)
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
        noteCount(of: id)
        graph.move(child, to: place)
      }
    }
  }

  private mutating func insert(_ step: TreeStep) {
    freeIdentity(step.uuid)
    if let id = graph.node(atPath: step.path) {
      if graph[id].uuid == step.uuid { return }
      if step.itemKind == .directory, isWithoutItem(id) {
        nameless.removeAll { $0 == id }
        foldersAbove?.remove(id)
        touch(id)
        // Their items have another parent.
        for child in graph.storage.children(of: id) { touch(child) }
        return graph.setIdentity(id, uuid: step.uuid, key: .unseen(born: step.facts?.created ?? 0))
      }
    }
    guard let place = clearedPlace(step.path) else { return }
    let content = FileGraph.Content(
      uuid: step.uuid, key: .unseen(born: step.facts?.created ?? 0), kind: FileKind(step.itemKind),
      modified: step.facts?.modified ?? 0, size: step.facts?.size ?? 0, flags: step.isCopying ? .copying : [])
    noteCount(of: place.parent)
    let id = graph.insert(content, named: place.name.span, in: place.parent)
    effects?.noteNew(id)
    touch(id)
    nameFolder(above: step, place.parent)
  }

  /// Whether a directory is only there for what is in it.
  private func isWithoutItem(_ id: NodeID) -> Bool { nameless.contains(id) || foldersAbove?.contains(id) == true }

  /// The place at a path, cleared of any entry; `nil` if there is no such directory.
  private mutating func clearedPlace(_ path: ArraySlice<UInt8>) -> Place? {
    if let occupant = graph.node(atPath: path) { removeAll(occupant) }
    let (above, name) = Self.split(path)
    guard let parent = folder(at: above), graph[parent].kind == .directory else { return nil }
    return Place(parent: parent, name: FileName(bytes: name))
  }

  /// The path of the directory, and the name in it.
  private static func split(_ path: ArraySlice<UInt8>) -> (directory: ArraySlice<UInt8>, name: ArraySlice<UInt8>) {
    let slash = path.lastIndex(of: UInt8(ascii: "/"))
    return (path[..<(slash ?? path.startIndex)], path[(slash.map { $0 + 1 } ?? path.startIndex)...])
  }

  /// Removes an entry that was taken out and has no new place.
  private mutating func discard(_ id: NodeID) {
    graph.putIn(id, at: Place(parent: .root, name: FileName(bytes: [0])))
    removeAll(id)
  }

  private mutating func removeAll(_ id: NodeID) {
    guard id != .root else { return }
    noteCount(of: graph[id].parent)
    for entry in graph.storage.descendants(of: id).reversed() + [id] {
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

// MARK: - Parts of a tree

extension TreeReplay {
  /// The directory at a path; in a part of a tree, one above the items is made.
  private mutating func folder(at path: ArraySlice<UInt8>) -> NodeID? {
    if let known = graph.node(atPath: path) { return known }
    guard foldersAbove != nil else { return nil }
    let (above, name) = Self.split(path)
    guard let parent = folder(at: above), graph[parent].kind == .directory else { return nil }
    let content = FileGraph.Content(
      uuid: UUIDBits(high: .max, low: .max), key: .unseen, kind: .directory, modified: 0, size: 0)
    let id = graph.insert(content, named: name.span, in: parent)
    graph.setIdentity(id, uuid: Self.placeholder(id), key: .unseen)
    foldersAbove?.insert(id)
    return id
  }

  /// Gives a folder above an item the UUID that the item says.
  private mutating func nameFolder(above step: TreeStep, _ folder: NodeID) {
    guard let foldersAbove, foldersAbove.contains(folder), let uuid = step.facts?.parent else { return }
    // It may still be that of the folder at its former path, which is going to be removed.
    freeIdentity(uuid)
    if graph.node(with: uuid) == nil { graph.setIdentity(folder, uuid: uuid, key: .unseen) }
  }

  /// Takes a UUID from a folder above: an item has it by now.
  private mutating func freeIdentity(_ uuid: UUIDBits) {
    guard let foldersAbove, let id = graph.node(with: uuid), foldersAbove.contains(id) else { return }
    graph.setIdentity(id, uuid: Self.placeholder(id), key: .unseen)
  }

  /// Removes the folders above that nothing is below.
  private mutating func removeEmptyFoldersAbove() {
    guard let all = foldersAbove, !all.isEmpty else { return }
    for id in all {
      var next = id
      while foldersAbove?.contains(next) == true, !graph.isLive(next) || !graph.storage.hasChildren(next) {
        foldersAbove?.remove(next)
        guard graph.isLive(next) else { break }
        let parent = graph[next].parent
        graph.remove(next)
        next = parent
      }
    }
  }
}
