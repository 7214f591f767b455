/// The rows of a list in order, in chunks: to insert or remove a row costs the same in a list of any length.
struct RowStore: Sendable {
  private static let largestChunk = 512

  private var chunks: [ContiguousArray<NodeID>] = []
  /// The number of rows of each chunk, so that `reindex()` need not read the chunks.
  private var sizes: [Int32] = []
  /// The key of the first row of each chunk, where one is known: most comparisons of a long list are with these.
  private var headKeys: [[UInt8]?] = []
  /// The numbers of the chunks in order.
  private var order: [UInt32] = []
  private var freeChunks: [UInt32] = []
  /// The number of each entry's chunk plus one; 0 for an entry that is no row.
  private var chunkOf = PagedArray<UInt32>()
  private(set) var count = 0

  /// The index of the first row of each chunk in order, and each chunk's position, as of the last `reindex()`.
  private var starts: [Int] = []
  private var positions: [Int] = []
  /// The position of the first chunk whose rows may have other indices since then.
  private var changedFrom = 0

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
      sizes.append(Int32(chunk.count))
      headKeys.append(nil)
      positions.append(0)
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
    while starts.count < order.count { starts.append(0) }
    starts.removeLast(starts.count - order.count)
    var start = changedFrom < starts.count ? starts[changedFrom] : 0
    for position in order.indices.dropFirst(changedFrom) {
      let chunk = Int(order[position])
      starts[position] = start
      positions[chunk] = position
      start += Int(sizes[chunk])
    }
    changedFrom = order.count
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
    sizes[chunk] -= 1
    if offset == 0 { headKeys[chunk] = nil }
    chunkOf[id.index] = 0
    count -= 1
    // Once chunks have come or gone, the positions are those of before.
    changedFrom = min(changedFrom, positions[chunk])
    guard chunks[chunk].isEmpty, let position = order.firstIndex(of: UInt32(chunk)) else { return }
    order.remove(at: position)
    freeChunks.append(UInt32(chunk))
    changedFrom = 0
  }

  /// Inserts the entry that an ordering was given to find the place of, after all rows that precede it.
  mutating func insert(_ id: NodeID, by ordering: inout RowOrdering, in graph: FileGraph) {
    if order.isEmpty { order.append(newChunk()) }
    let position = position(by: &ordering, in: graph)
    let chunk = Int(order[position])
    let offset = Self.firstIndex(0, chunks[chunk].count) { ordering.precedes(chunks[chunk][$0], in: graph) }
    chunks[chunk].insert(id, at: offset)
    sizes[chunk] += 1
    if offset == 0 { headKeys[chunk] = nil }
    changedFrom = min(changedFrom, position)
    setChunk(of: id, UInt32(chunk + 1))
    count += 1
    if chunks[chunk].count >= Self.largestChunk { divide(chunk, at: position) }
  }

  /// The last chunk whose first row precedes an entry, or the first chunk.
  private mutating func position(by ordering: inout RowOrdering, in graph: FileGraph) -> Int {
    let next = Self.firstIndex(0, order.count) { position in
      let chunk = Int(order[position])
      guard let first = chunks[chunk].first else { return false }
      return ordering.precedes(first, keeping: &headKeys[chunk], in: graph)
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
    sizes.append(0)
    headKeys.append(nil)
    positions.append(0)
    return UInt32(chunks.count - 1)
  }

  private mutating func divide(_ chunk: Int, at position: Int) {
    let new = newChunk()
    let half = chunks[chunk].count / 2
    let tail = chunks[chunk][half...]
    chunks[Int(new)].append(contentsOf: tail)
    chunks[chunk].removeSubrange(half...)
    sizes[chunk] = Int32(chunks[chunk].count)
    sizes[Int(new)] = Int32(chunks[Int(new)].count)
    for id in chunks[Int(new)] { chunkOf[id.index] = new + 1 }
    headKeys[Int(new)] = nil
    order.insert(new, at: position + 1)
    changedFrom = 0
  }
}
