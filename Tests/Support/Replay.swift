package import FileSystemObservation
package import FoundationEssentials
package import SystemPackage

/// A model of the tree that knows nothing but what was told, and finds contradictions in it.
///
/// The changes of a set are taken in order, but its moves happen together: two items may change places. What is in the way of a
/// moved item is put aside, and must have been moved itself by the end of the set. A directory that is deleted before what is in it must
/// be discovered anew in the same set: it is the same with another identity.
package struct Replay {
  /// What a change says, with paths relative to the root.
  package struct Told: Sendable {
    package var kind: Change.Kind
    package var uuid: UUID
    package var itemKind: ItemKind
    package var path: String
    package var previousPath: String?

    package init(kind: Change.Kind, uuid: UUID, itemKind: ItemKind, path: String, previousPath: String? = nil) {
      self.kind = kind
      self.uuid = uuid
      self.itemKind = itemKind
      self.path = path
      self.previousPath = previousPath
    }
  }

  /// One item: a file, or a directory with what is in it.
  final class Node {
    let uuid: UUID
    let kind: ItemKind
    var children: [String: Node] = [:]

    init(_ uuid: UUID, _ kind: ItemKind) {
      self.uuid = uuid
      self.kind = kind
    }

    func copied() -> Node {
      let copy = Node(uuid, kind)
      copy.children = children.mapValues { $0.copied() }
      return copy
    }
  }

  private struct Origin: Hashable {
    var uuid: UUID
    var path: String
  }

  private let rootPath: String
  private var root = Node(UUID(), .directory)
  private var aside: [Origin: Node] = [:]
  /// Directories that are others than was told, by their paths: what is in them stays.
  private var replaced: [String: Node] = [:]
  private var lastSequence: UInt64?
  /// What was told that cannot be true.
  package private(set) var contradictions: [String] = []

  package init(root: String) {
    rootPath = root
  }

  /// Everything that was told from the start on.
  package init(root: String, _ entries: [Recorder.Entry]) {
    self.init(root: root)
    for entry in entries { apply(entry) }
  }

  /// Another that goes on from the same state.
  package func copied() -> Replay {
    var copy = self
    copy.root = root.copied()
    return copy
  }

  package mutating func apply(_ entry: Recorder.Entry) {
    switch entry.notification {
    case .didChange(let set): apply(set.sequence, entry.changes.map(told))
    case .mustRescan(let inventory): restart(from: inventory)
    default: break
    }
  }

  /// Takes in one change set.
  package mutating func apply(_ sequence: UInt64, _ changes: [Told]) {
    if let last = lastSequence, sequence != last + 1 { contradict("change set \(sequence) follows upon \(last)") }
    if changes.isEmpty { contradict("change set \(sequence) is empty") }
    lastSequence = sequence
    for change in changes { apply(change) }
    for origin in aside.keys { contradict("\(origin.path) was put over, and nothing was told of it") }
    for path in replaced.keys { contradict("\(path) was deleted, and is not empty") }
    aside = [:]
    replaced = [:]
  }

  private func told(_ change: Change) -> Told {
    Told(
      kind: change.kind, uuid: change.uuid, itemKind: change.itemKind, path: relative(change.path),
      previousPath: change.previousPath.map(relative))
  }

  /// A listener that fell behind begins anew.
  private mutating func restart(from inventory: Inventory) {
    root = Node(UUID(), .directory)
    lastSequence = inventory.sequence
    for item in inventory { insert(item.uuid, item.itemKind, at: relative(item.path), "the inventory") }
  }
}

// MARK: - Changes

extension Replay {
  private mutating func apply(_ change: Told) {
    let path = change.path
    switch change.kind {
    case .discovered, .linked: insert(change.uuid, change.itemKind, at: path, change.kind.rawValue)
    case .duplicated where node(at: path)?.uuid == change.uuid: break
    case .duplicated: insert(change.uuid, change.itemKind, at: path, "duplicated")
    case .copyFinished, .modified: expect(change.uuid, at: path, change.kind.rawValue)
    case .renamed, .moved: move(change, to: path)
    case .unlinked, .deleted:
      expect(change.uuid, at: path, change.kind.rawValue)
      guard node(at: path)?.uuid == change.uuid, let node = detach(path) else { return }
      if !node.children.isEmpty { replaced[path] = node }
    }
  }

