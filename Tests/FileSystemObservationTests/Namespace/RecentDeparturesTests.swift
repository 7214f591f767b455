import FileIdentity
import FileTestSupport
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Places that documents left a moment ago.
struct RecentDeparturesTests {
  private static func place(_ name: String, in directory: Int = 10) -> Place {
    Place(parent: NodeID(index: directory), name: FileName(name))
  }

  private static func departure(_ node: Int) -> RecentDeparture {
    let key = FileKey(device: 1, inode: UInt64(node), born: 1)
    return RecentDeparture(node: NodeID(index: node), key: key, since: .init(nanoseconds: 0), isFound: false)
  }

  @Test func aPlaceWasLeftByTheLastThatLeftIt() {
    var departures = RecentDepartures()
    departures.note(Self.departure(1), from: Self.place("a"))
    departures.note(Self.departure(2), from: Self.place("a"))
    #expect(departures[from: Self.place("a")]?.node == NodeID(index: 2) && departures.count == 1)
    #expect(departures.latestPlace(of: NodeID(index: 1)) == nil)
    #expect(departures.latestPlace(of: NodeID(index: 2)) == Self.place("a"))
  }

  @Test func thePlaceThatWasLeftLastCounts() {
    var departures = RecentDepartures()
    for name in ["a", "b"] { departures.note(Self.departure(1), from: Self.place(name)) }
    #expect(departures.latestPlace(of: NodeID(index: 1)) == Self.place("b") && departures.count == 2)
    departures.forget(from: Self.place("a"))
    #expect(departures.latestPlace(of: NodeID(index: 1)) == Self.place("b"))
    departures.forget(from: Self.place("b"))
    #expect(departures.latestPlace(of: NodeID(index: 1)) == nil && departures.count == 0)
  }

  @Test func whatEndsIsForgotten() {
    var departures = RecentDepartures()
    departures.note(Self.departure(1), from: Self.place("a"))
    departures.note(Self.departure(1), from: Self.place("b", in: 11))
    departures.note(Self.departure(2), from: Self.place("c", in: 11))
    departures.forget(in: NodeID(index: 11))
    #expect(departures.count == 1 && departures[from: Self.place("a")] != nil)
    departures.forget(NodeID(index: 1))
    #expect(departures.count == 0)
  }

  @Test func whatBothSidesSayAgrees() throws {
    var graph = FileGraph.empty
    let nodes = (2..<6 as Range<UInt64>).map { graph.add("f\($0)", $0) }
    var departures = RecentDepartures()
    var random = SplitMix64(seed: 5)
    for _ in 0..<500 {
      let place = Place(parent: .root, name: FileName("n\(Int.random(in: 0..<5, using: &random))"))
      let departure = Self.departure(nodes.randomElement(using: &random)?.index ?? 1)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: departures.forget(from: place)
      case 1: departures.forget(departure.node)
      default: departures.note(departure, from: place)
      }
      var report = InvariantReport()
      departures.checkInvariants(graph, &report)
      try #require(report.violations == [])
    }
    #expect(departures.count > 0)
  }
}
