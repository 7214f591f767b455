/// Makes a graph of the chunks of a store.
///
/// Chunks of each kind come in order, the patches last. Every length is checked on the way, and every reference in the
/// end.
struct GraphLoader {
  private let head: StoredHead
  private var nodes = PagedArray<Node>()
  private var namePages: [ContiguousArray<UInt8>] = []
  private(set) var layout = StoredLayout()

  init(_ head: StoredHead) {
    self.head = head
  }

  mutating func take(_ chunk: StoredChunk) throws(StoredDataError) {
    let (bytes, checksum) = try chunk.contents()
    guard chunk.number == layout.count(chunk.kind) else {
      throw StoredDataError("part \(layout.count(chunk.kind)) of the \(chunk.kind) is missing")
    }
    layout.note(chunk, checksum: checksum)
    switch chunk.kind {
    case .nodes: try takeNodes(bytes)
    case .names: try takeNames(bytes)
    case .patch: try takePatch(bytes)
    case .contents: break
    }
  }

  /// The graph, if all of it is there and in order.
  func finish() throws(StoredDataError) -> (GraphStorage, StoredLayout) {
    guard layout.digest == head.digest else { throw StoredDataError("its parts are not of one moment") }
    guard nodes.count == head.nodeCount else { throw StoredDataError("entries are missing") }
    var storage = GraphStorage()
    storage.nodes = nodes
    storage.devices = head.devices.map(\.number)
    let used = try GraphCheck.usedBytes(of: nodes)
    storage.names = NameArena(pages: namePages, used: used)
    try GraphCheck(storage).check()
    var layout = layout
    layout.note(storage)
    return (storage, layout)
  }
}

// MARK: - Chunks

extension GraphLoader {
  private mutating func takeNodes(_ bytes: ArraySlice<UInt8>) throws(StoredDataError) {
    let count = bytes.count / StoredNode.size
    guard count * StoredNode.size == bytes.count, count > 0, count <= GraphStorage.nodesInPage,
      nodes.count % GraphStorage.nodesInPage == 0
    else { throw StoredDataError("a page of entries has another length") }
    let span = unsafe bytes.span.bytes
    for index in 0..<count {
      let node = try StoredNode.load(at: index * StoredNode.size, from: span)
      nodes.append(node)
    }
  }

  private mutating func takeNames(_ bytes: ArraySlice<UInt8>) throws(StoredDataError) {
    guard bytes.count <= NameArena.pageSize else { throw StoredDataError("a page of names is too long") }
    namePages.append(ContiguousArray(bytes))
  }

  private mutating func takePatch(_ bytes: ArraySlice<UInt8>) throws(StoredDataError) {
    var reader = StoredBytesReader(bytes)
    let firstGrown = max(0, namePages.count - 1)
    for _ in 0..<(try reader.takeCount()) { try takeGrownNames(&reader) }
    let count = try reader.takeCount()
    let size = 4 + StoredNode.size
    guard count <= NodeID.slotLimit else { throw StoredDataError("a patch is too long") }
    let entries = try reader.take(count: count * size)
    guard reader.isAtEnd else { throw StoredDataError("a patch is too long") }
    let records = unsafe entries.span.bytes
    var changed = ChangeMarks(count: nodes.count)
    for position in 0..<count {
      let (index, node) = try Self.record(at: position * size, from: records)
      guard index <= nodes.count else { throw StoredDataError("a patch leaves out entries") }
      if index < nodes.count { nodes[index] = node } else { nodes.append(node) }
      changed.insert(index)
    }
    layout.notePatch(changed, below: nodes.count, namesFrom: firstGrown)
  }

  /// An index and an entry; the bytes must reach that far.
  private static func record(at start: Int, from bytes: RawSpan) throws(StoredDataError) -> (Int, Node) {
    let index = UInt32(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt32.self))
    return (Int(index), try StoredNode.load(at: start + 4, from: bytes))
  }

  private mutating func takeGrownNames(_ reader: inout StoredBytesReader) throws(StoredDataError) {
    let page = try reader.takeCount()
    let start = try reader.takeCount()
    let bytes = try reader.takeCounted()
    let end = page < namePages.count ? namePages[page].count : 0
    guard page <= namePages.count, start == end, bytes.count <= NameArena.pageSize - start else {
      throw StoredDataError("names in a patch are at a wrong place")
    }
    if page == namePages.count { namePages.append([]) }
    namePages[page].append(contentsOf: bytes)
  }
}
