import FileIdentity
import LinuxFileSystem
import SystemPackage

// Questions from other threads. Each is answered under one lock.

extension ObservationState {
  /// The UUID of the entry at these names, announced or not.
  func uuid(at names: [FileName]) -> UUIDBits? {
    classify { classifier in
      guard !names.isEmpty else { return classifier.graph[.root].uuid }
      guard let place = classifier.graph.place(along: names) else { return nil }
      if let id = classifier.graph.node(at: place) { return classifier.graph[id].uuid }
      return classifier.unannouncedEntry(at: place).map { classifier.identity(for: $0, copyOf: nil) }
    }
  }

  func item(at names: [FileName], below directory: FilePath) -> FileSystemItem.Snapshot? {
    read { graph in graph.node(along: names).map { FileSystemItem.Snapshot($0, graph, below: directory) } }
  }

  func item(with uuid: UUIDBits, below directory: FilePath) -> FileSystemItem.Snapshot? {
    read { graph in graph.node(with: uuid).map { FileSystemItem.Snapshot($0, graph, below: directory) } }
  }

  /// Where the item with a UUID is, and by what an operation knows it.
  func place(ofItemWith uuid: UUIDBits, below directory: FilePath) -> (path: FilePath, item: ExpectedItem)? {
    read { graph in
      graph.node(with: uuid).map {
        (graph.storage.path(of: $0, below: directory), ExpectedItem(uuid: uuid, key: graph.storage.key($0)))
      }
    }
  }

  /// The identity that goes on in the file of one that has ended, a copy that its original has taken over.
  func heir(of uuid: UUIDBits) -> UUIDBits? {
    content.withLock { $0.classifier.endedIdentities.heir(of: uuid) }
  }

  func children(of uuid: UUIDBits, below directory: FilePath) -> [FileSystemItem.Snapshot] {
    read { graph in
      guard let id = graph.node(with: uuid) else { return [] }
      return graph.storage.children(of: id).map { FileSystemItem.Snapshot($0, graph, below: directory) }
    }
  }

  func names(of uuid: UUIDBits, below directory: FilePath) -> [FilePath] {
    read { graph in
      guard let id = graph.node(with: uuid) else { return [] }
      return graph.names(of: id).map { graph.storage.path(of: $0, below: directory) }
    }
  }

  var sequence: UInt64 { content.withLock { $0.sequence } }

  private func read<Result: Sendable>(_ body: (FileGraph) -> Result) -> Result {
    content.withLock { body($0.classifier.graph) }
  }
}
