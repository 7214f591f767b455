import FileIdentity
import LinuxFileSystem
import SystemPackage

/// A kept state of the graph, in which items can be looked up.
///
/// The tables for that are made when something is looked up for the first time: most snapshots are only gone through.
final class KnownTree: Sendable {
  let storage: GraphStorage
  let directory: FilePath
  private let graph = Mutex<FileGraph?>(nil)

  init(_ storage: GraphStorage, directory: FilePath) {
    self.storage = storage
    self.directory = directory
  }

  /// The item of an entry.
  func item(_ id: NodeID) -> FileSystemItem.Snapshot {
    let node = storage.nodes[id.index]
    // Of a file with several names, the oldest knows the content, and only a table knows the oldest.
    if node.nextName != Node.noNode || node.flags.contains(.furtherName) {
      return withGraph { FileSystemItem.Snapshot(id, $0, below: directory) }
    }
    var path: [UInt8] = []
    storage.appendPath(of: id, to: &path)
    return FileSystemItem.Snapshot(
      node.uuid, FileSystemItem.Kind(node.kind), ItemFacts(id, storage), relativePath: path, below: directory,
      isCopying: node.flags.contains(.copying), isTagged: node.flags.contains(.tagged))
  }

  /// Looks something up.
  func withGraph<Result>(_ body: (FileGraph) -> Result) -> Result {
    let known = graph.withLock { graph -> FileGraph in
      if let graph { return graph }
      let made = FileGraph(storage)
      graph = made
      return made
    }
    return body(known)
  }

  func node(with uuid: UUIDBits) -> NodeID? { withGraph { $0.node(with: uuid) } }

  /// The entry at an absolute path; nothing where there is none, or the path is not in the observed directory.
  func node(at path: FilePath) -> NodeID? {
    guard let bytes = directory.bytes(ofPathBelow: path) else { return nil }
    return withGraph { $0.node(atPath: bytes[...]) }
  }

  /// All names of the identity, the oldest first.
  func names(of uuid: UUIDBits) -> [FilePath] {
    withGraph { graph in
      guard let oldest = graph.node(with: uuid) else { return [] }
      return graph.names(of: oldest).map { storage.path(of: $0, below: directory) }
    }
  }
}
