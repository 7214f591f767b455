import FileIdentity
import FoundationEssentials

/// Finds out which changes of a set concern which parts of the tree, while the graph still knows what was before the set.
///
/// What crosses the border of a part becomes a discovery or a deletion there, with everything in it that has no change of its own.
struct ScopeFilter {
  typealias Scope = FileSystemObserver.Scope

  /// Before the set, or after it.
  private enum Moment {
    case before, after
  }

  private let graph: FileGraph
  private var log: ScopedLog
  private let effects: [NodeID: ChangeRecord.Effect]
  /// Which entries stand for items that other entries stood for before the set.
  private let returns: ChangeComposer.Returns
  private var items: Set<UUIDBits> = []
  private var folders: Set<UUIDBits> = []
  private var subtrees: Set<UUIDBits> = []
  /// Directories whose contents have been looked at.
  private var looked: Set<NodeID> = []

  init(_ log: ChangeLog, _ graph: FileGraph, _ returns: ChangeComposer.Returns, _ scopes: [Scope]) {
    self.graph = graph
    self.returns = returns
    self.log = ScopedLog(log)
    effects = log.effects
    for scope in scopes {
      switch scope {
      case .all: break
      case .item(let uuid): items.insert(UUIDBits(uuid))
      case .folder(let uuid): folders.insert(UUIDBits(uuid))
      case .subtree(let uuid): subtrees.insert(UUIDBits(uuid))
      }
    }
  }

  /// The changes for all scopes.
  consuming func filtered() -> ScopedLog {
    if items.isEmpty, folders.isEmpty, subtrees.isEmpty { return log }
    for (index, record) in log.whole.records.enumerated() { filter(record, index) }
    addMovesOfScopes()
    return log
  }

  private mutating func filter(_ record: ChangeRecord, _ index: Int) {
    let (was, isNow) = (scopesBefore(record), scopesAfter(record))
    let crossing = looksInside(record) ? contentsThatCross(of: record.node) : []
    for (id, was, isNow) in crossing.reversed() {
      for scope in was.subtracting(isNow) { append(.made(leaving(id)), to: scope) }
    }
    for scope in was.union(isNow) {
      guard let part = part(record, index, was: was.contains(scope), isNow: isNow.contains(scope)) else { continue }
      append(part, to: scope)
    }
    for (id, was, isNow) in crossing {
      for scope in isNow.subtracting(was) { append(.made(entering(id)), to: scope) }
    }
  }

  private mutating func append(_ part: ScopedLog.Part, to scope: Scope) { log.parts[scope, default: []].append(part) }

  /// What a change of the whole tree is in a part.
  private func part(_ record: ChangeRecord, _ index: Int, was: Bool, isNow: Bool) -> ScopedLog.Part? {
    let isMove = record.previousPath != nil
    if !isMove || was && isNow { return .record(index) }
    // Another name stands for a file, which keeps the names that it has.
    if record.effect == .none { return nil }
    return .made(isNow ? record.asDiscovery : record.asDeparture(from: parent(of: record)))
  }

  private func parent(of record: ChangeRecord) -> UUIDBits? { record.formerParent.flatMap { identity($0, .before) } }
}

// MARK: - Membership

extension ScopeFilter {
  private func scopesBefore(_ record: ChangeRecord) -> Set<Scope> {
    switch record.kind {
    case .discovered, .linked: return []
    case .duplicated where record.effect != .none: return []
    case .renamed, .moved: return record.formerParent.map { scopes(of: record.uuid, in: $0, .before) } ?? []
    case .copyFinished, .modified, .duplicated, .attributesChanged, .activity: return scopesAfter(record)
    case .deleted, .unlinked:
      return graph.former(record.node).map { scopes(of: record.uuid, in: $0.parent, .before) } ?? []
    }
  }

  private func scopesAfter(_ record: ChangeRecord) -> Set<Scope> {
    if record.kind == .deleted || record.kind == .unlinked { return [] }
    return scopes(of: record.uuid, in: graph[record.node].parent, .after)
  }

  /// The scopes that an item is in.
  private func scopes(of uuid: UUIDBits, in parent: NodeID, _ moment: Moment) -> Set<Scope> {
    var found = scopesOfContents(of: parent, moment)
    if items.contains(uuid) { found.insert(.item(UUID(uuid))) }
    if folders.contains(uuid) { found.insert(.folder(UUID(uuid))) }
    if subtrees.contains(uuid) { found.insert(.subtree(UUID(uuid))) }
    return found
  }

  /// The scopes that everything directly in a directory is in.
  private func scopesOfContents(of directory: NodeID, _ moment: Moment) -> Set<Scope> {
    var found: Set<Scope> = []
    if let uuid = identity(directory, moment), folders.contains(uuid) { found.insert(.folder(UUID(uuid))) }
    var next: NodeID? = subtrees.isEmpty ? nil : directory
    while let current = next {
      if let uuid = identity(current, moment), subtrees.contains(uuid) { found.insert(.subtree(UUID(uuid))) }
      next = current == .root ? nil : parent(of: current, moment)
    }
    return found
  }

  /// The entry that stood for an item before the set.
  private func predecessor(of id: NodeID) -> NodeID { returns.predecessor(of: id) ?? id }

