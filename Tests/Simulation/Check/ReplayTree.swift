import FileIdentity
import FileSystemObservation
import LinuxFileSystem

/// A model of the tree that knows nothing but what was told, and finds contradictions in it.
///
/// The changes of a set are taken in order, but its moves happen together: what is in the way of a moved item is put aside, and must have
/// been moved itself by the end of the set.
struct ReplayTree {
  final class Node {
    let uuid: UUIDBits
    let kind: ItemKind
    private(set) var children: [Node] = []
    /// Their names, in the same order.
    private(set) var names: [NameNumber] = []

    func takeChildren(of other: Node) {
      children = other.children
      names = other.names
    }

    init(_ uuid: UUIDBits, _ kind: ItemKind) {
      self.uuid = uuid
      self.kind = kind
    }

    func child(_ name: NameNumber) -> Node? {
      names.firstIndex(of: name).map { children[$0] }
    }

    func add(_ node: Node, _ name: NameNumber) {
      children.append(node)
      names.append(name)
    }

    func remove(_ name: NameNumber) -> Node? {
      guard let index = names.firstIndex(of: name) else { return nil }
      names.remove(at: index)
      return children.remove(at: index)
    }
  }

  private struct Aside {
    var uuid: UUIDBits
    var path: Path
    var node: Node
  }

  private let names: NameTable
  private let rootPath: Path
  let root = Node(UUIDBits(high: 0, low: 0), .directory)
  private var aside: [Aside] = []
  /// Directories that are others than was told: what is below them stays.
  private var replaced: [Aside] = []
  private var lastSet: UInt64 = 0
  /// What was told that cannot be true.
  private(set) var contradictions: [String] = []

  init(_ names: NameTable, root: Path) {
    self.names = names
    rootPath = root
  }

  /// Takes in one change set.
  mutating func apply(_ set: UInt64, _ changes: [Told]) {
    if set != lastSet + 1 { contradict("change set \(set) follows upon \(lastSet)") }
    if changes.isEmpty { contradict("change set \(set) is empty") }
    lastSet = set
    for change in changes { apply(change) }
    for item in aside { contradict("\(names.text(item.path)) was put over, and nothing was told of it") }
    for item in replaced { contradict("\(names.text(item.path)) was deleted, and is not empty") }
    aside = []
    replaced = []
  }

  private mutating func contradict(_ what: String) { contradictions.append(what) }
}

// MARK: - Changes

extension ReplayTree {
  private mutating func apply(_ change: Told) {
    switch change.kind {
    case .duplicated where node(at: change.path)?.uuid == change.uuid: break
    case .discovered, .linked, .duplicated: insert(change)
    case .copyFinished, .modified: expect(change)
    case .renamed, .moved: move(change)
    case .unlinked, .deleted:
      expect(change)
      if let node = node(at: change.path), node.uuid == change.uuid {
        if !node.children.isEmpty { replaced.append(Aside(uuid: node.uuid, path: change.path, node: node)) }
        _ = detach(change.path)
      }
    }
  }

  private mutating func insert(_ change: Told) {
    if let node = node(at: change.path) {
      return contradict("\(names.text(change)), where \(names.short(node.uuid)) stands")
    }
    let node = Node(change.uuid, change.itemKind)
    if let index = replaced.firstIndex(where: { $0.path == change.path }), change.itemKind == .directory {
      node.takeChildren(of: replaced.remove(at: index).node)
    }
    attach(node, change)
  }

  private mutating func move(_ change: Told) {
    guard let previous = change.previous else { return contradict("\(names.text(change)) without previous path") }
    if (previous.parent == change.path.parent) != (change.kind == .renamed) { contradict(names.text(change)) }
    guard let node = takeMoving(change, previous) else { return }
    if let other = self.node(at: change.path) {
      // The last name of a hard link that stands already.
      if other.uuid == change.uuid { return }
      _ = detach(change.path)
      aside.append(Aside(uuid: other.uuid, path: change.path, node: other))
    }
    attach(node, change)
  }

  private mutating func takeMoving(_ change: Told, _ previous: Path) -> Node? {
    if let index = aside.firstIndex(where: { $0.uuid == change.uuid && $0.path == previous }) {
      return aside.remove(at: index).node
    }
    if let node = node(at: previous), node.uuid == change.uuid {
      if previous == change.path { contradict("\(names.text(change)): to where it is") }
      return detach(previous)
    }
    // Of several names of a file, the one that stood for it is gone, and another stands for it from now on.
    if node(at: change.path)?.uuid != change.uuid {
      contradict("\(names.text(change)): it was not there, but \(describe(previous))")
    }
    return nil
  }

  private mutating func expect(_ change: Told) {
    if node(at: change.path)?.uuid != change.uuid {
      contradict("\(names.text(change)), where there is \(describe(change.path))")
    }
  }

  private func describe(_ path: Path) -> String { node(at: path).map { names.short($0.uuid) } ?? "nothing" }
}

// MARK: - The tree

extension ReplayTree {
  func node(at path: Path) -> Node? {
    var node = root
    for name in path.names.dropFirst(rootPath.names.count) {
      guard let child = node.child(name) else { return nil }
      node = child
    }
    return node
  }

  private mutating func attach(_ node: Node, _ change: Told) {
    guard let name = change.path.last, let directory = self.node(at: change.path.parent) else {
      return contradict("\(names.text(change)), and its directory was never told")
    }
    if directory.kind != .directory { contradict("\(names.text(change)) in something that is no directory") }
    directory.add(node, name)
  }

  private func detach(_ path: Path) -> Node? {
    path.last.flatMap { node(at: path.parent)?.remove($0) }
  }
}
