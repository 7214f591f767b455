import LinuxFileSystem

/// A hash table of node numbers, in buckets of one cache line each; the nodes themselves have the keys.
///
/// A bucket has room for twelve nodes; if it is full, the next one is used. Removal moves later nodes back, so there
/// are no tombstones. Beside each number is a byte of the node's hash: without it, a look-up would read every node on
/// its way, and in a large graph a node is rarely in the caches.
struct NodeIndex: Sendable {
  private var buckets: NodeBuckets
  private(set) var count = 0

  /// Makes an empty table.
  ///
  /// - Parameter capacity: The number of nodes for which it does not have to grow.
  init(capacity: Int = 0) {
    var count = 2
    while count * Self.nodesInBucket <= capacity { count *= 2 }
    buckets = NodeBuckets(count: count)
  }

  /// Beyond three quarters, too many buckets are full.
  private static var nodesInBucket: Int { NodeBuckets.slotCount * 3 / 4 }

  private var mask: Int { buckets.mask }

  /// The stored byte of a hash: the uppermost, because the lower bits choose the bucket.
  private static func byte(of hash: UInt64) -> UInt8 { max(1, UInt8(truncatingIfNeeded: hash >> 56)) }

  /// The first node with this hash that the closure accepts.
  func find(_ hash: UInt64, where accepts: (NodeID) -> Bool) -> NodeID? {
    let byte = Self.byte(of: hash)
    var bucket = Int(truncatingIfNeeded: hash) & mask
    while true {
      var found = buckets.slots(in: bucket, with: byte)
      while let slot = found.popFirst() {
        let node = buckets.node(bucket, slot)
        if accepts(node) { return node }
      }
      if buckets.firstEmptySlot(in: bucket) != nil { return nil }
      bucket = (bucket &+ 1) & mask
    }
  }

  /// Has the processor fetch the bucket of a hash.
  func prefetch(_ hash: UInt64) {
    buckets.prefetch(Int(truncatingIfNeeded: hash) & mask)
  }

  /// Whether the table must grow before the next insertion.
  var isFull: Bool { count >= buckets.count * Self.nodesInBucket }

  /// Adds a node that is not in the table; the table must not be full.
  mutating func insert(_ node: NodeID, _ hash: UInt64) {
    makeUnique()
    place(node, hash)
    count += 1
  }

  @inline(__always)
  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&buckets) { copyBuckets() }
  }

  @inline(never) private mutating func copyBuckets() { buckets = NodeBuckets(copying: buckets) }

  private func place(_ node: NodeID, _ hash: UInt64) {
    var bucket = Int(truncatingIfNeeded: hash) & mask
    while true {
      if let slot = buckets.firstEmptySlot(in: bucket) {
        return buckets.set(bucket, slot, node, Self.byte(of: hash))
      }
      bucket = (bucket &+ 1) & mask
    }
  }

  mutating func remove(_ node: NodeID, _ hash: UInt64, hashOf: (NodeID) -> UInt64) {
    makeUnique()
    let byte = Self.byte(of: hash)
    var bucket = Int(truncatingIfNeeded: hash) & mask
    while true {
      let isFull = buckets.firstEmptySlot(in: bucket) == nil
      var found = buckets.slots(in: bucket, with: byte)
      while let slot = found.popFirst() {
        guard buckets.node(bucket, slot) == node else { continue }
        buckets.clear(bucket, slot)
        count -= 1
        return isFull ? fillGap(bucket, slot, hashOf) : ()
      }
      if !isFull { return }
      bucket = (bucket &+ 1) & mask
    }
  }

  /// Fills the gap in a bucket that was full.
  ///
  /// A node that was placed in a later bucket for lack of room comes back, and leaves a gap in its turn.
  private func fillGap(_ bucket: Int, _ slot: Int, _ hashOf: (NodeID) -> UInt64) {
    var (gap, gapSlot) = (bucket, slot)
    var later = (gap + 1) & mask
    while true {
      let isFull = buckets.firstEmptySlot(in: later) == nil
      let moved = (0..<NodeBuckets.slotCount).first { slot in
        guard buckets.byte(later, slot) != NodeBuckets.empty else { return false }
        let home = Int(truncatingIfNeeded: hashOf(buckets.node(later, slot))) & mask
        return (later - home) & mask >= (later - gap) & mask
      }
      if let moved {
        buckets.set(gap, gapSlot, buckets.node(later, moved), buckets.byte(later, moved))
        buckets.clear(later, moved)
        (gap, gapSlot) = (later, moved)
      }
      // No node was placed beyond a bucket with room.
      if !isFull { return }
      later = (later + 1) & mask
    }
  }
}

// MARK: - Growing

extension NodeIndex {
  /// The number of buckets up to which the table quadruples; they take 128 KiB.
  private static let fewBuckets = 2_048

  /// Doubles the capacity, or quadruples it while it is small.
  ///
  /// The slots of all nodes must be below the limit. Nodes are visited by slot, the order in memory, and not by hash.
  ///
  /// - Parameter entryAt: The node of a slot, and its hash.
  mutating func grow(below limit: Int, _ entryAt: (Int) -> (node: NodeID, hash: UInt64)) {
    let known = slots(below: limit)
    buckets = NodeBuckets(count: buckets.count * (buckets.count < Self.fewBuckets ? 4 : 2))
    for (index, word) in known.enumerated() where word != 0 { place(word, from: index * 64, entryAt) }
  }

  /// Places up to 64 nodes, a bit for each, after fetching all their buckets.
  private func place(_ word: UInt64, from first: Int, _ entryAt: (Int) -> (node: NodeID, hash: UInt64)) {
    var entries = InlineArray<64, (node: NodeID, hash: UInt64)>(repeating: (.root, 0))
    var count = 0
    var rest = word
    while rest != 0 {
      entries[count] = entryAt(first + rest.trailingZeroBitCount)
      prefetch(entries[count].hash)
      count += 1
      rest &= rest &- 1
    }
    for index in 0..<count { place(entries[index].node, entries[index].hash) }
  }

  /// A bit for each node in the table.
  private func slots(below limit: Int) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: limit / 64 + 1)
    for bucket in 0..<buckets.count {
      for slot in 0..<NodeBuckets.slotCount where buckets.byte(bucket, slot) != NodeBuckets.empty {
        let number = buckets.node(bucket, slot).index
        words[number / 64] |= 1 << (number % 64)
      }
    }
    return words
  }
}
