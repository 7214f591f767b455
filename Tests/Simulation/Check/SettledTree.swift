import FileIdentity

/// An item as it was at the last quiet point.
struct Settled {
  var path: Path
  var uuid: UUIDBits
  var inode: Inode
  /// Whether a file outside the tree bears its tag, too, or an unfinished one in it: when one goes and the other comes
  /// in, its identity has moved.
  var isShared: Bool
}

/// What there was at the last quiet point, directories before what is in them.
///
/// Paths are made only of what is asked for: most items are never asked for.
struct SettledTree {
  private let root: Path
  let items: [Visible]
  /// What was not told, or waits for something, or cannot be known.
  private var unsettled: Set<Int> = []
  /// The UUIDs that files outside the tree bear, too, or unfinished ones in it.
  private let shared: [UUIDBits]

  init(root: Path, items: [Visible] = [], unsettled: Set<Int> = [], shared: [UUIDBits] = []) {
    self.root = root
    self.items = items
    self.unsettled = unsettled
    self.shared = shared
  }

  /// The UUID that an item had, where that is sure.
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

  /// What stood at a path.
  func item(at path: Path) -> Settled? { index(of: path).flatMap { settled($0) } }

  /// What stood at a path and below it.
  func items(inside path: Path) -> [Settled] {
    guard let first = index(of: path) else { return [] }
    var isInside = Array(repeating: false, count: items.count)
    isInside[first] = true
    for index in items.indices.dropFirst(first + 1) where items[index].parent >= 0 {
      isInside[index] = isInside[items[index].parent]
    }
    return items.indices.compactMap { isInside[$0] ? settled($0) : nil }
  }

  /// Takes out what cannot be known.
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
