import FileIdentity
import FoundationEssentials
import LinuxFileSystem
import SystemPackage

/// The items below one directory, as a list knows them: a graph whose root is that directory.
struct LiveTree: Sendable {
  /// What a file with names outside of the tree looks like from the whole.
  struct Link: Sendable {
    var isFurtherName: Bool
    var nameCount: Int
  }

  /// The number of a state, which is comparable within a run.
  struct Stamp: Sendable, Equatable {
    var epoch: UInt64
    var sequence: UInt64
  }

  var graph: FileGraph
  /// The UUID of the directory.
  let uuid: UUIDBits
  /// Whether the tree has everything below the directory, and not only its direct contents.
  let isDeep: Bool
  /// The observed directory.
  var directory: FilePath
  /// The path of the directory below the observed one; empty for that one itself.
  private(set) var base: [UInt8]
  private var parent: UUIDBits?
  /// Whether the directory exists.
  private(set) var isPresent: Bool
  var stamp: Stamp
  /// The files with names outside of the tree; not used for the whole tree.
  private var links: [NodeID: Link]
  private let isWhole: Bool

  /// Makes the tree below a directory.
  ///
  /// - Parameter uuid: The UUID of the directory; `nil` for the observed one.
  init(_ storage: GraphStorage, below uuid: UUIDBits?, isDeep: Bool, directory: FilePath, stamp: Stamp) {
    let root = storage.nodes.count > 0 ? storage.nodes[0].uuid : UUIDBits(high: 0, low: 0)
    self.uuid = uuid ?? root
    self.isDeep = isDeep
    self.directory = directory
    self.stamp = stamp
    base = []
    let anchor = storage.directory(with: self.uuid)
    isPresent = anchor != nil
    isWhole = isDeep && anchor == .root
    links = [:]
    if isWhole {
      // It shares the memory of all entries.
      graph = FileGraph(storage)
    } else if let anchor {
      let copy = PartialGraph(storage, below: anchor, isDeep: isDeep)
      graph = copy.graph
      links = copy.links
      storage.appendPath(of: anchor, to: &base)
      parent = anchor == .root ? nil : storage.nodes[storage.nodes[anchor.index].parent.index].uuid
    } else {
      graph = FileGraph(root: .unseen, uuid: self.uuid)
    }
  }

  /// The entries that may be rows.
  var entries: [NodeID] {
    if !isDeep { return graph.storage.children(of: .root) }
    var entries: [NodeID] = []
    entries.reserveCapacity(graph.count)
    graph.storage.forEachDescendant(of: .root) { entries.append($0) }
    return entries
  }
}

extension GraphStorage {
  /// The directory with a UUID.
  fileprivate func directory(with uuid: UUIDBits) -> NodeID? {
    liveIDs.first { nodes[$0.index].uuid == uuid && nodes[$0.index].kind == .directory }
  }
}

// MARK: - Items

extension LiveTree {
  /// The item of an entry; of the directory itself for the root.
  func snapshot(_ id: NodeID) -> FileSystemItem.Snapshot {
    let node = graph[id]
    var facts = ItemFacts(id, graph)
    if id == .root { facts.parent = parent }
    if let link = links[id] { (facts.isFurtherName, facts.nameCount) = (link.isFurtherName, link.nameCount) }
    let names =
      facts.nameCount > 1 ? graph.firstNames(of: id).map { directory.appending(bytes: relativePath(of: $0)) } : []
    return FileSystemItem.Snapshot(
      node.uuid, FileSystemItem.Kind(node.kind), facts, relativePath: relativePath(of: id), below: directory,
      isCopying: node.flags.contains(.copying), isTagged: node.flags.contains(.tagged), names: names)
  }

  /// The ID of an entry.
  func id(of id: NodeID) -> FileSystemItem.ID {
    let isFurther = isFurtherName(id)
    return FileSystemItem.ID(
      uuid: UUID(graph[id].uuid), furtherName: isFurther ? FilePath(bytes: relativePath(of: id)) : nil)
  }

  /// Whether an entry is a further name of a file.
  func isFurtherName(_ id: NodeID) -> Bool {
    links[id]?.isFurtherName ?? graph[id].flags.contains(.furtherName)
  }

