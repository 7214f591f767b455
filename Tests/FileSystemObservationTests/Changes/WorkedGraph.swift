import FileIdentity
import FileTestSupport
import FoundationEssentials
import LinuxFileSystem

@testable import FileSystemObservation

/// A graph that is changed as the classifier does it, with everything written down.
struct WorkedGraph {
  private(set) var graph: FileGraph
  private(set) var draft = ChangeDraft()
  private var lastIdentity: UInt64 = 1
  /// What the last set does not say: the properties of items that go on in other entries at the same paths.
  private(set) var details: [Detail] = []

  init() {
    graph = FileGraph(root: FileKey(device: 1, inode: 1, born: 0), uuid: UUIDBits(high: 0, low: 1))
    graph.beginChangeSet()
  }

  /// What there is.
  var tree: FileSystemTree { FileSystemTree(FileSystemSnapshot(graph.storage, sequence: 0, directory: "/T")) }

  /// What there is of a part.
  func items(in scope: FileSystemObserver.Scope) -> FileSystemSnapshot {
    FileSystemSnapshot(graph.storage, sequence: 0, directory: "/T", scope: scope)
  }

  /// The change set of all that was done since the last one.
  mutating func takeSet(_ sequence: UInt64 = 1) -> FileSystemChanges { takeSets(for: [.all], sequence)[0] }

  /// The same as each of several parts gets it.
  mutating func takeSets(for scopes: [FileSystemObserver.Scope], _ sequence: UInt64 = 1) -> [FileSystemChanges] {
    let log = ChangeComposer(draft, graph).composed(for: scopes)
    draft.removeAll()
    graph.beginChangeSet()
    graph.reuseRemoved()
    details = log.whole.unmoved.map(detail)
    return scopes.map { scope in
      FileSystemChanges(log[scope] ?? ChangeLog(), graph.storage, sequence: sequence, directory: "/T")
    }
  }

  private func detail(_ id: NodeID) -> Detail {
    let item = FileSystemItem.Snapshot(id, graph, below: "/T")
    var (ancestors, current): ([UUID], NodeID) = ([], id)
    while current != .root {
      current = graph[current].parent
      ancestors.append(UUID(graph[current].uuid))
    }
    return Detail(kind: .properties, change: FileSystemChange(.propertiesChanged, item), ancestors: ancestors)
  }

  /// All that was done since the last set, as the engine hands it over.
  mutating func takeLog() -> ScopedLog {
    let log = ChangeComposer(draft, graph).composed()
    draft.removeAll()
    graph.beginChangeSet()
    graph.reuseRemoved()
    return log
  }

  /// What there is, and what of it has changed since the last picture.
  mutating func takePicture(_ sequence: UInt64) -> GraphPicture {
    let changed = graph.storage.nodes.takeChanged()
    return GraphPicture(graph.storage, changed: changed, sequence: sequence)
  }

  var nodes: [NodeID] {
    var nodes: [NodeID] = []
    graph.storage.forEachDescendant(of: .root) { nodes.append($0) }
    return nodes
  }

  var directories: [NodeID] { [.root] + nodes.filter { graph[$0].kind == .directory } }

  func node(_ path: String) -> NodeID { graph.node(atPath: ArraySlice(path.utf8)) ?? .root }

  /// The place a path names, in a directory that is there.
  func place(_ path: String) -> Place {
    let names = path.split(separator: "/")
    return Place(parent: node(names.dropLast().joined(separator: "/")), name: FileName(String(names.last ?? "")))
  }
}

// MARK: - Changes

extension WorkedGraph {
  @discardableResult
  mutating func make(
    _ kind: FileKind, at place: Place, uuid: UUIDBits? = nil, as change: FileSystemChange.Kind = .discovered
  ) -> NodeID {
    lastIdentity += 1
    let identity = uuid ?? UUIDBits(high: 0, low: lastIdentity)
    let new = FileKey(device: 1, inode: lastIdentity, born: 1_000_000 + Int64(lastIdentity))
    let key = change == .linked ? graph.node(with: identity).map { graph.key($0) } ?? new : new
    let content = FileGraph.Content(uuid: identity, key: key, kind: kind, modified: 0, size: 0)
    let id = graph.insert(content, named: place.name.span, in: place.parent)
    draft.append(change, id, in: graph)
    if change == .discovered, kind == .file { draft.append(.copyFinished, id, in: graph) }
    return id
  }

  mutating func link(_ id: NodeID, at place: Place) {
    make(.file, at: place, uuid: graph[id].uuid, as: .linked)
  }

  mutating func modify(_ id: NodeID, size: Int64 = 0) {
    graph.setContent(id, modified: 10 - size, size: size)
    draft.append(.modified, id, in: graph)
  }

