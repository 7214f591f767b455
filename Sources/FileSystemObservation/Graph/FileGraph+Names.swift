import FileIdentity
import LinuxFileSystem

// Identities with several names: the hard links of a file.

extension FileGraph {
  /// All names of an identity, oldest first, in time proportional to their number.
  func names(of id: NodeID) -> [NodeID] {
    var names: [NodeID] = []
    forEachName(of: id) { name in
      names.append(name)
      return true
    }
    return names
  }

  /// The first names of an identity that the closure accepts, oldest first.
  func names(of id: NodeID, atMost limit: Int, where accepts: (NodeID) -> Bool) -> [NodeID] {
    var names: [NodeID] = []
    forEachName(of: id) { name in
      if accepts(name) { names.append(name) }
      return names.count < limit
    }
    return names
  }

  /// Calls `body` with the names of an identity, oldest first, until it returns `false`.
  func forEachName(of id: NodeID, _ body: (NodeID) -> Bool) {
    var next = node(with: self[id].uuid)
    while let name = next, body(name) { next = Node.id(self[name].nextName) }
  }

  func nextName(_ id: NodeID) -> NodeID? { Node.id(self[id].nextName) }

  /// The names of an identity that have a flag of `NameLists.listed`, ordered by their numbers.
  func names(of id: NodeID, with flag: NodeFlags) -> [NodeID] {
    nameLists.names(of: self[id].uuid, with: flag).sorted { $0.rawValue < $1.rawValue }
  }

  func nameCount(of id: NodeID) -> Int { node(with: self[id].uuid).map { nameLists.count(from: $0) } ?? 1 }

  func nameCount(of id: NodeID, with flag: NodeFlags) -> Int { nameLists.count(of: self[id].uuid, with: flag) }

  /// Whether an identity has more names than this one.
  func hasOtherNames(_ id: NodeID) -> Bool {
    self[id].nextName != Node.noNode || node(with: self[id].uuid) != id
  }
}

// MARK: - Content

extension FileGraph {
  /// The last known time and size of a file; all its names share them, and the oldest stores them.
  func content(of id: NodeID) -> (modified: Int64, size: Int64) {
    let node = self[self.node(with: self[id].uuid) ?? id]
    return (node.modified, node.size)
  }

  /// Stores the time and size of a file for all its names; for a directory, `size` counts its entries instead.
  mutating func setContent(_ id: NodeID, modified: Int64, size: Int64) {
    let oldest = node(with: self[id].uuid) ?? id
    storage.nodes[oldest.index].modified = modified
    if self[oldest].kind != .directory { storage.nodes[oldest.index].size = size }
  }

  /// Stores when an entry was last made, renamed or removed in a directory.
  mutating func setModified(_ directory: NodeID, _ modified: Int64) {
    if self[directory].modified != modified { storage.nodes[directory.index].modified = modified }
  }

  /// Stores when the file or directory of an entry was made; 0 if that is unknown.
  ///
  /// Only for copies of a tree, which look up no inode.
  mutating func setCreated(_ id: NodeID, _ created: Int64) {
    let key = key(id)
    if (key.hasBirthTime ? key.born : 0) == created { return }
    for name in names(of: id) { storage.nodes[name.index].born = created }
  }

  /// Stores the number of entries of a directory whose entries are not in the graph.
  mutating func setChildCount(_ directory: NodeID, _ count: Int) {
    guard self[directory].kind == .directory, self[directory].firstChild == Node.noNode else { return }
    storage.nodes[directory.index].size = Int64(count)
  }

  mutating func copyContent(from id: NodeID, to other: NodeID) {
    guard self[other].kind != .directory else { return }
    storage.nodes[other.index].modified = self[id].modified
    storage.nodes[other.index].size = self[id].size
  }
}
