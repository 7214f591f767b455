import FileIdentity
import LinuxFileSystem
import SystemPackage

/// A retained state of the graph with look-ups.
///
/// The first look-up builds the tables, since most snapshots are only iterated.
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
    // For a file with several names, the oldest holds the record, and only a table finds the oldest.
    if node.hasOtherNames {
      return withGraph { FileSystemItem.Snapshot(id, $0, below: directory) }
    }
    let path = storage.path(of: id)
    return FileSystemItem.Snapshot(
      node.uuid, FileSystemItem.Kind(node.kind), ItemFacts(id, storage), relativePath: path, below: directory,
      isCopying: node.flags.contains(.copying), isTagged: node.flags.contains(.tagged))
  }

  /// Calls a function with the graph, built on first use.
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

  /// The entry at an absolute path; `nil` if there is none, or the path is outside the observed directory.
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
