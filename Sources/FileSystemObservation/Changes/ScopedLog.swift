import FileIdentity
import FoundationEssentials

/// The changes of one set, for the whole tree and for each scope.
package struct ScopedLog: Sendable {
  /// One change of a scope.
  enum Part: Sendable {
    /// The index of a change of the whole tree.
    case record(Int)
    /// A change of this scope only: an item crosses its border, or the scope itself moves.
    case made(ChangeRecord)
  }

  /// The changes of the whole tree.
  package internal(set) var whole: ChangeLog
  var parts: [FileSystemObserver.Scope: [Part]] = [:]

  /// The indices of the continuations in each scope.
  var continuations: [FileSystemObserver.Scope: [Int]] = [:]

  init(_ whole: ChangeLog) {
    self.whole = whole
  }

  /// The changes of a scope; `nil` if there are none.
  subscript(scope: FileSystemObserver.Scope) -> ChangeLog? {
    if scope == .all { return whole }
    guard let parts = parts[scope] else { return nil }
    var log = whole
    log.records = parts.map { part in
      switch part {
      case .record(let index): whole.records[index]
      case .made(let record): record
      }
    }
    log.continuations = continuations[scope, default: []].map { whole.continuations[$0] }
    return log
  }
}

extension FirstInventory {
  /// The inventory of a scope.
  func restricted(to scope: FileSystemObserver.Scope) -> FirstInventory {
    if scope == .all { return self }
    var part = self
    part.isPart = true
    let entries = Set(storage.entries(in: scope))
    part.order.removeAll { !entries.contains($0) }
    return part
  }
}

extension GraphStorage {
  /// The entries of a scope, parents before children, without the observed directory.
  func entries(in scope: FileSystemObserver.Scope) -> [NodeID] {
    guard nodes.count > 0 else { return [] }
    var entries: [NodeID] = []
    switch scope {
    case .all: forEachDescendant(of: .root) { entries.append($0) }
    case .item(let uuid): entries = bearers(of: uuid)
    case .folder(let uuid): for id in bearers(of: uuid) { entries += [id] + children(of: id) }
    case .subtree(let uuid):
      for id in bearers(of: uuid) {
        entries.append(id)
        forEachDescendant(of: id) { entries.append($0) }
      }
    }
    return entries.filter { $0 != .root }
  }

  private func bearers(of uuid: UUID) -> [NodeID] {
    let uuid = UUIDBits(uuid)
    return liveIDs.filter { nodes[$0.index].uuid == uuid }
  }
}
