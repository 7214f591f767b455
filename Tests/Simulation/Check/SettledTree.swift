import FileIdentity

/// An item as it was at the last quiet point.
struct Settled {
  var path: Path
  var uuid: UUIDBits
  var inode: Inode
  /// Whether a file outside the tree, or an unfinished one in it, has the same tag.
  ///
  /// If one goes and the other comes in, the identity has moved.
  var isShared: Bool
}

/// The tree at the last quiet point, directories before their contents.
///
/// Paths are made on demand, because most are never needed.
struct SettledTree {
  private let root: Path
  let items: [Visible]
  /// Items that were not announced, that wait for something, or whose identity is uncertain.
  private var unsettled: Set<Int> = []
  /// The UUIDs that files outside the tree, or unfinished ones in it, have as tags, too.
  private let shared: [UUIDBits]

  init(root: Path, items: [Visible] = [], unsettled: Set<Int> = [], shared: [UUIDBits] = []) {
    self.root = root
    self.items = items
    self.unsettled = unsettled
    self.shared = shared
  }

  /// The UUID of an item; `nil` if it is uncertain.
  func uuid(_ index: Int) -> UUIDBits? {
    guard let node = items[index].node, unsettled.isEmpty || !unsettled.contains(index) else { return nil }
    return node.uuid
  }

  func path(_ index: Int) -> Path {
    var names: [NameNumber] = []
    var current = index
    while current >= 0 {
      names.append(items[current].name)
      current = items[current].parent
    }
    return Path(root.names + names.reversed())
  }

  /// The item at a path.
  func item(at path: Path) -> Settled? { index(of: path).flatMap { settled($0) } }

  /// The items at a path and below it.
  func items(inside path: Path) -> [Settled] {
    guard let first = index(of: path) else { return [] }
    var isInside = Array(repeating: false, count: items.count)
    isInside[first] = true
    for index in items.indices.dropFirst(first + 1) where items[index].parent >= 0 {
      isInside[index] = isInside[items[index].parent]
    }
    return items.indices.compactMap { isInside[$0] ? settled($0) : nil }
  }

  /// Removes items whose identity is uncertain.
  mutating func remove(_ uuids: Set<UUIDBits>) {
    for index in items.indices {
      if let uuid = items[index].node?.uuid, uuids.contains(uuid) { unsettled.insert(index) }
    }
  }

  private func settled(_ index: Int) -> Settled? {
    guard let uuid = uuid(index) else { return nil }
    return Settled(
      path: path(index), uuid: uuid, inode: items[index].inode, isShared: shared.contains(uuid))
  }

  private func index(of path: Path) -> Int? {
    guard path.isInside(root), path != root else { return nil }
    var current = -1
    for name in path.names.dropFirst(root.names.count) {
      guard let next = items.firstIndex(where: { $0.parent == current && $0.name == name }) else { return nil }
      current = next
    }
    return current
  }
}
