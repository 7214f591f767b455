import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Newcomers by place, and what is found of them by other keys.
struct ArrivalTableTests {
  private let now = MonotonicTime(nanoseconds: 1_000)
  private let directory = PendingTables.directory

  private func arrival(_ inode: UInt64, isKnownInode: Bool = false) -> Arrival {
    var arrival = Arrival(unseen: FileKey(device: 1, inode: inode, born: 1), .file, at: now, nextCheck: now)
    arrival.activity.isKnownInode = isKnownInode
    return arrival
  }

  @Test func arrivalsAreFoundByInodeDirectoryAndPartialName() {
    var table = ArrivalTable(patterns: NameRules())
    table.insert(arrival(5), at: PendingTables.place("report.pdf.part"))
    table.insert(arrival(6, isKnownInode: true), at: PendingTables.place("link", in: NodeID(index: 11)))
    #expect(table.places(of: FileKey(device: 1, inode: 5, born: 1)) == [PendingTables.place("report.pdf.part")])
    #expect(table.contains(PartialName(directory: directory, ending: Array(".pdf".utf8))))
    #expect(table.hasNewInode(in: directory) && !table.hasNewInode(in: NodeID(index: 11)))
    #expect(table.hasFurtherName(of: FileKey(device: 1, inode: 6, born: 1)))
    #expect(PendingTables.violations { table.checkInvariants(&$0) } == [])
  }

  @Test func nothingIsLeftOfAnArrivalThatIsRemoved() {
    var table = ArrivalTable(patterns: NameRules())
    for name in ["a.part", "b"] {
      table.insert(arrival(name == "b" ? 6 : 5, isKnownInode: name == "b"), at: PendingTables.place(name))
    }
    #expect(
      table.remove(at: PendingTables.place("a.part"))?.key.inode == 5
        && table.remove(at: PendingTables.place("a.part")) == nil)
    #expect(table.remove(at: PendingTables.place("b"))?.key.inode == 6)
    #expect(table.isEmpty && table.keys.isEmpty && !table.hasNewInode(in: directory))
    #expect(!table.hasFurtherName(of: FileKey(device: 1, inode: 6, born: 1)))
    #expect(PendingTables.violations { table.checkInvariants(&$0) } == [])
  }

  @Test func theWritingOfAnArrivalIsChangedInPlace() {
    var table = ArrivalTable(patterns: NameRules())
    table.insert(arrival(5), at: PendingTables.place("a"))
    table.update(at: PendingTables.place("a")) { $0.checks = 7 }
    table.update(at: PendingTables.place("b")) { $0.checks = 8 }
    #expect(table[PendingTables.place("a")]?.activity.checks == 7 && table.count == 1)
  }
}
