import LinuxFileSystem

/// A hash table of node numbers, five bytes a slot; what a node is hashed and compared by stays in the node itself.
///
/// Open addressing with linear probing; removal moves the followers back, so there are no tombstones. A byte of each node's hash is
/// kept beside its number: in a large graph a node is rarely in the processor's caches, and without that byte every node on the way is
/// looked at (ready with a million tagged files: a fifth of all time was spent in the tables).
struct NodeIndex: Sendable {
  private static let empty: UInt8 = 0

  /// A byte of the hash of the node in each slot; `empty` where there is none.
  private var bytes = ContiguousArray<UInt8>(repeating: Self.empty, count: 16)
  private var nodes = ContiguousArray<UInt32>(repeating: 0, count: 16)
  private(set) var count = 0

  private var mask: Int { bytes.count - 1 }

  /// The lower bits of a hash say where a node belongs, and the uppermost which it may be.
  private static func byte(of hash: UInt64) -> UInt8 { max(1, UInt8(truncatingIfNeeded: hash >> 56)) }

  /// The first node with this hash that the closure accepts.
  func find(_ hash: UInt64, where accepts: (NodeID) -> Bool) -> NodeID? {
    let byte = Self.byte(of: hash)
    var slot = Int(truncatingIfNeeded: hash) & mask
    while bytes[slot] != Self.empty {
      if bytes[slot] == byte, accepts(NodeID(nodes[slot])) { return NodeID(nodes[slot]) }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Has the processor fetch the slot of a hash, which will be looked at soon.
  func prefetch(_ hash: UInt64) {
    let slot = Int(truncatingIfNeeded: hash) & mask
    unsafe bytes.withUnsafeBytes { unsafe $0.baseAddress.map { unsafe ProcessorCache.prefetch($0 + slot) } }
    unsafe nodes.withUnsafeBytes { unsafe $0.baseAddress.map { unsafe ProcessorCache.prefetch($0 + slot * 4) } }
  }

  /// Whether the table must grow before another node is added.
  var isFull: Bool { (count + 1) * 4 > bytes.count * 3 }

  /// Adds a node that is not in the table, which is not full.
  mutating func insert(_ node: NodeID, _ hash: UInt64) {
    place(node, hash)
    count += 1
  }

  private mutating func place(_ node: NodeID, _ hash: UInt64) {
    var slot = Int(truncatingIfNeeded: hash) & mask
    while bytes[slot] != Self.empty { slot = (slot + 1) & mask }
    bytes[slot] = Self.byte(of: hash)
    nodes[slot] = node.rawValue
  }

  /// Makes room for as many nodes again; their numbers are below the limit.
  ///
  /// They are looked at in the order of their numbers, in which they lie in memory, and not in that of their hashes.
  mutating func grow(below limit: Int, _ hashOf: (NodeID) -> UInt64) {
    let known = numbers(below: limit)
    bytes = ContiguousArray(repeating: Self.empty, count: bytes.count * 2)
    nodes = ContiguousArray(repeating: 0, count: bytes.count)
    for (index, word) in known.enumerated() {
      var rest = word
      while rest != 0 {
        let node = NodeID(UInt32(index * 64 + rest.trailingZeroBitCount))
        place(node, hashOf(node))
        rest &= rest &- 1
      }
    }
  }

  /// A bit for each node in the table.
  private func numbers(below limit: Int) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: limit / 64 + 1)
    for slot in nodes.indices where bytes[slot] != Self.empty {
      words[Int(nodes[slot]) / 64] |= 1 << (nodes[slot] % 64)
    }
    return words
  }

  /// Removes a node; nothing happens where it is not in the table.
  mutating func remove(_ node: NodeID, _ hash: UInt64, hashOf: (NodeID) -> UInt64) {
    var slot = Int(truncatingIfNeeded: hash) & mask
    while nodes[slot] != node.rawValue || bytes[slot] == Self.empty {
      if bytes[slot] == Self.empty { return }
      slot = (slot + 1) & mask
    }
    bytes[slot] = Self.empty
    count -= 1
    closeGap(at: slot, hashOf)
  }

  /// Moves back every follower that could not be found any more because of the gap.
  private mutating func closeGap(at start: Int, _ hashOf: (NodeID) -> UInt64) {
    var gap = start
    var slot = (gap + 1) & mask
    while bytes[slot] != Self.empty {
      let home = Int(truncatingIfNeeded: hashOf(NodeID(nodes[slot]))) & mask
      if (slot - home) & mask >= (slot - gap) & mask {
        (bytes[gap], nodes[gap]) = (bytes[slot], nodes[slot])
        bytes[slot] = Self.empty
        gap = slot
      }
      slot = (slot + 1) & mask
    }
  }
}
