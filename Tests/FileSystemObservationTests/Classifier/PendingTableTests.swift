import FileIdentity
import LinuxFileSystem
import TestTraits
import Testing

@testable import FileSystemObservation

/// The tables of what is pending keep what ties their parts together.
@Suite(.light)
struct PendingTableTests {
  private let now = MonotonicTime(nanoseconds: 1_000)
  private let directory = NodeID(index: 10)

  private func place(_ name: String, in directory: NodeID? = nil) -> Place {
    Place(parent: directory ?? self.directory, name: FileName(name))
  }

  private func arrival(_ inode: UInt64, isKnownInode: Bool = false) -> Arrival {
    var arrival = Arrival(unseen: FileKey(device: 1, inode: inode, born: 1), .file, at: now, nextCheck: now)
    arrival.activity.isKnownInode = isKnownInode
    return arrival
  }

  private func violations(_ check: (inout InvariantReport) -> Void) -> [String] {
    var report = InvariantReport()
    check(&report)
    return report.violations
  }

  // MARK: - Arrivals

  @Test func arrivalsAreFoundByInodeDirectoryAndPartialName() {
    var table = ArrivalTable(patterns: NameRules())
    table.insert(arrival(5), at: place("report.pdf.part"))
    table.insert(arrival(6, isKnownInode: true), at: place("link", in: NodeID(index: 11)))
    #expect(table.places(of: FileKey(device: 1, inode: 5, born: 1)) == [place("report.pdf.part")])
    #expect(table.contains(PartialName(directory: directory, ending: Array(".pdf".utf8))))
    #expect(table.hasNewInode(in: directory) && !table.hasNewInode(in: NodeID(index: 11)))
    #expect(table.hasFurtherName(of: FileKey(device: 1, inode: 6, born: 1)))
    #expect(violations { table.checkInvariants(&$0) } == [])
  }

  @Test func nothingIsLeftOfAnArrivalThatIsRemoved() {
    var table = ArrivalTable(patterns: NameRules())
    for name in ["a.part", "b"] {
      table.insert(arrival(name == "b" ? 6 : 5, isKnownInode: name == "b"), at: place(name))
    }
    #expect(table.remove(at: place("a.part"))?.key.inode == 5 && table.remove(at: place("a.part")) == nil)
    #expect(table.remove(at: place("b"))?.key.inode == 6)
    #expect(table.isEmpty && table.keys.isEmpty && !table.hasNewInode(in: directory))
    #expect(!table.hasFurtherName(of: FileKey(device: 1, inode: 6, born: 1)))
    #expect(violations { table.checkInvariants(&$0) } == [])
  }

  @Test func theWritingOfAnArrivalIsChangedInPlace() {
    var table = ArrivalTable(patterns: NameRules())
    table.insert(arrival(5), at: place("a"))
    table.update(at: place("a")) { $0.checks = 7 }
    table.update(at: place("b")) { $0.checks = 8 }
    #expect(table[place("a")]?.activity.checks == 7 && table.count == 1)
  }

  // MARK: - Entries that are not resolved

  @Test func anEntryIsBelievedAtOnePlace() {
    var entries = UnresolvedEntries()
    let id = NodeID(index: 1)
    entries.setLocation(of: id, .at(place("a")))
    #expect(entries.entry(at: place("a")) == nil)
    entries.begin(id, since: now, due: now, leftByRename: true)
    entries.setLocation(of: id, .at(place("a")))
    entries.setLocation(of: id, .at(place("b")))
    #expect(entries.entry(at: place("a")) == nil && entries.entry(at: place("b")) == id)
    #expect(violations { entries.checkInvariants(&$0) } == [])
    entries.begin(id, since: now, due: now, leftByRename: false)
    #expect(!entries.hasBelievedPlaces && entries[id]?.believedLocation == .unknown)
  }

  @Test func anEntryThatIsResolvedIsNowhereElse() {
    var entries = UnresolvedEntries()
    let id = NodeID(index: 1)
    entries.begin(id, since: now, due: now, leftByRename: true)
    entries.setLocation(of: id, .at(place("a")))
    entries[id]?.isExchange = true
    #expect(entries.remove(id)?.isExchange == true && entries.remove(id) == nil)
    #expect(entries.isEmpty && !entries.hasBelievedPlaces && entries.places(in: directory).isEmpty)
  }

  // MARK: - Tags

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

  // MARK: - What is ahead of the log

  @Test func aFindIsConfirmedUntilAHintOfItsDirectoryComes() {
    var finds = PlacesAheadOfLog()
    let key = FileKey(device: 1, inode: 5, born: 1)
    finds.insert(key, at: place("a"), due: now)
    #expect(finds.isConfirmed(key, at: place("a")) && !finds.isConfirmed(nil, at: place("a")) && finds.has(key))
    finds.noteHint(in: NodeID(index: 11))
    #expect(finds.isConfirmed(key, at: place("a")))
    finds.noteHint(in: directory)
    #expect(!finds.isConfirmed(key, at: place("a")) && finds.contains(place("a")))
    finds.insert(nil, at: place("a"), due: now)
    #expect(finds.isConfirmed(nil, at: place("a")) && !finds.has(key) && !finds.hasInode(at: place("a")))
    finds.removeAll(in: directory)
    #expect(finds.isEmpty && finds.due(place("a")) == nil)
  }
}