  mutating func move(_ id: NodeID, to place: Place) {
    graph.move(id, to: place)
    draft.appendMove(of: id, in: graph)
  }

  mutating func exchange(_ first: NodeID, _ second: NodeID) {
    graph.exchange(first, second)
    draft.appendMove(of: first, in: graph)
    draft.appendMove(of: second, in: graph)
  }

  mutating func move(_ moves: [(id: NodeID, place: Place)]) {
    graph.move(moves)
    for move in moves { draft.appendMove(of: move.id, in: graph) }
  }

  /// Deletes an entry with everything below it, or one of several names.
  mutating func delete(_ id: NodeID) {
    var below: [NodeID] = []
    graph.storage.forEachDescendant(of: id) { below.append($0) }
    for entry in below.reversed() + [id] { deleteOne(entry) }
  }

  private mutating func deleteOne(_ id: NodeID) {
    let uuid = graph[id].uuid
    let (isOldest, hasOthers) = (graph.node(with: uuid) == id, graph.hasOtherNames(id))
    draft.append(hasOthers ? .unlinked : .deleted, id, in: graph, reason: hasOthers ? nil : .removed)
    graph.remove(id)
    if isOldest, let next = graph.node(with: uuid) { draft.appendSuccession(of: next, after: id, in: graph) }
  }

  /// Finds that an entry is another than was told; what is in it stays, and other names of a file stay its names.
  mutating func changeIdentity(of id: NodeID, to uuid: UUIDBits? = nil) {
    lastIdentity += 1
    let otherNames = graph.hasOtherNames(id) ? graph.names(of: id).filter { $0 != id } : []
    for name in otherNames { draft.append(.unlinked, name, in: graph) }
    draft.append(.deleted, id, in: graph, reason: .replaced)
    graph.setUUID(ofFile: id, uuid ?? UUIDBits(high: 0, low: lastIdentity))
    draft.append(.discovered, id, in: graph)
    if graph[id].kind == .file { draft.append(.copyFinished, id, in: graph) }
    for name in otherNames { draft.append(.linked, name, in: graph) }
  }

  /// Finds that an item is a copy of another.
  mutating func findCopy(_ id: NodeID, of original: NodeID) {
    draft.append(.duplicated, id, in: graph, original: original)
  }

  /// Finds that a folder was moved by copying: what has its like in the copy goes on there, and the rest ends.
  ///
  /// - Parameter isNew: Whether an item that has no like in the copy goes on in a copy that was not announced.
  mutating func moveByCopying(_ folder: NodeID, to copy: NodeID, _ isNew: (NodeID) -> Bool = { _ in false }) {
    var likes: [NodeID: NodeID] = [folder: copy]
    var items = [folder]
    graph.storage.forEachDescendant(of: folder) { id in
      items.append(id)
      guard let parent = likes[graph[id].parent] else { return }
      likes[id] = graph.node(at: Place(parent: parent, name: graph.name(id)))
    }
    for id in items.reversed() {
      let place = likes[graph[id].parent].map { Place(parent: $0, name: graph.name(id)) }
      if let like = likes[id], canGoOn(id, in: like) {
        goOn(id, in: like)
      } else if let place, graph.isLive(place.parent), graph[place.parent].kind == .directory,
        graph.node(at: place) == nil, !graph.storage.hasChildren(id), isNew(id)
      {
        move(id, to: place)
      } else {
        delete(id)
      }
    }
  }

  private func canGoOn(_ id: NodeID, in copy: NodeID) -> Bool {
    graph[copy].kind == graph[id].kind && graph[copy].uuid != graph[id].uuid && !graph.storage.hasChildren(id)
      && !graph.hasOtherNames(id) && !graph.hasOtherNames(copy)
  }

  private mutating func goOn(_ id: NodeID, in copy: NodeID) {
    let uuid = graph[id].uuid
    draft.append(.deleted, copy, in: graph, reason: .replaced)
    draft.append(.deleted, id, in: graph, reason: .removed)
    graph.remove(id)
    graph.setIdentity(copy, uuid: uuid, key: graph.key(copy))
    draft.append(.discovered, copy, in: graph)
  }

  /// Takes an entry for deleted, and finds it elsewhere.
  mutating func loseAndFind(_ id: NodeID, at place: Place) {
    let (uuid, kind, content) = (graph[id].uuid, graph[id].kind, graph.content(of: id))
    delete(id)
    guard graph.isLive(place.parent), graph.node(at: place) == nil, graph.node(with: uuid) == nil else { return }
    graph.setContent(make(kind, at: place, uuid: uuid), modified: content.modified, size: content.size)
  }
}