  /// Where an item was before the set; nothing where it was not there, or had not been announced.
  private func former(_ id: NodeID) -> FormerEntries.Entry? { graph.former(predecessor(of: id)) }

  private func identity(_ id: NodeID, _ moment: Moment) -> UUIDBits? {
    if id == .root { return graph[.root].uuid }
    return moment == .before ? graph.former(id)?.uuid : graph.isLive(id) ? graph[id].uuid : nil
  }

  private func parent(of id: NodeID, _ moment: Moment) -> NodeID? {
    moment == .before ? graph.former(id)?.parent : graph[id].parent
  }
}

// MARK: - Contents of directories

extension ScopeFilter {
  /// Whether what is in a directory may have come into a part, or left it, with the directory.
  private mutating func looksInside(_ record: ChangeRecord) -> Bool {
    guard record.itemKind == .directory, record.effect == .moves || record.effect == .changesIdentity,
      graph.isLive(record.node), looked.insert(record.node).inserted
    else { return false }
    // What stayed in it was in what the entry stood for, and what came with it in what it was.
    let isNow = scopesOfContents(of: record.node, .after)
    return [record.node, predecessor(of: record.node)].contains { scopesOfContents(of: $0, .before) != isNow }
  }

  /// What is in a directory, has no change of its own, and is in other parts than before; parents before children.
  private func contentsThatCross(of directory: NodeID) -> [(id: NodeID, was: Set<Scope>, isNow: Set<Scope>)] {
    var crossing: [(id: NodeID, was: Set<Scope>, isNow: Set<Scope>)] = []
    let hasOwnChange: (NodeID) -> Bool = { effects[$0] == .moves || effects[$0] == .comesOrGoes }
    graph.storage.forEachDescendant(of: directory, unless: hasOwnChange) { id in
      // What has not been announced is announced by a change of its own.
      guard effects[id] == nil, let former = former(id) else { return }
      let was = scopesOfContents(of: former.parent, .before)
      let isNow = scopesOfContents(of: graph[id].parent, .after)
      if was != isNow { crossing.append((id, was, isNow)) }
    }
    return crossing
  }

  private mutating func entering(_ id: NodeID) -> ChangeRecord {
    let start = log.whole.paths.count
    graph.storage.appendPath(of: id, to: &log.whole.paths)
    return record(.discovered, id, path: start..<log.whole.paths.count)
  }

  private mutating func leaving(_ id: NodeID) -> ChangeRecord {
    let start = log.whole.paths.count
    graph.appendFormerPath(of: predecessor(of: id), to: &log.whole.paths)
    var record = record(.deleted, id, path: start..<log.whole.paths.count)
    record.reason = .movedOut
    record.facts.parent = former(id).flatMap { identity($0.parent, .before) }
    return record
  }

  private func record(_ kind: FileSystemChange.Kind, _ id: NodeID, path: Range<Int>) -> ChangeRecord {
    let node = graph[id]
    return ChangeRecord(
      kind: kind, itemKind: FileSystemItem.Kind(node.kind), uuid: node.uuid, path: path,
      isCopying: node.flags.contains(.copying), isTagged: node.flags.contains(.tagged), facts: ItemFacts(id, graph),
      node: id, effect: .comesOrGoes)
  }
}

// MARK: - Moves of scopes

extension ScopeFilter {
  /// An item that a scope is named after has another path where a directory above it moved.
  private mutating func addMovesOfScopes() {
    guard effects.values.contains(where: { $0 == .moves || $0 == .changesIdentity }) else { return }
    for uuid in items { addMove(of: uuid, to: .item(UUID(uuid))) }
    for uuid in folders { addMove(of: uuid, to: .folder(UUID(uuid))) }
    for uuid in subtrees { addMove(of: uuid, to: .subtree(UUID(uuid))) }
  }

  private mutating func addMove(of uuid: UUIDBits, to scope: Scope) {
    guard let oldest = graph.node(with: uuid), oldest != .root else { return }
    for id in graph.names(of: oldest) where effects[id] == nil && former(id)?.uuid == uuid {
      addMove(of: id, to: scope)
    }
  }

  private mutating func addMove(of id: NodeID, to scope: Scope) {
    let start = log.whole.paths.count
    graph.storage.appendPath(of: id, to: &log.whole.paths)
    let path = start..<log.whole.paths.count
    graph.appendFormerPath(of: predecessor(of: id), to: &log.whole.paths)
    let previous = path.upperBound..<log.whole.paths.count
    guard log.whole.paths[path] != log.whole.paths[previous] else { return }
    var record = record(.moved, id, path: path)
    record.previousPath = previous
    record.effect = .moves
    log.parts[scope, default: []].insert(.made(record), at: 0)
  }
}

extension ChangeRecord {
  /// The same as seen from where it arrives.
  fileprivate var asDiscovery: ChangeRecord {
    var record = self
    record.kind = .discovered
    record.previousPath = nil
    record.effect = .comesOrGoes
    return record
  }

  /// The same as seen from where it was.
  fileprivate func asDeparture(from parent: UUIDBits?) -> ChangeRecord {
    var record = self
    record.kind = .deleted
    record.reason = .movedOut
    record.path = previousPath ?? path
    record.previousPath = nil
    record.facts.parent = parent
    record.names = []
    record.facts.nameCount = 1
    record.effect = .comesOrGoes
    return record
  }
}
