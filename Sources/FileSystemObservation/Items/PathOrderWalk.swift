import LinuxFileSystem

/// Walks the entries of a tree in the order of the bytes of their paths.
///
/// That order differs from the order of names in each directory: `a`, `a!`, `a/b` is correct, since `!` sorts before
/// the slash. So the list contains each directory twice: once as an entry, and once, with a slash after its name, as
/// the place of its contents.
struct PathOrderWalk {
  /// An entry of a directory, or the place of its contents.
  private struct Step {
    var id: NodeID
    var isBelow: Bool
  }

  private struct Level {
    var steps: [Step]
    var next = 0
  }

  private let storage: GraphStorage
  private var levels: [Level] = []

  /// Walks all entries but the root.
  init(_ storage: GraphStorage) {
    self.storage = storage
    if storage.isLive(.root) { enter(.root) }
  }

  /// Walks some entries: all in one list, sorted by their whole paths.
  init(_ entries: [NodeID], _ storage: GraphStorage) {
    self.storage = storage
    let paths = entries.map { (path: storage.path(of: $0), id: $0) }
    let sorted = paths.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    levels = [Level(steps: sorted.map { Step(id: $0.id, isBelow: false) })]
  }

  mutating func next() -> NodeID? {
    while let last = levels.indices.last {
      let position = levels[last].next
      guard position < levels[last].steps.count else {
        levels.removeLast()
        continue
      }
      levels[last].next += 1
      let step = levels[last].steps[position]
      if !step.isBelow { return step.id }
      enter(step.id)
    }
    return nil
  }

  private mutating func enter(_ directory: NodeID) {
    var names = DirectoryNames()
    var ids: [NodeID] = []
    var next = Node.id(storage.nodes[directory.index].firstChild)
    while let id = next {
      let node = storage.nodes[id.index]
      names.append(storage.nameBytes(id), isAlsoFolder: Node.id(node.firstChild) != nil)
      ids.append(id)
      next = Node.id(node.nextSibling)
    }
    levels.append(Level(steps: names.sorted().map { Step(id: ids[$0.number], isBelow: $0.isBelow) }))
  }
}
