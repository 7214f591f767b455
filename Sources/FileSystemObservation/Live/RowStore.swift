/// The rows of a list in order, in chunks: to insert or remove a row costs the same in a list of any length.
struct RowStore: Sendable {
  private static let largestChunk = 512

  private var chunks: [ContiguousArray<NodeID>] = []
  /// The numbers of the chunks in order.
  private var order: [UInt32] = []
  private var freeChunks: [UInt32] = []
  /// The number of each entry's chunk plus one; 0 for an entry that is no row.
  private var chunkOf = PagedArray<UInt32>()
  private(set) var count = 0

  /// The index of the first row of each chunk in order, and each chunk's position, as of the last `reindex()`.
  private var starts: [Int] = []
  private var positions: [Int] = []

  init() {}

  /// Makes a store of sorted entries.
  init(_ sorted: [NodeID]) {
    var start = 0
    while start < sorted.count {
      // Half full: the first insertions divide no chunk.
      let end = min(sorted.count, start + Self.largestChunk / 2)
      var chunk = ContiguousArray<NodeID>()
      chunk.reserveCapacity(Self.largestChunk)
      chunk.append(contentsOf: sorted[start..<end])
      order.append(UInt32(chunks.count))
      chunks.append(chunk)
      for id in chunk { setChunk(of: id, UInt32(chunks.count)) }
      start = end
    }
    count = sorted.count
    reindex()
  }

  private mutating func setChunk(of id: NodeID, _ chunk: UInt32) {
    while chunkOf.count <= id.index { chunkOf.append(0) }
    chunkOf[id.index] = chunk
  }

  private func chunk(of id: NodeID) -> Int? {
    guard id.index < chunkOf.count, chunkOf[id.index] != 0 else { return nil }
    return Int(chunkOf[id.index]) - 1
  }

  /// Whether an entry is a row.
  func contains(_ id: NodeID) -> Bool { chunk(of: id) != nil }
}

// MARK: - Reading

extension RowStore {
  /// Updates the indices after changes.
  mutating func reindex() {
    starts.removeAll(keepingCapacity: true)
    while positions.count < chunks.count { positions.append(0) }
    var start = 0
    for (position, chunk) in order.enumerated() {
      starts.append(start)
      positions[Int(chunk)] = position
      start += chunks[Int(chunk)].count
    }
  }

  /// The row at an index.
  subscript(index: Int) -> NodeID {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle } else { high = middle }
    }
    return chunks[Int(order[low])][index - starts[low]]
  }

  /// The index of an entry; `nil` if it is no row.
  func index(of id: NodeID) -> Int? {
    guard let chunk = chunk(of: id), let offset = chunks[chunk].firstIndex(of: id) else { return nil }
    return starts[positions[chunk]] + offset
  }

  /// All rows in order.
  var all: [NodeID] {
    var rows: [NodeID] = []
    rows.reserveCapacity(count)
    for chunk in order { rows.append(contentsOf: chunks[Int(chunk)]) }
    return rows
  }
}

// MARK: - Changing; `reindex()` must follow

extension RowStore {
  /// Removes a row.
  mutating func remove(_ id: NodeID) {
    guard let chunk = chunk(of: id), let offset = chunks[chunk].firstIndex(of: id) else { return }
    chunks[chunk].remove(at: offset)
    chunkOf[id.index] = 0
    count -= 1
    guard chunks[chunk].isEmpty, let position = order.firstIndex(of: UInt32(chunk)) else { return }
    order.remove(at: position)
    freeChunks.append(UInt32(chunk))
  }

  /// Inserts an entry after all rows that precede it.
  mutating func insert(_ id: NodeID, after precedes: (NodeID) -> Bool) {
    if order.isEmpty { order.append(newChunk()) }
    let position = position(after: precedes)
    let chunk = Int(order[position])
    let offset = Self.firstIndex(0, chunks[chunk].count) { precedes(chunks[chunk][$0]) }
    chunks[chunk].insert(id, at: offset)
    setChunk(of: id, UInt32(chunk + 1))
    count += 1
    if chunks[chunk].count >= Self.largestChunk { divide(chunk, at: position) }
  }

  /// The last chunk whose first row precedes an entry, or the first chunk.
  private func position(after precedes: (NodeID) -> Bool) -> Int {
    let next = Self.firstIndex(0, order.count) { position in
      chunks[Int(order[position])].first.map(precedes) ?? false
    }
    return max(0, next - 1)
  }

  /// The first index of which a condition is false; it is true for all before.
  private static func firstIndex(_ start: Int, _ end: Int, where isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (start, end)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func newChunk() -> UInt32 {
    if let chunk = freeChunks.popLast() { return chunk }
    var chunk = ContiguousArray<NodeID>()
    chunk.reserveCapacity(Self.largestChunk)
    chunks.append(chunk)
    return UInt32(chunks.count - 1)
  }

  private mutating func divide(_ chunk: Int, at position: Int) {
    let new = newChunk()
    let half = chunks[chunk].count / 2
    let tail = chunks[chunk][half...]
    chunks[Int(new)].append(contentsOf: tail)
    chunks[chunk].removeSubrange(half...)
    for id in chunks[Int(new)] { chunkOf[id.index] = new + 1 }
    order.insert(new, at: position + 1)
  }
}
