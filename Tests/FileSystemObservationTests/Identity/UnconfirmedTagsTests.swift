import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Tags of what is not decided yet.
struct UnconfirmedTagsTests {
  private let directory = NodeID(index: 10)

  private func place(_ name: String, in directory: NodeID? = nil) -> Place {
    Place(parent: directory ?? self.directory, name: FileName(name))
  }

  private func violations(_ check: (inout InvariantReport) -> Void) -> [String] {
    var report = InvariantReport()
    check(&report)
    return report.violations
  }

  @Test func aTagIsUnconfirmedWhileSomethingBearsIt() {
    var tags = UnconfirmedTags()
    let (tag, other) = (UUIDBits(high: 1, low: 1), UUIDBits(high: 2, low: 2))
    tags.insert(tag, ofArrivalAt: place("a"))
    tags.set(tag, of: NodeID(index: 1))
    #expect(tags.count(of: tag) == 2 && Set(tags.holders(of: tag)) == [.arrival(place("a")), .entry(NodeID(index: 1))])
    tags.set(other, of: NodeID(index: 1))
    #expect(tags.count(of: tag) == 1 && tags[NodeID(index: 1)] == other)
    #expect(violations { tags.checkInvariants(arrivals: [(place("a"), tag)], &$0) } == [])
    tags.remove(tag, ofArrivalAt: place("a"))
    tags.set(nil, of: NodeID(index: 1))
    #expect(tags.isEmpty && tags.entries.isEmpty)
  }
}