  private mutating func insert(_ uuid: UUID, _ kind: ItemKind, at path: String, _ what: String) {
    if let node = node(at: path) {
      return contradict("\(what) \(path) (\(uuid)), where \(node.uuid) stands")
    }
    let node = Node(uuid, kind)
    if kind == .directory, let former = replaced.removeValue(forKey: path) { node.children = former.children }
    attach(node, path, what)
  }

  private mutating func move(_ change: Told, to path: String) {
    guard let previous = change.previousPath else {
      return contradict("\(change.kind) \(path) without previous path")
    }
    let sameParent = Self.split(previous).parent == Self.split(path).parent
    if sameParent != (change.kind == .renamed) { contradict("\(change.kind) \(previous) -> \(path)") }
    guard let node = takeMoving(Origin(uuid: change.uuid, path: previous), to: path) else { return }
    if let other = self.node(at: path) {
      // The last name of a hard link that stands already.
      if other.uuid == change.uuid { return }
      aside[Origin(uuid: other.uuid, path: path)] = detach(path)
    }
    attach(node, path, change.kind.rawValue)
  }

  private mutating func takeMoving(_ origin: Origin, to path: String) -> Node? {
    if let node = aside.removeValue(forKey: origin) { return node }
    if node(at: origin.path)?.uuid == origin.uuid { return detach(origin.path) }
    // Of several names of a file, the one that stood for it is gone, and another stands for it from now on.
    if node(at: path)?.uuid != origin.uuid {
      contradict("\(origin.path) -> \(path): \(origin.uuid) was not there, but \(describe(origin.path))")
    }
    return nil
  }

  private mutating func expect(_ uuid: UUID, at path: String, _ what: String) {
    if node(at: path)?.uuid != uuid { contradict("\(what) \(path) (\(uuid)), where there is \(describe(path))") }
  }

  private func describe(_ path: String) -> String { node(at: path).map { $0.uuid.uuidString } ?? "nothing" }

  private mutating func contradict(_ what: String) { contradictions.append(what) }
}

// MARK: - The tree

extension Replay {
  /// An item at a path.
  package struct Item: Equatable, Sendable {
    package var uuid: UUID
    package var kind: ItemKind
  }

  /// All items by their path relative to the root.
  package var items: [String: Item] {
    var items: [String: Item] = [:]
    Self.collect(root, "", &items)
    return items
  }

  private static func collect(_ node: Node, _ prefix: String, _ items: inout [String: Item]) {
    for (name, child) in node.children {
      items[prefix + name] = Item(uuid: child.uuid, kind: child.kind)
      if !child.children.isEmpty { collect(child, prefix + name + "/", &items) }
    }
  }

  /// A path as the model has it: relative to the root.
  package func relative(_ path: FilePath) -> String { Self.relative(path, to: rootPath) }

  package static func relative(_ path: FilePath, to root: String) -> String { relative(path.string, to: root) }

  static func relative(_ path: String, to root: String) -> String {
    let prefix = (root + "/").utf8
    guard path.utf8.starts(with: prefix) else { return path }
    return String(decoding: path.utf8.dropFirst(prefix.count), as: UTF8.self)
  }

  private func node(at path: String) -> Node? {
    var node = root
    for name in path.split(separator: "/") {
      guard let child = node.children[String(name)] else { return nil }
      node = child
    }
    return node
  }

  private mutating func attach(_ node: Node, _ path: String, _ what: String) {
    let (parent, name) = Self.split(path)
    guard let directory = self.node(at: parent) else {
      return contradict("\(what) \(path), and \(parent) was never told")
    }
    if directory.kind != .directory { contradict("\(what) \(path) in something that is no directory") }
    directory.children[name] = node
  }

  private func detach(_ path: String) -> Node? {
    let (parent, name) = Self.split(path)
    return node(at: parent)?.children.removeValue(forKey: name)
  }

  static func split(_ path: String) -> (parent: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[..<slash]), String(path[path.index(after: slash)...]))
  }
}
