import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Entries that are not where they were, and where they are believed to be.
struct UnresolvedEntriesTests {
  private let now = MonotonicTime(nanoseconds: 1_000)
  private let directory = PendingTables.directory

  @Test func anEntryIsBelievedAtOnePlace() {
    var entries = UnresolvedEntries()
    let id = NodeID(index: 1)
    entries.setLocation(of: id, .at(PendingTables.place("a")))
    #expect(entries.entry(at: PendingTables.place("a")) == nil)
    entries.begin(id, since: now, due: now, leftByRename: true, unseenName: nil)
    entries.setLocation(of: id, .at(PendingTables.place("a")))
    entries.setLocation(of: id, .at(PendingTables.place("b")))
    #expect(entries.entry(at: PendingTables.place("a")) == nil && entries.entry(at: PendingTables.place("b")) == id)
    #expect(PendingTables.violations { entries.checkInvariants(&$0) } == [])
    entries.begin(id, since: now, due: now, leftByRename: false, unseenName: nil)
    #expect(!entries.hasBelievedPlaces && entries[id]?.believedLocation == .unknown)
  }

  @Test func anEntryThatIsResolvedIsNowhereElse() {
    var entries = UnresolvedEntries()
    let id = NodeID(index: 1)
    entries.begin(id, since: now, due: now, leftByRename: true, unseenName: nil)
    entries.setLocation(of: id, .at(PendingTables.place("a")))
    entries[id]?.isExchange = true
    #expect(entries.remove(id)?.isExchange == true && entries.remove(id) == nil)
    #expect(entries.isEmpty && !entries.hasBelievedPlaces && entries.places(in: directory).isEmpty)
  }
  @Test func anUnseenInodeIsFoundByTheNameOfItsEntry() {
    var entries = UnresolvedEntries()
    let (name, other) = (FileName("a"), FileName("b"))
    let ids = (1...3).map { NodeID(index: $0) }
    for id in ids { entries.begin(id, since: now, due: now, leftByRename: true, unseenName: name) }
    entries.begin(ids[1], since: now, due: now, leftByRename: true, unseenName: other)
    entries.begin(ids[2], since: now, due: now, leftByRename: true, unseenName: nil)
    #expect(entries.unseen(named: name) == [ids[0]] && entries.unseen(named: other) == [ids[1]])
    #expect(PendingTables.violations { entries.checkInvariants(&$0) } == [])
    _ = entries.remove(ids[0])
    #expect(entries.unseen(named: name).isEmpty)
  }
}
