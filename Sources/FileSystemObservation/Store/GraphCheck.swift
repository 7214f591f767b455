import LinuxFileSystem

/// Checks that a graph from a file is one tree: with it, no later access leaves the graph or never ends.
struct GraphCheck {
  private let storage: GraphStorage
  private let nodes: PagedArray<Node>
  /// How many entries of the tree a walk has found.
  private var found = 0

  init(_ storage: GraphStorage) {
    self.storage = storage
    nodes = storage.nodes
  }

  /// The bytes that names of live entries use.
  static func usedBytes(of nodes: PagedArray<Node>) throws(StoredDataError) -> Int {
    var used = 0
    for index in 0..<nodes.count where nodes[index].flags.contains(.live) { used += Int(nodes[index].nameCount) }
    return used
  }

  consuming func check() throws(StoredDataError) {
    guard nodes.count > 0 else { return }
    guard nodes.count <= NodeID.slotLimit else { throw StoredDataError("there are too many entries") }
    try checkRoot()
    var liveCount = 0
    for index in 0..<nodes.count {
      let node = nodes[index]
      guard node.generation < 16 else { throw StoredDataError("an entry has an impossible generation") }
      guard node.flags.contains(.live) else { continue }
      liveCount += 1
      try check(node, isRoot: index == 0)
    }
    try walk()
    guard found == liveCount else { throw StoredDataError("entries are in no directory") }
    try checkNames(of: liveCount)
  }

  private func checkRoot() throws(StoredDataError) {
    let root = nodes[0]
    guard root.flags.contains(.live), root.kind == .directory, root.generation == 0, root.parent == .root,
      root.nameCount == 0
    else { throw StoredDataError("the first entry is not the observed directory") }
  }

  /// Checks the parts of an entry that concern nothing else.
  private func check(_ node: Node, isRoot: Bool) throws(StoredDataError) {
    guard Int(node.device) < storage.devices.count else { throw StoredDataError("an entry has an unknown device") }
    guard isRoot || node.nameCount > 0, storage.names.contains(node.nameOffset, count: Int(node.nameCount)) else {
      throw StoredDataError("the name of an entry is missing")
    }
    guard storage.names.isUsable(at: node.nameOffset, count: Int(node.nameCount)) else {
      throw StoredDataError("the name of an entry is impossible")
    }
    guard storage.isLive(node.parent), nodes[node.parent.index].kind == .directory else {
      throw StoredDataError("an entry is in something that is not a directory")
    }
    guard node.kind == .directory || node.firstChild == Node.noNode else {
      throw StoredDataError("something that is not a directory has entries")
    }
  }

  // MARK: - Lists

  /// Walks the tree: as each entry has one parent and one place in its list, no entry is found twice.
  private mutating func walk() throws(StoredDataError) {
    var directories: [NodeID] = [.root]
    found = 1
    while let directory = directories.popLast() {
      var count: Int64 = 0
      var previous = Node.noNode
      var next = nodes[directory.index].firstChild
      while let id = Node.id(next) {
        guard storage.isLive(id), id != .root, nodes[id.index].parent == directory,
          nodes[id.index].previousSibling == previous, found < nodes.count
        else { throw StoredDataError("the list of a directory is broken") }
        found += 1
        count += 1
        if nodes[id.index].firstChild != Node.noNode { directories.append(id) }
        (previous, next) = (next, nodes[id.index].nextSibling)
      }
      guard count == 0 || count == nodes[directory.index].size else {
        throw StoredDataError("a directory has another number of entries")
      }
    }
  }

  /// Checks the lists of the names of files: each begins with the oldest name, and all further names are in one.
  private func checkNames(of liveCount: Int) throws(StoredDataError) {
    var further = 0
    var listed = 0
    for index in 0..<nodes.count where nodes[index].flags.contains(.live) {
      let node = nodes[index]
      if node.flags.contains(.furtherName) {
        further += 1
        continue
      }
      var next = Node.id(node.nextName)
      while let id = next {
        guard storage.isLive(id), nodes[id.index].uuid == node.uuid, nodes[id.index].flags.contains(.furtherName),
          listed < liveCount
        else { throw StoredDataError("the list of a file's names is broken") }
        listed += 1
        next = Node.id(nodes[id.index].nextName)
      }
    }
    guard further == listed else { throw StoredDataError("a name of a file is in no list") }
  }
}