  /// The entry with an ID; the root for the directory itself.
  func node(with id: FileSystemItem.ID) -> NodeID? {
    guard let oldest = graph.node(with: UUIDBits(id.uuid)) else { return nil }
    if id.furtherName == nil, !isFurtherName(oldest) { return oldest }
    return graph.names(of: oldest).first { self.id(of: $0) == id }
  }

  private func relativePath(of id: NodeID) -> [UInt8] {
    if id == .root { return base }
    var path = base
    if !base.isEmpty { path.append(UInt8(ascii: "/")) }
    graph.storage.appendPath(of: id, to: &path)
    return path
  }
}

// MARK: - Changes

extension LiveTree {
  /// Applies a set of changes, and notes the touched entries.
  ///
  /// - Returns: What happened to the directory itself.
  mutating func apply(
    _ changes: FileSystemChanges, _ effects: inout TreeEffects
  ) -> FileSystemItemList.Changes.FolderEvent? {
    if let epoch = changes.cursor?.epoch { stamp.epoch = epoch }
    stamp.sequence = max(stamp.sequence, changes.sequence)
    return apply(changes.steps, &effects)
  }

  mutating func apply(
    _ steps: [TreeStep], _ effects: inout TreeEffects
  ) -> FileSystemItemList.Changes.FolderEvent? {
    let former = base
    let event = noteDirectory(steps)
    let local = steps.compactMap { step in step.uuid == uuid ? nil : step.inside(former, base) }
    var replay = TreeReplay(graph, recording: effects, isShallow: !isDeep)
    // The replay must be the only owner, to change the graph in place.
    graph = .empty
    replay.apply(local)
    effects = replay.effects ?? effects
    graph = replay.finished()
    if !isWhole { noteLinks(local) }
    return event
  }

  /// Ends an update: the numbers of removed entries may be used again.
  mutating func endUpdate(_ effects: TreeEffects) {
    if !links.isEmpty { for id in effects.formerUUIDs.keys where !graph.isLive(id) { links[id] = nil } }
    graph.reuseRemoved()
  }

  /// Takes in the changes of the directory itself.
  private mutating func noteDirectory(_ steps: [TreeStep]) -> FileSystemItemList.Changes.FolderEvent? {
    var event: FileSystemItemList.Changes.FolderEvent?
    for step in steps where step.uuid == uuid {
      switch step.kind {
      case .deleted, .unlinked:
        isPresent = false
        event = .deleted
      case .discovered, .duplicated, .linked, .renamed, .moved:
        event = isPresent ? .moved : .returned
        isPresent = true
        base = Array(step.path)
      default: break
      }
      noteFacts(of: step)
    }
    return event
  }

  private mutating func noteFacts(of step: TreeStep) {
    guard let facts = step.facts else { return }
    parent = facts.parent
    graph.setModified(.root, facts.modified)
    graph.setCreated(.root, facts.created)
    graph.setFlags(.root, .tagged, step.isTagged)
  }

  private mutating func noteLinks(_ steps: [TreeStep]) {
    for step in steps where step.newPath != nil {
      guard let facts = step.facts, facts.nameCount > 1 || !links.isEmpty,
        let id = graph.node(atPath: step.path), graph[id].uuid == step.uuid
      else { continue }
      links[id] =
        facts.nameCount > 1 ? Link(isFurtherName: facts.isFurtherName, nameCount: facts.nameCount) : nil
    }
  }
}

extension TreeStep {
  /// The step with paths below a directory; `nil` if it is not inside.
  ///
  /// - Parameters:
  ///   - former: The path of the directory before the set.
  ///   - base: The path of the directory after the set.
  fileprivate func inside(_ former: [UInt8], _ base: [UInt8]) -> TreeStep? {
    var step = self
    let leaves = kind == .deleted || kind == .unlinked
    guard let path = path.dropping(leaves ? former : base) else { return nil }
    step.path = path
    if let previousPath {
      guard let path = previousPath.dropping(former) else { return nil }
      step.previousPath = path
    }
    return step
  }
}

extension ArraySlice<UInt8> {
  /// The rest of a path below a directory; `nil` if it is not inside.
  fileprivate func dropping(_ directory: [UInt8]) -> ArraySlice<UInt8>? {
    if directory.isEmpty { return self }
    guard count > directory.count + 1, self[startIndex + directory.count] == UInt8(ascii: "/"),
      starts(with: directory)
    else { return nil }
    return dropFirst(directory.count + 1)
  }
}
