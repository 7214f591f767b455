import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Tags of what is not decided yet.
struct UnconfirmedTagsTests {
  private let directory = PendingTables.directory

  @Test func aTagIsUnconfirmedWhileSomethingBearsIt() {
    var tags = UnconfirmedTags()
    let (tag, other) = (UUIDBits(high: 1, low: 1), UUIDBits(high: 2, low: 2))
    tags.insert(tag, ofArrivalAt: PendingTables.place("a"))
    tags.set(tag, of: NodeID(index: 1))
    #expect(
      tags.count(of: tag) == 2
        && Set(tags.holders(of: tag)) == [.arrival(PendingTables.place("a")), .entry(NodeID(index: 1))])
    #expect(tags.has(tag, besides: NodeID(index: 1)) && !tags.has(other, besides: NodeID(index: 1)))
    tags.set(other, of: NodeID(index: 1))
    #expect(!tags.has(other, besides: NodeID(index: 1)) && tags.has(other, besides: NodeID(index: 2)))
    #expect(tags.count(of: tag) == 1 && tags[NodeID(index: 1)] == other)
    #expect(PendingTables.violations { tags.checkInvariants(arrivals: [(PendingTables.place("a"), tag)], &$0) } == [])
    tags.remove(tag, ofArrivalAt: PendingTables.place("a"))
    tags.set(nil, of: NodeID(index: 1))
    #expect(tags.isEmpty && tags.entries.isEmpty)
  }
}
