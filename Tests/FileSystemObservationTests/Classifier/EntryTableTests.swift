import Testing

@testable import FileSystemObservation

struct EntryTableTests {
  @Test func entriesAreFoundInTheDirectoryTheyWereMovedTo() {
    var table = EntryTable<String>()
    table.set("one", for: NodeID(index: 1), in: NodeID(index: 10))
    table.set("two", for: NodeID(index: 2), in: NodeID(index: 10))
    table.move(NodeID(index: 1), to: NodeID(index: 11))
    table.move(NodeID(index: 3), to: NodeID(index: 11))
    table.update(NodeID(index: 1)) { $0 += "!" }
    #expect(
      table.entries(in: NodeID(index: 10)) == [NodeID(index: 2)]
        && table.entries(in: NodeID(index: 11)) == [NodeID(index: 1)])
    #expect(table.remove(NodeID(index: 1)) == "one!" && !table.hasEntries(in: NodeID(index: 11)) && table.count == 1)
  }
}
