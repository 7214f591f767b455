import FileIdentity
import LinuxFileSystem
import SystemPackage

/// What renamed and moved directories took along in one set: it has no changes of its own, and follows from the tree
/// after the set.
struct MovedContents: Sendable {
  /// The tree after the set.
  let storage: GraphStorage
  /// The entries of the renamed and moved directories.
  private var directories: [UUIDBits: NodeID] = [:]
  /// The entries whose items arrived or moved by changes of their own.
  ///
  /// An entry whose former item has ended is not among them for that: it does not say where the present item was.
  private var arrivals: [NodeID: ChangeRecord.Effect] = [:]

  /// Makes what moved in the set of a log.
  init(_ log: ChangeLog, _ storage: GraphStorage) {
    self.storage = storage
    for record in log.records where record.effect != .none && record.kind != .deleted && record.kind != .unlinked {
      // The entries of a log that was stored may have other numbers.
      let isThere = record.node.index < storage.nodes.count && storage.nodes[record.node.index].uuid == record.uuid
      if isThere { note(record.effect, of: record.uuid, at: record.node) }
    }
    for id in log.staying { arrivals[id] = .comesOrGoes }
  }

  /// Makes what moves if changes are applied to a tree.
  init(_ changes: [FileSystemChange], before: FileSystemTree, below directory: FilePath) {
    let steps = changes.map { TreeStep($0, below: directory) }
    var tree = before
    tree.apply(steps)
    storage = tree.graph.storage
    let unlinked = Set(steps.filter { $0.kind == .unlinked }.map(\.path))
    for step in steps {
      // A known item that proves to be a copy stays where it is, and so does the name that succeeds an unlinked one.
      if step.kind == .duplicated, before.graph.node(with: step.uuid) != nil { continue }
      if let previous = step.previousPath, unlinked.contains(previous) { continue }
      guard let effect = step.effect, let id = tree.graph.node(atPath: step.path), tree.graph[id].uuid == step.uuid
      else { continue }
      note(effect, of: step.uuid, at: id)
    }
    noteStaying(before, Set(steps.filter { $0.kind == .deleted }.map(\.path)))
  }

  /// Notes the entries in directories that were moved over deleted ones, and that had their paths before: they were in a
  /// copy that was taken over.
  private mutating func noteStaying(_ before: FileSystemTree, _ deleted: Set<ArraySlice<UInt8>>) {
    for folder in directories.values {
      guard deleted.contains(storage.path(of: folder)[...]) else { continue }
      storage.forEachDescendant(of: folder) { id in
        guard arrivals[id] == nil, let former = before.graph.node(atPath: storage.path(of: id)[...]) else { return }
        if before.graph[former].uuid == storage.nodes[id.index].uuid { arrivals[id] = .comesOrGoes }
      }
    }
  }

  private mutating func note(_ effect: ChangeRecord.Effect, of uuid: UUIDBits, at id: NodeID) {
    arrivals[id] = effect
    if effect == .moves, storage.nodes[id.index].kind == .directory { directories[uuid] = id }
  }

  /// The items that a directory took along, each as `moved`, parents before children.
  func moves(below change: FileSystemChange, directory: FilePath) -> [FileSystemChange] {
    guard let previous = change.previousPath, previous != change.item.path,
      let folder = directories[UUIDBits(change.item.uuid)]
    else { return [] }
    let tree = KnownTree(storage, directory: directory)
    let depth = change.item.relativePath.bytes.count + 1
    var moves: [FileSystemChange] = []
    storage.forEachDescendant(of: folder, unless: { arrivals[$0] == .moves || arrivals[$0] == .comesOrGoes }) { id in
      if arrivals[id] != nil { return }
      let item = tree.item(id)
      // No directory between the two has moved, so both paths have the same tail.
      let rest = item.relativePath.bytes.dropFirst(depth)
      moves.append(FileSystemChange(.moved(from: previous.appending(bytes: rest)), item, origin: change.origin))
    }
    return moves
  }
}

extension TreeStep {
  /// What the step does to an entry that is there after the set.
  fileprivate var effect: ChangeRecord.Effect? {
    switch kind {
    case .renamed, .moved: .moves
    // All in a new directory has changes of its own; what has none was there under another identity of the directory.
    case .discovered, .duplicated: itemKind == .directory ? .changesIdentity : .comesOrGoes
    case .linked: .comesOrGoes
    case .copyFinished, .modified, .deleted, .unlinked, .attributesChanged, .activity, .propertiesChanged: nil
    }
  }
}
