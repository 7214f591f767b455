/// The announced tree after a set of changes, for writing it to a store.
package struct GraphPicture: Sendable {
  package var storage: GraphStorage
  /// The entries that have changed since the picture before; `nil` if that is not known.
  var changed: ChangeMarks?
  /// The number of the set.
  package var sequence: UInt64
  /// The digests of contents; `nil` if none are kept.
  var contents: ContentPicture?

  init(_ storage: GraphStorage, changed: ChangeMarks?, sequence: UInt64, contents: ContentPicture? = nil) {
    self.storage = storage
    self.changed = changed
    self.sequence = sequence
    self.contents = contents
  }
}

// MARK: - Chunks

extension GraphStorage {
  /// The number of entries in a page.
  static let nodesInPage = 512

  var nodePageCount: Int { (nodes.count + Self.nodesInPage - 1) / Self.nodesInPage }
  var namePageCount: Int { names.pageSizes.count }

  func nodeChunk(_ page: Int) -> StoredChunk {
    let first = page * Self.nodesInPage
    let count = min(Self.nodesInPage, nodes.count - first)
    var bytes = [UInt8](repeating: 0, count: StoredChunk.headSize + count * StoredNode.size)
    var span = bytes.mutableSpan
    var raw = unsafe span.mutableBytes
    for index in 0..<count {
      StoredNode.store(nodes[first + index], at: StoredChunk.headSize + index * StoredNode.size, in: &raw)
    }
    return StoredChunk(.nodes, page, completing: bytes)
  }

  func nameChunk(_ page: Int) -> StoredChunk {
    StoredChunk(.names, page, completing: [UInt8](repeating: 0, count: StoredChunk.headSize) + names.page(page))
  }

  /// The entries that have changed, and the names since the pages had these sizes.
  func patchChunk(_ number: Int, of changed: ChangeMarks, namesAfter sizes: [Int]) -> StoredChunk {
    var writer = StoredBytesWriter()
    writer.append(UInt64(0))
    let pages = names.pageSizes
    let grown = pages.indices.filter { $0 >= sizes.count || pages[$0] > sizes[$0] }
    writer.append(short: grown.count)
    for page in grown {
      let start = page < sizes.count ? sizes[page] : 0
      writer.append(short: page)
      writer.append(short: start)
      writer.append(counted: names.page(page)[start...])
    }
    var indices: [Int] = []
    changed.forEach(below: nodes.count) { indices.append($0) }
    writer.append(short: indices.count)
    return StoredChunk(.patch, number, completing: writer.bytes + nodeBytes(indices))
  }

  /// The index of each entry, in four bytes, and the entry.
  private func nodeBytes(_ indices: [Int]) -> [UInt8] {
    let size = 4 + StoredNode.size
    var bytes = [UInt8](repeating: 0, count: indices.count * size)
    var span = bytes.mutableSpan
    var raw = unsafe span.mutableBytes
    for (position, index) in indices.enumerated() {
      raw.storeBytes(of: UInt32(index).littleEndian, toByteOffset: position * size, as: UInt32.self)
      StoredNode.store(nodes[index], at: position * size + 4, in: &raw)
    }
    return bytes
  }
}
