import FileIdentity

// Items without a record: they go with their directories.
//
// Most entries have the parent, name and identity that they had. All of these below an entry that has changed, down to
// the next entries that have changed, cross a border together and move together. So only changed entries are looked at.

extension ScopeFilter {
  /// Adds what replay of the records leaves out: items in another scope, or at another place, than the records say.
  mutating func addItemsWithoutRecords() {
    // An item moves with a directory above it, so that comes first.
    for id in questionable() {
      addItem(id)
      addContents(of: id)
    }
  }

  /// Entries that were there before the set, and may be others or elsewhere; also those that scopes are named after.
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
    // An entry that has not changed crosses borders with the directory that it is in.
    if graph.formerEntries.hasChanged(id) { addPassage(of: id, to: now, was, isNow) }
    addMove(of: id, to: now, misplaced(id, now, in: was.intersection(isNow)))
  }

  /// Adds what is in a directory and has the same parent, name and identity as before.
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

  /// Entries that are below a directory as before; parents before children.
  private func unchanged(below directory: NodeID, onlyChildren: Bool) -> [NodeID] {
    if onlyChildren {
      return graph.storage.children(of: directory).filter { !graph.formerEntries.hasChanged($0) }
    }
    var found: [NodeID] = []
    graph.storage.forEachDescendant(of: directory, unless: graph.formerEntries.hasChanged) { found.append($0) }
    return found
  }

  /// Those of the scopes in which replay has an item at another place than where it is.
  private func misplaced(_ id: NodeID, _ now: NodeID, in scopes: Set<Scope>) -> Set<Scope> {
    if scopes.isEmpty { return [] }
    let path = path(of: now)
    return scopes.filter { replayedPath(of: id, $0) != path }
  }

  /// Where replay has an item that was there before the set: it follows the lowest directory above it that has moved.
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
