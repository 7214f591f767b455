import Testing

@testable import FileSystemObservation

/// The memory of a table of nodes: buckets of twelve slots.
struct NodeBucketsTests {
  private static func slots(_ buckets: NodeBuckets, _ bucket: Int, with byte: UInt8) -> [Int] {
    var (slots, found) = (buckets.slots(in: bucket, with: byte), [Int]())
    while let slot = slots.popFirst() { found.append(slot) }
    return found
  }

  /// Bytes that differ in one bit, and those whose sums carry over into the next byte.
  @Test(arguments: [1, 2, 0x7f, 0x80, 0x81, 0xff] as [UInt8]) func allSlotsOfAByteAreFoundAndNoOthers(_ byte: UInt8) {
    let buckets = NodeBuckets(count: 2)
    let others: [UInt8] = [byte ^ 1, byte ^ 0x80, byte &+ 1, byte &- 1].filter { $0 != NodeBuckets.empty }
    for slot in 0..<NodeBuckets.slotCount {
      buckets.set(1, slot, NodeID(index: slot), slot % 3 == 0 ? byte : others[slot % others.count])
    }
    #expect(Self.slots(buckets, 1, with: byte) == [0, 3, 6, 9] && Self.slots(buckets, 0, with: byte) == [])
  }

  @Test func theFirstEmptySlotIsFound() {
    let buckets = NodeBuckets(count: 1)
    for slot in 0..<NodeBuckets.slotCount {
      #expect(buckets.firstEmptySlot(in: 0) == slot)
      buckets.set(0, slot, NodeID(index: 100 + slot), 5)
    }
    #expect(buckets.firstEmptySlot(in: 0) == nil)
    for slot in [9, 4] {
      buckets.clear(0, slot)
      #expect(buckets.firstEmptySlot(in: 0) == slot && buckets.byte(0, slot) == NodeBuckets.empty)
    }
    #expect((5..<9).allSatisfy { buckets.node(0, $0) == NodeID(index: 100 + $0) })
  }

  @Test func aCopyHasMemoryOfItsOwn() {
    let buckets = NodeBuckets(count: 4)
    buckets.set(3, 7, NodeID(index: 1), 9)
    let copy = NodeBuckets(copying: buckets)
    buckets.clear(3, 7)
    copy.set(0, 0, NodeID(index: 2), 9)
    #expect(copy.count == 4 && Self.slots(copy, 3, with: 9) == [7] && copy.node(3, 7) == NodeID(index: 1))
    #expect(Self.slots(buckets, 0, with: 9) == [] && Self.slots(buckets, 3, with: 9) == [])
  }
}
