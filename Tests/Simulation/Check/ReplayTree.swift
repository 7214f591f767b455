import FileIdentity
import FileSystemObservation
import LinuxFileSystem

/// A model of the tree, made of the announcements alone, that finds contradictions in them.
///
/// The changes of a set are one step: first the model takes out everything that leaves its place, the deepest first,
/// and then it puts in everything that arrives, parents first. `FileSystemTree` does the same for apps. This model is
/// written independently, so that the two can be compared, and reports what that one tolerates.
struct ReplayTree {
  final class Node {
    let uuid: UUIDBits
    let kind: FileSystemItem.Kind
    private(set) var children: [Node] = []
    /// The names of the children, in the same order.
    private(set) var names: [NameNumber] = []

    func takeChildren(of other: Node) {
      children = other.children
      names = other.names
    }

    init(_ uuid: UUIDBits, _ kind: FileSystemItem.Kind) {
      self.uuid = uuid
      self.kind = kind
    }

    func copied() -> Node {
      let node = Node(uuid, kind)
      (node.children, node.names) = (children.map { $0.copied() }, names)
      return node
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

  /// A node that a set moves from one place to another.
  private struct Taken {
    var node: Node
    /// Its directory before the set.
    var parent: UUIDBits
  }

  private let names: NameTable
  private let rootPath: Path
  private(set) var root = Node(UUIDBits(high: 0, low: 0), .directory)
  private var taken: [Int: Taken] = [:]
  /// Deleted directories with contents, by their paths before the set: their successors keep the contents.
  private var nameless: [(node: Node, path: Path)] = []
  private var lastSet: UInt64 = 0
  /// Announcements that cannot be true.
  private(set) var contradictions: [String] = []

  init(_ names: NameTable, root: Path) {
    self.names = names
    rootPath = root
  }

  /// A copy between two sets, which later ones do not change.
  func copied() -> ReplayTree {
    var copy = self
    copy.root = root.copied()
    return copy
  }

  /// Applies one change set.
  mutating func apply(_ set: UInt64, _ changes: [Told]) {
    if set != lastSet + 1 { contradict("change set \(set) follows upon \(lastSet)") }
    if changes.isEmpty { contradict("change set \(set) is empty") }
    lastSet = set
    takeOut(changes)
    putIn(changes)
    for change in changes { checkPlace(change) }
    for item in nameless { contradict("\(names.text(item.path)) was deleted, and is not empty") }
    nameless = []
  }

  private mutating func contradict(_ what: String) { contradictions.append(what) }
}

// MARK: - Changes

extension ReplayTree {
  private mutating func takeOut(_ changes: [Told]) {
    let order = changes.indices.filter { changes[$0].formerPath != nil }
    for index in order.sorted(by: { depth(changes[$1].formerPath) < depth(changes[$0].formerPath) }) {
      let change = changes[index]
      guard let path = change.formerPath else { continue }
      guard let node = node(at: path), node.uuid == change.uuid, let parent = self.node(at: path.parent) else {
        if !isSuccession(change, changes) {
          contradict("\(names.text(change)): it was not there, but \(describe(path))")
        }
        continue
      }
      if change.previous != nil {
        taken[index] = Taken(node: node, parent: parent.uuid)
      } else if !node.children.isEmpty {
        nameless.append((node, path))
        continue
      }
      _ = detach(path)
    }
  }

  /// Whether the name that represented a file with several names is gone, and another represents it from now on.
  private func isSuccession(_ change: Told, _ changes: [Told]) -> Bool {
    change.previous != nil
      && changes.contains { $0.kind == .unlinked && $0.uuid == change.uuid && $0.path == change.previous }
  }

  private func depth(_ path: Path?) -> Int { path?.names.count ?? 0 }

  private mutating func putIn(_ changes: [Told]) {
    for index in changes.indices.sorted(by: { depth(changes[$0].path) < depth(changes[$1].path) }) {
      let change = changes[index]
      switch change.kind {
      case .duplicated where node(at: change.path)?.uuid == change.uuid: break
      case .discovered, .linked, .duplicated: insert(change)
      case .renamed, .moved: putBack(change, index)
      case .copyFinished, .modified, .unlinked, .deleted, .attributesChanged, .activity,
        .propertiesChanged:
        break
      }
    }
  }

  private mutating func insert(_ change: Told) {
    let node = Node(change.uuid, change.itemKind)
    if let other = self.node(at: change.path) {
      guard let index = nameless.firstIndex(where: { $0.node === other }), change.itemKind == .directory else {
        return contradict("\(names.text(change)), where \(names.short(other.uuid)) stands")
      }
      nameless.remove(at: index)
      node.takeChildren(of: other)
      _ = detach(change.path)
    }
    attach(node, change)
  }

  private mutating func putBack(_ change: Told, _ index: Int) {
    guard let item = taken.removeValue(forKey: index) else { return }
    if let other = self.node(at: change.path) {
      guard item.node.kind == .directory, takeOver(other, by: item.node) else {
        return contradict("\(names.text(change)), where \(names.short(other.uuid)) stands")
      }
      _ = detach(change.path)
    }
    let isSameFolder = self.node(at: change.path.parent)?.uuid == item.parent
    if isSameFolder != (change.kind == .renamed) { contradict(names.text(change)) }
    if isSameFolder, change.path.last == change.previous?.last { contradict("\(names.text(change)): to where it is") }
    attach(item.node, change)
  }

  /// Merges the remaining children of a deleted directory into the one that replaces it.
  ///
  /// - Returns: Whether the former directory was deleted in this set.
  private mutating func takeOver(_ former: Node, by node: Node) -> Bool {
    guard let index = nameless.firstIndex(where: { $0.node === former }) else { return false }
    nameless.remove(at: index)
    for (name, child) in zip(former.names, former.children) {
      if let standing = node.child(name) {
        guard standing.kind == .directory, takeOver(child, by: standing) else { return false }
      } else {
        node.add(child, name)
      }
    }
    return true
  }

  /// Checks that an announced item is at its place after the set.
  private mutating func checkPlace(_ change: Told) {
    guard change.kind != .deleted, change.kind != .unlinked else { return }
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

  /// The path of an identity.
  func place(of uuid: UUIDBits) -> Path? {
    func find(_ node: Node, _ path: Path) -> Path? {
      for (name, child) in zip(node.names, node.children) {
        let place = path.appending(name)
        if child.uuid == uuid { return place }
        if let found = find(child, place) { return found }
      }
      return nil
    }
    return find(root, rootPath)
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
