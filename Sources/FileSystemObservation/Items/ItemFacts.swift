import FileIdentity
import FoundationEssentials
import LinuxFileSystem
import SystemPackage

/// The properties of an item besides identity and place, as plain values: no path, and usually no allocation.
struct ItemFacts: Sendable {
  /// The UUID of the parent directory; `nil` for the observed directory.
  var parent: UUIDBits?
  var size: Int64
  var modified: Int64
  /// 0 if unknown.
  var created: Int64
  /// For a directory only.
  var childCount: Int?
  var isFurtherName = false
  var nameCount = 1

  init(
    parent: UUIDBits?, size: Int64, modified: Int64, created: Int64, childCount: Int?, isFurtherName: Bool,
    nameCount: Int
  ) {
    self.parent = parent
    self.size = size
    self.modified = modified
    self.created = created
    self.childCount = childCount
    self.isFurtherName = isFurtherName
    self.nameCount = nameCount
  }

  /// Reads the properties of an entry that is the only name of its file.
  init(_ id: NodeID, _ storage: borrowing GraphStorage) {
    self.init(id, withRecordOf: id, storage)
  }

  private init(_ id: NodeID, withRecordOf holder: NodeID, _ storage: borrowing GraphStorage) {
    let node = storage.nodes[holder.index]
    let key = storage.key(holder)
    let isDirectory = node.kind == .directory
    parent = id == .root ? nil : storage.nodes[storage.nodes[id.index].parent.index].uuid
    size = isDirectory ? 0 : node.size
    modified = node.modified
    created = key.hasBirthTime ? key.born : 0
    childCount = isDirectory ? Int(node.size) : nil
  }

  init(_ item: FileSystemItem.Snapshot) {
    parent = item.parent.map { UUIDBits($0) }
    size = item.size
    modified = item.modificationNanoseconds
    created = item.creationNanoseconds ?? 0
    childCount = item.childCount
    isFurtherName = item.isFurtherName
    nameCount = item.nameCount
  }

  /// Reads the properties from a graph, which knows all names of a file and the record that they share.
  init(_ id: NodeID, _ graph: borrowing FileGraph) {
    self.init(id, withRecordOf: graph.holder(ofRecordOf: id), graph.storage)
    guard graph.hasOtherNames(id) else { return }
    isFurtherName = graph[id].flags.contains(.furtherName)
    nameCount = graph.nameCount(of: id)
  }
}

extension FileSystemItem.Snapshot {
  init(
    _ uuid: UUIDBits, _ kind: FileSystemItem.Kind, _ facts: ItemFacts, relativePath: some Collection<UInt8>,
    below directory: FilePath, isCopying: Bool, isTagged: Bool, names: [FilePath] = []
  ) {
    self.init(
      uuid: UUID(uuid), kind: kind, path: directory.appending(bytes: relativePath),
      relativePath: FilePath(bytes: relativePath), parent: facts.parent.map { UUID($0) }, size: facts.size,
      modificationNanoseconds: facts.modified, creationNanoseconds: facts.created == 0 ? nil : facts.created,
      childCount: facts.childCount, isCopying: isCopying, identity: isTagged ? .tag : .inode,
      isFurtherName: facts.isFurtherName, severalNames: names, nameCount: facts.nameCount)
  }

  /// Makes the item of an entry, with all of the graph's information.
  init(_ id: NodeID, _ graph: FileGraph, below directory: FilePath) {
    let node = graph[id]
    let path = graph.storage.path(of: id)
    let facts = ItemFacts(id, graph)
    let names = facts.nameCount > 1 ? graph.firstNames(of: id).map { graph.storage.path(of: $0, below: directory) } : []
    self.init(
      node.uuid, FileSystemItem.Kind(node.kind), facts, relativePath: path, below: directory,
      isCopying: node.flags.contains(.copying), isTagged: node.flags.contains(.tagged), names: names)
  }
}

extension FileGraph {
  /// The names of an identity that an item lists, the oldest first.
  func firstNames(of id: NodeID) -> [NodeID] {
    names(of: id, atMost: FileSystemItem.Snapshot.nameLimit)
  }
}

extension GraphStorage {
  func path(of id: NodeID, below directory: FilePath) -> FilePath {
    directory.appending(bytes: path(of: id))
  }
}
