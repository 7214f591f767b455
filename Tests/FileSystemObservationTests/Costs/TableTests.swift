import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// The books in which the classifier finds what belongs together without looking through everything.
struct TableTests {
  private static func place(_ parent: UInt32, _ name: String) -> Place {
    Place(parent: NodeID(index: Int(parent)), name: FileName(name))
  }

  @Test func membersAreKeptByKey() {
    var map = Multimap<String, Int>()
    for member in [1, 2, 2, 3] { map.insert(member, for: "a") }
    map.insert(4, for: "b")
    #expect(map.members(of: "a").sorted() == [1, 2, 3] && map.members(of: "b") == [4] && map.keyCount == 2)
    for member in [1, 3, 7, 2] { map.remove(member, for: "a") }
    #expect(!map.hasMembers("a") && map.count(of: "b") == 1)
    map.remove(5, for: "b")
    #expect(map.contains("b") { $0 == 4 } && !map.contains("b") { $0 == 5 })
  }

  @Test func placesAreKeptByDirectory() {
    var table = PlaceTable<Int>()
    for name in ["c", "a", "b"] { table[Self.place(1, name)] = 1 }
    table[Self.place(2, "a")] = 2
    #expect(table.count == 4 && table.places(in: NodeID(index: 1)).map(\.name.description) == ["a", "b", "c"])
    table[Self.place(1, "a")] = nil
    #expect(table.removeValue(forKey: Self.place(1, "b")) == 1 && table[Self.place(1, "b")] == nil)
    #expect(table.removeValue(forKey: Self.place(1, "b")) == nil && table.count == 2)
    table[Self.place(3, "x")] = nil
    table.removeAll(in: NodeID(index: 1))
    #expect(table.keys == [Self.place(2, "a")] && table.count == 1 && !table.hasPlaces(in: NodeID(index: 1)))
  }

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

  @Test func whatIsWrittenIsFoundByOldInodeAndByPartialName() {
    let key = FileKey(device: 1, inode: 2, born: 3)
    let pdf = PartialName(directory: NodeID(index: 10), ending: Array(".pdf".utf8))
    var progress = WriteActivity(now: .init(nanoseconds: 0), size: 0, modified: 0, nextCheck: .init(nanoseconds: 0))
    var table = WritingTable(patterns: NameRules())
    let place = Place(parent: NodeID(index: 10), name: FileName("report.pdf.part"))
    table.begin(NodeID(index: 1), at: place, progress)
    #expect(table.contains(pdf) && table.document(savedFrom: key) == nil)
    progress.isSave = true
    table[NodeID(index: 1)] = progress
    table[NodeID(index: 1)]?.former = key
    #expect(
      table.document(savedFrom: key) == NodeID(index: 1) && table.entries(in: NodeID(index: 10)) == [NodeID(index: 1)])
    table.move(NodeID(index: 1), to: Place(parent: NodeID(index: 11), name: FileName("report.pdf")))
    #expect(!table.contains(pdf) && table.entries(in: NodeID(index: 11)) == [NodeID(index: 1)])
    table[NodeID(index: 1)] = nil
    #expect(table.document(savedFrom: key) == nil && table.count == 0)
  }

  @Test func whatIsOverIsForgottenWhenThereIsMuch() {
    var table = RecentTable<Int, Int>()
    for number in 0..<10_000 { table.set(number, for: number) { $0 > number - 10 } }
    #expect(table.count < 600 && table[9_999] == 9_999)
  }

  @Test func contestsAreFoundByTheRival() {
    let (own, otherTag) = (UUIDBits(high: 1, low: 1), UUIDBits(high: 2, low: 2))
    var disputes = TagDisputes()
    let dispute = TagDispute(otherTag: otherTag, rounds: 1, latest: .init(nanoseconds: 0), pace: 1_000)
    disputes.set(dispute, for: own, .init(nanoseconds: 0))
    #expect(disputes.identities(claimedAs: otherTag) == [own])
    disputes.remove(own)
    #expect(disputes.identities(claimedAs: otherTag) == [] && disputes.count == 0)
  }

  @Test func whichDirectoriesHaveFilesThatAreCopiedIsKnown() {
    var graph = FileGraph(root: FileKey(device: 1, inode: 1, born: 1), uuid: UUIDBits(high: 0, low: 1))
    func add(_ name: String, _ number: UInt64, _ kind: FileKind, in parent: NodeID, _ flags: NodeFlags) -> NodeID {
      let content = FileGraph.Content(
        uuid: UUIDBits(high: 0, low: number), key: FileKey(device: 1, inode: number, born: 1), kind: kind, modified: 0,
        size: 0, flags: flags)
      return graph.insert(content, named: FileName(name).span, in: parent)
    }
    let folder = add("d", 2, .directory, in: .root, [])
    let file = add("f", 3, .file, in: .root, .copying)
    #expect(graph.hasCopying(in: .root) && !graph.hasCopying(in: folder))
    graph.move(file, to: Place(parent: folder, name: FileName("f")))
    #expect(!graph.hasCopying(in: .root) && graph.hasCopying(in: folder))
    graph.setFlags(file, .copying, true)
    graph.setFlags(file, .copying, false)
    #expect(!graph.hasCopying(in: folder))
    graph.setFlags(file, .copying, true)
    graph.remove(file)
    #expect(!graph.hasCopying(in: folder))
  }
}
