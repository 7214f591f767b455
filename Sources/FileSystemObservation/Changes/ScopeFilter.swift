import FileIdentity
import FoundationEssentials

/// Finds out which changes of a set concern which parts of the tree, while the graph still knows what was before the
/// set.
///
/// A part gets the difference between what was in it before the set and what is in it after the set. What crosses its
/// border becomes a discovery or a deletion there. Most of the difference is in the records of the whole tree; the rest
/// concerns items without a record, see `addItemsWithoutRecords()`.
struct ScopeFilter {
  typealias Scope = FileSystemObserver.Scope

  /// Where a move of an item leads, and which parts get it.
  struct Move {
    var destination: NodeID
    var scopes: Set<Scope>
  }

  let graph: FileGraph
  let membership: ScopeMembership
  /// Which entries stand for items that other entries stood for before the set.
  private let returns: ChangeComposer.Returns
  private var log: ScopedLog
  /// Changes of items without a record.
  private var additions: [Scope: Additions] = [:]
  /// Moves, by the entries that stood for the items before the set.
  private(set) var moves: [NodeID: Move] = [:]
  /// Entries of items whose departure has a record.
  ///
  /// Some of these have not changed: what is in a directory that is another, and elsewhere, moves.
  private(set) var departed: Set<NodeID> = []

  /// Changes of a part that are not among the records.
  private struct Additions {
    var moves: [ChangeRecord] = []
    /// Directories before what was in them.
    var departures: [ChangeRecord] = []
    var arrivals: [(depth: Int, record: ChangeRecord)] = []
  }

  init(_ log: ChangeLog, _ graph: FileGraph, _ returns: ChangeComposer.Returns, _ scopes: [Scope]) {
    self.graph = graph
    self.returns = returns
    self.log = ScopedLog(log)
    membership = ScopeMembership(scopes, graph)
  }

  /// The changes for all scopes.
  consuming func filtered() -> ScopedLog {
    if membership.isEmpty || log.whole.isEmpty { return log }
    for (index, record) in log.whole.records.enumerated() { add(record, index) }
    // Everything else is where it was, and in the same directories.
    if log.whole.records.contains(where: \.concernsContents) { addItemsWithoutRecords() }
    for (scope, additions) in additions { add(additions, to: scope) }
    return log
  }

  private mutating func add(_ additions: Additions, to scope: Scope) {
    let earlier = additions.moves + additions.departures.reversed()
    let later = additions.arrivals.sorted { $0.depth < $1.depth }.map(\.record)
    let records = log.parts[scope] ?? []
    log.parts[scope] = earlier.map { .made($0) } + records + later.map { .made($0) }
  }

  /// The entry that stands for an item that has no record of its departure; nothing where that has one.
  func successor(of id: NodeID, _ former: FormerEntries.Entry) -> NodeID? {
    if departed.contains(id) { return nil }
    return graph.isLive(id) && graph[id].uuid == former.uuid ? id : returns.successor(of: id)
  }
}

// MARK: - Records

extension ScopeFilter {
  private mutating func add(_ record: ChangeRecord, _ index: Int) {
    let (was, isNow) = (scopesBefore(record), scopesAfter(record))
    note(record, movesIn: was.intersection(isNow))
    for scope in was.union(isNow) {
      guard let part = part(record, index, was: was.contains(scope), isNow: isNow.contains(scope)) else { continue }
      log.parts[scope, default: []].append(part)
    }
  }

  /// Notes whose departure a record is.
  private mutating func note(_ record: ChangeRecord, movesIn scopes: Set<Scope>) {
    switch record.kind {
    case .deleted, .unlinked: departed.insert(record.node)
    case .renamed, .moved:
      guard record.effect == .moves else { return }
      let former = returns.predecessor(of: record.node) ?? record.node
      departed.insert(former)
      moves[former] = Move(destination: record.node, scopes: scopes)
    case .discovered, .duplicated, .linked, .copyFinished, .modified, .attributesChanged, .activity: break
    }
  }

  /// What a change of the whole tree is in a part.
  private func part(_ record: ChangeRecord, _ index: Int, was: Bool, isNow: Bool) -> ScopedLog.Part? {
    let isMove = record.previousPath != nil
    if !isMove || was && isNow { return .record(index) }
    // Another name stands for a file, which keeps the names that it has.
    if record.effect == .none { return nil }
    return .made(isNow ? record.asDiscovery : record.asDeparture(from: parent(of: record)))
  }

