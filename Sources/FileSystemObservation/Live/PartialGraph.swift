import FileIdentity
import LinuxFileSystem

/// A graph of the contents of one directory, which is its root.
struct PartialGraph {
  /// One of several names of a file, as the whole tree has it.
  private struct Name {
    var id: NodeID
    var oldest: NodeID
    var rank: Int
    var count: Int
  }

  private(set) var graph: FileGraph
  private(set) var links: [NodeID: LiveTree.Link] = [:]
  private let storage: GraphStorage
  /// The new entries of copied directories.
  private var directories: [NodeID: NodeID]

  /// Copies the contents of a directory.
  init(_ storage: GraphStorage, below anchor: NodeID, isDeep: Bool) {
    self.storage = storage
    let node = storage.nodes[anchor.index]
    let entries = storage.entries(below: anchor, isDeep: isDeep)
    graph = FileGraph(root: .unseen(born: storage.born(anchor)), uuid: node.uuid, capacity: entries.count)
    graph.setModified(.root, node.modified)
    graph.setFlags(.root, .tagged, node.flags.contains(.tagged))
    directories = [anchor: .root]
    let names = copy(entries, isDeep)
    if !names.isEmpty { copyNames(names) }
  }

  /// Copies all entries but the names of files that have several, which are returned.
  private mutating func copy(_ entries: [NodeID], _ isDeep: Bool) -> [NodeID] {
    var names: [NodeID] = []
    for id in entries {
      if storage.nodes[id.index].hasOtherNames { names.append(id) } else { copy(id, withRecordOf: id, isDeep) }
    }
    return names
  }

  @discardableResult
  private mutating func copy(_ id: NodeID, withRecordOf oldest: NodeID, _ isDeep: Bool) -> NodeID? {
    let (node, record) = (storage.nodes[id.index], storage.nodes[oldest.index])
    guard let parent = directories[node.parent] else { return nil }
    let copy = graph.insert(
      FileGraph.Content(
        uuid: node.uuid, key: .unseen(born: storage.born(oldest)), kind: node.kind, modified: record.modified,
        size: record.size, flags: node.flags.intersection(.copying).union(record.flags.intersection(.tagged))),
      named: storage.nameBytes(id).span, in: parent)
    if node.kind == .directory {
      if isDeep { directories[id] = copy } else { graph.setChildCount(copy, Int(node.size)) }
    }
    return copy
  }

  /// Copies the names of files that have several, the oldest first.
  private mutating func copyNames(_ names: [NodeID]) {
    let wanted = Set(names)
    for name in allNames().filter({ wanted.contains($0.id) }).sorted(by: { $0.rank < $1.rank }) {
      guard let copy = copy(name.id, withRecordOf: name.oldest, true) else { continue }
      links[copy] = LiveTree.Link(isFurtherName: name.rank > 0, nameCount: name.count)
    }
  }

  /// The names of all files of the whole tree that have several.
  private func allNames() -> [Name] {
    var names: [Name] = []
    for id in storage.liveIDs {
      let node = storage.nodes[id.index]
      guard node.nextName != Node.noNode, !node.flags.contains(.furtherName) else { continue }
      var chain = [id]
      while let last = chain.last, let next = Node.id(storage.nodes[last.index].nextName) { chain.append(next) }
      for (rank, id) in chain.enumerated() {
        names.append(Name(id: id, oldest: chain[0], rank: rank, count: chain.count))
      }
    }
    return names
  }
}

extension GraphStorage {
  /// The entries in a directory, or all below it, parents before children.
  fileprivate func entries(below directory: NodeID, isDeep: Bool) -> [NodeID] {
    isDeep ? descendants(of: directory) : children(of: directory)
  }

  /// The time at which an entry's inode was made; 0 if it is unknown.
  fileprivate func born(_ id: NodeID) -> Int64 {
    let key = key(id)
    return key.hasBirthTime ? key.born : 0
  }
}
