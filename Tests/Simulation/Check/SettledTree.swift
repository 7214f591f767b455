import FileIdentity

/// An item as it was at the last quiet point.
struct Settled {
  var path: Path
  var uuid: UUIDBits
  var inode: Inode
  /// Whether a file outside the tree bears its tag, too: when one goes and the other comes in, its identity has moved.
  var isSharedOutside: Bool
}

/// What there was at the last quiet point, directories before what is in them.
///
/// Paths are made only of what is asked for: most items are never asked for.
struct SettledTree {
  struct Item {
    /// The index of the directory; negative for the observed one.
    var parent: Int
    var name: NameNumber
    /// Nothing where the item was not told, or waits for something.
    var uuid: UUIDBits?
    var inode: Inode
    var isSharedOutside: Bool
  }

  private let root: Path
  private(set) var items: [Item] = []

  init(root: Path, items: [Item] = []) {
    self.root = root
    self.items = items
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
      if let uuid = items[index].uuid, uuids.contains(uuid) { items[index].uuid = nil }
    }
  }

  private func settled(_ index: Int) -> Settled? {
    let item = items[index]
    guard let uuid = item.uuid else { return nil }
    return Settled(path: path(index), uuid: uuid, inode: item.inode, isSharedOutside: item.isSharedOutside)
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
