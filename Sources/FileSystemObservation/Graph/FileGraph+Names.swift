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
  func names(of id: NodeID, atMost limit: Int, where accepts: (NodeID) -> Bool = { _ in true }) -> [NodeID] {
    var names: [NodeID] = []
    forEachName(of: id) { name in
      if accepts(name) { names.append(name) }
      return names.count < limit
    }
    return names
  }

  /// Calls `body` with the names of an identity, oldest first, until it returns `false`.
  func forEachName(of id: NodeID, _ body: (NodeID) -> Bool) {
    var next: NodeID? = holder(ofRecordOf: id)
    while let name = next, body(name) { next = Node.id(storage.nodes[name.index].nextName) }
  }

  /// The names of an identity that have a flag of `NameLists.listed`, ordered by their numbers.
  func names(of id: NodeID, with flag: NodeFlags) -> [NodeID] {
    nameLists.names(of: storage.nodes[id.index].uuid, with: flag).sorted()
  }

  func nameCount(of id: NodeID) -> Int { nameLists.count(from: holder(ofRecordOf: id)) }

  func nameCount(of id: NodeID, with flag: NodeFlags) -> Int {
    nameLists.count(of: storage.nodes[id.index].uuid, with: flag)
  }

  /// Whether an identity has more names than this one.
  func hasOtherNames(_ id: NodeID) -> Bool { storage.nodes[id.index].hasOtherNames }
}
