import FileIdentity
import FoundationEssentials

/// Assigns the changes of a set to scopes, while the graph still remembers the state before the set.
///
/// A scope gets the difference between its contents before and after the set. An item that crosses its border is
/// discovered or deleted there. Most of the difference is in the records of the whole tree; the rest concerns items
/// without a record, see `addItemsWithoutRecords()`.
struct ScopeFilter {
  typealias Scope = FileSystemObserver.Scope

  /// The destination of a move, and the scopes that get it.
  struct Move {
    var destination: NodeID
    var scopes: Set<Scope>
  }

  let graph: FileGraph
  let membership: ScopeMembership
  /// Entries of returned items, by their entries before the set.
  private let returns: ChangeComposer.Returns
  private var log: ScopedLog
  /// Changes of items without a record.
  private var additions: [Scope: Additions] = [:]
  /// The moves, by the items' entries before the set.
  private(set) var moves: [NodeID: Move] = [:]
  /// Entries of items whose departure has a record.
  ///
  /// Some have not changed: the contents of a directory with another identity and place move.
  private(set) var departed: Set<NodeID> = []

  /// Changes of a scope that are not among the records.
  private struct Additions {
    var moves: [ChangeRecord] = []
    /// Directories before their contents.
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
    for (index, record) in log.whole.continuations.enumerated() {
      for scope in scopesAfter(record) { log.continuations[scope, default: []].append(index) }
    }
    // All other items keep their places and directories.
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

  /// The entry of an item without a record of its departure; `nil` if there is a record.
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
    if record.facts.nameCount > 1, record.kind == .modified || record.kind == .copyFinished {
      addToOtherNames(record, besides: isNow)
    }
  }

  /// The most names of a file whose scopes get a change of its content.
  private static var nameLimit: Int { 1_024 }

  /// Adds a change of a file's content to the scopes in which the file has another name.
  private mutating func addToOtherNames(_ record: ChangeRecord, besides known: Set<Scope>) {
    var told = known
    for name in graph.names(of: record.node, atMost: Self.nameLimit, where: { $0 != record.node }) {
      guard graph.former(name)?.uuid == record.uuid else { continue }
      let was = membership.scopes(of: record.uuid, in: graph.former(name)?.parent ?? .root, .before)
      let isNow = membership.scopes(of: record.uuid, in: graph[name].parent, .after)
      for scope in isNow.intersection(was).subtracting(told) {
        var part = self.record(record.kind, name, path: append(path: path(of: name)))
        part.effect = .none
        log.parts[scope, default: []].append(.made(part))
        told.insert(scope)
      }
    }
  }

  /// Notes the entry whose departure a record announces.
  private mutating func note(_ record: ChangeRecord, movesIn scopes: Set<Scope>) {
    switch record.kind {
    case .deleted, .unlinked: departed.insert(record.node)
    case .renamed, .moved:
      guard record.effect == .moves else { return }
      let former = returns.predecessor(of: record.node) ?? record.node
      departed.insert(former)
      moves[former] = Move(destination: record.node, scopes: scopes)
    case .discovered, .duplicated, .linked, .copyFinished, .modified: break
    case .attributesChanged, .activity, .propertiesChanged: break
    }
  }

  /// The change of a scope for a change of the whole tree.
  private func part(_ record: ChangeRecord, _ index: Int, was: Bool, isNow: Bool) -> ScopedLog.Part? {
    let isMove = record.previousPath != nil
    if !isMove || was && isNow { return .record(index) }
    // A succession of names changes no name of the file.
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
    case .copyFinished, .modified, .duplicated, .attributesChanged, .activity, .propertiesChanged:
      return scopesAfter(record)
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
  /// Adds the departures from scopes that an item has left and the arrivals in those it has entered.
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

  /// Adds a move of an item for some scopes.
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

  func path(of id: NodeID) -> [UInt8] { graph.storage.path(of: id) }

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
  /// Whether the contents of the directory may have moved, or changed directory, without records of their own.
  fileprivate var concernsContents: Bool {
    itemKind == .directory && (effect == .moves || effect == .changesIdentity)
  }

  /// The record as seen from its destination.
  fileprivate var asDiscovery: ChangeRecord {
    var record = self
    record.kind = .discovered
    record.previousPath = nil
    record.effect = .comesOrGoes
    return record
  }

  /// The record as seen from its origin.
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
