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
    entries.begin(id, since: now, due: now, leftByRename: true)
    entries.setLocation(of: id, .at(PendingTables.place("a")))
    entries.setLocation(of: id, .at(PendingTables.place("b")))
    #expect(entries.entry(at: PendingTables.place("a")) == nil && entries.entry(at: PendingTables.place("b")) == id)
    #expect(PendingTables.violations { entries.checkInvariants(&$0) } == [])
    entries.begin(id, since: now, due: now, leftByRename: false)
    #expect(!entries.hasBelievedPlaces && entries[id]?.believedLocation == .unknown)
  }

  @Test func anEntryThatIsResolvedIsNowhereElse() {
    var entries = UnresolvedEntries()
    let id = NodeID(index: 1)
    entries.begin(id, since: now, due: now, leftByRename: true)
    entries.setLocation(of: id, .at(PendingTables.place("a")))
    entries[id]?.isExchange = true
    #expect(entries.remove(id)?.isExchange == true && entries.remove(id) == nil)
    #expect(entries.isEmpty && !entries.hasBelievedPlaces && entries.places(in: directory).isEmpty)
  }
}
