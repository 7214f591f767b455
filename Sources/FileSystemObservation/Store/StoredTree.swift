import LinuxFileSystem
package import SystemPackage

/// A tree as it was stored.
package struct StoredTree: Sendable {
  package var storage: GraphStorage
  package var head: StoredHead
  /// For going on with writing.
  var layout: StoredLayout

  /// Loads the tree; `nil` if none is stored.
  ///
  /// - Throws: `StoredDataError` if anything is not as this library writes it.
  package static func load(from reading: any StoreReading) throws -> StoredTree? {
    guard let bytes = try reading.head() else { return nil }
    let head = try StoredHead(bytes: bytes)
    var loader = GraphLoader(head)
    for kind in StoredChunk.Kind.ofTree { try reading.forEachChunk(kind) { try loader.take($0) } }
    let (storage, layout) = try loader.finish()
    return StoredTree(storage: storage, head: head, layout: layout)
  }

  /// The path of the observed directory when it was stored.
  package var directory: FilePath { FilePath(bytes: head.directory) }

  /// All items, as of the last stored set.
  package var snapshot: FileSystemSnapshot {
    FileSystemSnapshot(
      storage, sequence: head.number, directory: directory, epoch: head.runs.last?.epoch)
  }
}
