import FileIdentity

// Items without a record, which follow their directories.
//
// Most entries keep their parent, name and identity. Those below a changed entry, down to the next changed entries,
// cross a border together and move together. So only changed entries are examined.

extension ScopeFilter {
  /// Adds the changes that replaying the records would miss: items whose scope or place differs from the replayed one.
  mutating func addItemsWithoutRecords() {
    // Directories come first, because items move with them.
    for id in questionable() {
      addItem(id)
      addContents(of: id)
    }
  }

  /// Existing entries that may have changed or moved, and the items that scopes are named after.
  private func questionable() -> [NodeID] {
    var ids = graph.formerEntries.ids
    for uuid in membership.namesakes {
      if let oldest = graph.node(with: uuid) { ids.formUnion(graph.names(of: oldest)) }
    }
    ids.remove(.root)
    let known = ids.filter { graph.former($0) != nil }.map { (depth: graph.formerDepth(of: $0), id: $0) }
    return known.sorted { ($0.depth, $0.id.rawValue) < ($1.depth, $1.id.rawValue) }.map(\.id)
  }

  private mutating func addItem(_ id: NodeID) {
    guard let former = graph.former(id), let now = successor(of: id, former) else { return }
    let was = membership.scopes(of: former.uuid, in: former.parent, .before)
    let isNow = membership.scopes(of: former.uuid, in: graph[now].parent, .after)
    // An unchanged entry crosses borders with its directory.
    if graph.formerEntries.hasChanged(id) { addPassage(of: id, to: now, was, isNow) }
    addMove(of: id, to: now, misplaced(id, now, in: was.intersection(isNow)))
  }

  /// Adds the contents of a directory with the same parent, name and identity as before.
  private mutating func addContents(of directory: NodeID) {
    guard graph.isLive(directory), graph.formerEntries.hasChanged(directory) else { return }
    let was = membership.scopesOfContents(of: directory, .before)
    let isNow = membership.scopesOfContents(of: directory, .after)
    let misplaced = misplaced(directory, directory, in: was.intersection(isNow))
    if was == isNow && misplaced.isEmpty { return }
    for id in unchanged(below: directory, onlyChildren: was == isNow) where !departed.contains(id) {
      let isChild = graph[id].parent == directory
      addPassage(of: id, to: id, isChild ? was : was.filter(\.isDeep), isChild ? isNow : isNow.filter(\.isDeep))
      if isChild { addMove(of: id, to: id, misplaced) }
    }
  }

  /// The entries that remain below a directory, parents before children.
  private func unchanged(below directory: NodeID, onlyChildren: Bool) -> [NodeID] {
    if onlyChildren {
      return graph.storage.children(of: directory).filter { !graph.formerEntries.hasChanged($0) }
    }
    var found: [NodeID] = []
    graph.storage.forEachDescendant(of: directory, unless: graph.formerEntries.hasChanged) { found.append($0) }
    return found
  }

  /// The scopes in which replay puts an item at a wrong place.
  private func misplaced(_ id: NodeID, _ now: NodeID, in scopes: Set<Scope>) -> Set<Scope> {
    if scopes.isEmpty { return [] }
    let path = path(of: now)
    return scopes.filter { replayedPath(of: id, $0) != path }
  }

  /// The replayed path of an existing item: it follows its lowest ancestor that has moved.
  private func replayedPath(of id: NodeID, _ scope: Scope) -> [UInt8] {
    var names: [ArraySlice<UInt8>] = []
    var top: [UInt8] = []
    var current = id
    while current != .root, let former = graph.former(current) {
      if let move = moves[current], move.scopes.contains(scope) {
        top = path(of: move.destination)
        break
      }
      names.append(graph.nameBytes(former))
      current = former.parent
    }
    return Array(((top.isEmpty ? [] : [top[...]]) + names.reversed()).joined(separator: [UInt8(ascii: "/")]))
  }
}
