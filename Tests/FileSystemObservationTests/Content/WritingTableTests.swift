import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

struct WritingTableTests {
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
    #expect(table.document(savedFrom: key) == NodeID(index: 1) && table.keys == [NodeID(index: 1)])
    table.move(NodeID(index: 1), to: Place(parent: NodeID(index: 11), name: FileName("report.pdf")))
    #expect(!table.contains(pdf) && table[NodeID(index: 1)] != nil)
    table[NodeID(index: 1)] = nil
    #expect(table.document(savedFrom: key) == nil && table.count == 0)
  }
}
