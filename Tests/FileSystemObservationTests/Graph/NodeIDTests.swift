import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// IDs of entries whose slots are reused.
struct NodeIDTests {
  private var graph = FileGraph.empty

  private mutating func insert(_ number: UInt64) -> NodeID { graph.add("file \(number)", number) }

  @Test mutating func aRemovedEntryIsNotTheNextInItsSlot() {
    let first = insert(2)
    graph.remove(first)
    #expect(!graph.isLive(first))
    graph.reuseRemoved()
    let next = insert(3)
    #expect(next.index == first.index && next != first)
    #expect(graph.isLive(next) && !graph.isLive(first))
  }

  @Test mutating func theGenerationsOfASlotRepeatAfterSixteen() {
    var seen: [NodeID] = []
    for number in 2..<19 as Range<UInt64> {
      seen.append(insert(number))
      graph.remove(seen[seen.count - 1])
      graph.reuseRemoved()
    }
    #expect(Set(seen).count == 16 && seen.first == seen.last)
  }

  @Test mutating func aGraphFromAStoredOneGoesOnWithTheGenerations() {
    let (first, second) = (insert(2), insert(3))
    graph.remove(first)
    graph.reuseRemoved()
    let third = insert(4)
    graph.remove(second)
    graph.reuseRemoved()
    var copy = FileGraph(graph.storage)
    #expect(copy.isLive(third) && !copy.isLive(first) && !copy.isLive(second))
    let content = FileGraph.Content(
      uuid: UUIDBits(high: 2, low: 9), key: FileKey(device: 1, inode: 9, born: 1), kind: .file, modified: 0, size: 0)
    let next = copy.insert(content, named: FileName("next").span, in: .root)
    #expect(next.index == second.index && next != second)
    #expect(copy.node(with: content.key) == next && copy.node(with: graph[third].uuid) == third)
  }

  @Test mutating func aGraphFromAStoredOneKnowsTheDevicesOfThatAndOthers() {
    let first = insert(2)
    var copy = FileGraph(graph.storage)
    #expect(copy.key(first) == FileKey(device: 1, inode: 2, born: 1))
    copy.setIdentity(first, uuid: copy[first].uuid, key: .unseen)
    #expect(copy.key(first) == .unseen)
    copy.setIdentity(first, uuid: copy[first].uuid, key: FileKey(device: 1, inode: 3, born: 1))
    #expect(copy.key(first) == FileKey(device: 1, inode: 3, born: 1) && copy.storage.devices == [1, 0])
  }

  @Test func theLastSlotsHaveIDs() {
    let last = NodeID(index: NodeID.slotLimit - 1, generation: 15)
    #expect(last.index == NodeID.slotLimit - 1 && last.rawValue != Node.noNode)
    #expect(MemoryLayout<Node>.stride == 80)
  }
}
