import FileIdentity
import LinuxFileSystem
import SystemPackage

/// The tree of a store that was put aside, whose documents may be put back by and by: an app may be started before they
/// are, or while that goes on.
///
/// It counts only while all documents that are there are its own.
struct FormerTree {
  private let graph: FileGraph

  /// - Throws: If two of its entries contradict each other.
  init(_ tree: StoredTree) throws(StoredDataError) {
    graph = try FileGraph(stored: tree.storage)
  }

  /// Its files that are not in another tree, as files that were removed.
  func items(except known: FileGraph?) -> [EndedItem] {
    let storage = graph.storage
    let missing = storage.liveIDs.lazy.filter { id in
      let node = storage.nodes[id.index]
      return node.kind == .file && node.size > 0 && known?.node(with: node.uuid) == nil
    }
    return missing.prefix(EndedIdentities.limit).map { id in
      let node = storage.nodes[id.index]
      let former = EndedItem.Former(path: storage.path(of: id), size: node.size, modified: node.modified)
      return EndedItem(uuid: node.uuid, key: .unseen, former: former)
    }
  }

  /// Whether it has all files of another tree.
  func hasAll(of other: FileGraph) -> Bool {
    other.storage.liveIDs.allSatisfy { other[$0].kind != .file || graph.node(with: other[$0].uuid) != nil }
  }

  /// Whether all files below a directory are as they were in it: at their paths, with their sizes and times.
  func hasAll(below root: DirectoryHandle, _ filter: ItemFilter, _ files: GuardedFileSystem) -> Bool {
    guard let scan = try? TreeScan(reading: root, filter, files) else { return false }
    files.noteRoot(root)
    var isComplete = true
    var directories: [UInt32: NodeID] = [0: .root]
    let ended: Void? = try? scan.run(threads: processorCount) { listing in
      let directory = directories.removeValue(forKey: listing.number)
      for scanned in listing.entries {
        let id = directory.flatMap { graph.node(named: listing.name(of: scanned), in: $0) }
        if scanned.listing != 0 { directories[scanned.listing] = id }
        if scanned.entry.kind == .file, scanned.entry.size > 0, !isFile(id, scanned.entry) { isComplete = false }
      }
      return isComplete
    }
    return isComplete && ended != nil
  }

  private func isFile(_ id: NodeID?, _ entry: Entry) -> Bool {
    guard let id, graph[id].kind == .file else { return false }
    let content = graph.content(of: id)
    return EndedItem.Former(path: [], size: content.size, modified: content.modified)
      .isSame(size: entry.size, modified: entry.modified)
  }
}
