/// A hash table of node numbers, four bytes a slot; what a node is hashed and compared by stays in the node itself.
///
/// Open addressing with linear probing; removal moves the followers back, so there are no tombstones.
struct NodeIndex: Sendable {
  private static let empty = UInt32.max

  private var slots = ContiguousArray<UInt32>(repeating: UInt32.max, count: 16)
  private(set) var count = 0

  private var mask: Int { slots.count - 1 }

  /// The first node with this hash that the closure accepts.
  func find(_ hash: UInt64, where accepts: (NodeID) -> Bool) -> NodeID? {
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != Self.empty {
      let node = NodeID(slots[slot])
      if accepts(node) { return node }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Adds a node that is not in the table.
  mutating func insert(_ node: NodeID, _ hash: UInt64, hashOf: (NodeID) -> UInt64) {
    if (count + 1) * 4 > slots.count * 3 { grow(hashOf) }
    place(node, hash)
    count += 1
  }

  private mutating func place(_ node: NodeID, _ hash: UInt64) {
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != Self.empty { slot = (slot + 1) & mask }
    slots[slot] = node.rawValue
  }

  private mutating func grow(_ hashOf: (NodeID) -> UInt64) {
    let old = slots
    slots = ContiguousArray(repeating: Self.empty, count: old.count * 2)
    for value in old where value != Self.empty {
      let node = NodeID(value)
      place(node, hashOf(node))
    }
  }

  /// Removes a node; nothing happens where it is not in the table.
  mutating func remove(_ node: NodeID, _ hash: UInt64, hashOf: (NodeID) -> UInt64) {
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != node.rawValue {
      if slots[slot] == Self.empty { return }
      slot = (slot + 1) & mask
    }
    slots[slot] = Self.empty
    count -= 1
    closeGap(at: slot, hashOf)
  }

  /// Moves back every follower that could not be found any more because of the gap.
  private mutating func closeGap(at start: Int, _ hashOf: (NodeID) -> UInt64) {
    var gap = start
    var slot = (gap + 1) & mask
    while slots[slot] != Self.empty {
      let home = Int(truncatingIfNeeded: hashOf(NodeID(slots[slot]))) & mask
      if (slot - home) & mask >= (slot - gap) & mask {
        slots[gap] = slots[slot]
        slots[slot] = Self.empty
        gap = slot
      }
      slot = (slot + 1) & mask
    }
  }
}