  private func parent(of record: ChangeRecord) -> UUIDBits? {
    record.formerParent.flatMap { membership.identity($0, .before) }
  }

  private func scopesBefore(_ record: ChangeRecord) -> Set<Scope> {
    switch record.kind {
    case .discovered, .linked: return []
    case .duplicated where record.effect != .none: return []
    case .renamed, .moved: return record.formerParent.map { membership.scopes(of: record.uuid, in: $0, .before) } ?? []
    case .copyFinished, .modified, .duplicated, .attributesChanged, .activity: return scopesAfter(record)
    case .deleted, .unlinked:
      return graph.former(record.node).map { membership.scopes(of: record.uuid, in: $0.parent, .before) } ?? []
    }
  }

  private func scopesAfter(_ record: ChangeRecord) -> Set<Scope> {
    if record.kind == .deleted || record.kind == .unlinked { return [] }
    return membership.scopes(of: record.uuid, in: graph[record.node].parent, .after)
  }
}

// MARK: - Additions

extension ScopeFilter {
  /// An item is in some scopes no more, and in others from now on.
  mutating func addPassage(of id: NodeID, to now: NodeID, _ was: Set<Scope>, _ isNow: Set<Scope>) {
    if was == isNow { return }
    let (left, entered) = (was.subtracting(isNow), isNow.subtracting(was))
    if !left.isEmpty {
      let departure = departure(of: id, now)
      for scope in left { additions[scope, default: Additions()].departures.append(departure) }
    }
    if !entered.isEmpty {
      let arrival = record(.discovered, now, path: append(path: path(of: now)))
      let depth = graph.storage.level(of: now)
      for scope in entered { additions[scope, default: Additions()].arrivals.append((depth, arrival)) }
    }
  }

  /// An item is at another place for some scopes.
  mutating func addMove(of id: NodeID, to now: NodeID, _ scopes: Set<Scope>) {
    if scopes.isEmpty { return }
    var move = record(.moved, now, path: append(path: path(of: now)))
    move.previousPath = append(path: formerPath(of: id))
    move.formerParent = graph.former(id)?.parent
    move.effect = .moves
    for scope in scopes { additions[scope, default: Additions()].moves.append(move) }
    moves[id, default: Move(destination: now, scopes: [])].scopes.formUnion(scopes)
  }

  private mutating func departure(of id: NodeID, _ now: NodeID) -> ChangeRecord {
    var record = record(.deleted, now, path: append(path: formerPath(of: id)))
    record.reason = .movedOut
    record.facts.parent = graph.former(id).flatMap { membership.identity($0.parent, .before) }
    record.facts.nameCount = 1
    record.names = []
    return record
  }

  private mutating func record(_ kind: FileSystemChange.Kind, _ id: NodeID, path: Range<Int>) -> ChangeRecord {
    let node = graph[id]
    let facts = ItemFacts(id, graph)
    let names = facts.nameCount > 1 ? graph.firstNames(of: id).map { append(path: self.path(of: $0)) } : []
    return ChangeRecord(
      kind: kind, itemKind: FileSystemItem.Kind(node.kind), uuid: node.uuid, path: path,
      isCopying: node.flags.contains(.copying), isTagged: node.flags.contains(.tagged), facts: facts, names: names,
      node: id, effect: .comesOrGoes)
  }

  func path(of id: NodeID) -> [UInt8] {
    var path: [UInt8] = []
    graph.storage.appendPath(of: id, to: &path)
    return path
  }

  private func formerPath(of id: NodeID) -> [UInt8] {
    var path: [UInt8] = []
    graph.appendFormerPath(of: id, to: &path)
    return path
  }

  private mutating func append(path: [UInt8]) -> Range<Int> {
    let start = log.whole.paths.count
    log.whole.paths += path
    return start..<log.whole.paths.count
  }
}

extension ChangeRecord {
  /// Whether what is in a directory may be at another place, or in another directory, without a record of its own.
  fileprivate var concernsContents: Bool {
    itemKind == .directory && (effect == .moves || effect == .changesIdentity)
  }

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
