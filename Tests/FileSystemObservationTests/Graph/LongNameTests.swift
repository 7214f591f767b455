import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Names of more than 255 bytes, as NTFS and exFAT have them by FUSE, and of as many as a path.
struct LongNameTests {
  private static func key(_ inode: UInt64) -> FileKey { FileKey(device: 1, inode: inode, born: 1_000_000) }

  private static func content(_ inode: UInt64, _ kind: FileKind) -> FileGraph.Content {
    FileGraph.Content(uuid: UUIDBits(high: 1, low: inode), key: key(inode), kind: kind, modified: 0, size: 0)
  }

  private static func path(_ id: NodeID, in graph: FileGraph) -> [UInt8] {
    var bytes: [UInt8] = []
    graph.storage.appendPath(of: id, to: &bytes)
    return bytes
  }

  /// What they have in common is longer than one byte can count.
  @Test(arguments: [255, 256, 511, 512, 765, 1024, 4095]) func areKeptWholeAndApart(_ count: Int) {
    var graph = FileGraph(root: Self.key(1), uuid: UUIDBits(high: 1, low: 1))
    let common = [UInt8](repeating: 0x61, count: count - 1)
    let (first, second) = (FileName(bytes: common + [0x62]), FileName(bytes: common + [0x63]))
    let cut = FileName(bytes: first.bytes.prefix(count & 255))
    let folder = graph.insert(Self.content(2, .directory), named: first.span, in: .root)
    let file = graph.insert(Self.content(3, .file), named: second.span, in: folder)
    #expect(graph.node(at: Place(parent: .root, name: first)) == folder)
    #expect(graph.node(at: Place(parent: .root, name: second)) == nil)
    if cut != first { #expect(graph.node(at: Place(parent: .root, name: cut)) == nil) }
    #expect(graph.name(file) == second)
    #expect(Self.path(file, in: graph) == Array(first.bytes) + [0x2f] + Array(second.bytes))
    graph.move(file, to: Place(parent: .root, name: second))
    #expect(graph.node(at: Place(parent: .root, name: second)) == file)
    #expect(Self.path(file, in: graph) == Array(second.bytes))
    graph.exchange(file, folder)
    #expect(graph.name(file) == first && graph.name(folder) == second)
  }

  /// A length of two bytes takes no more room than one of one byte did.
  @Test func anEntryTakesNoMoreRoom() {
    #expect(MemoryLayout<Node>.stride == 80)
    #expect(MemoryLayout<ScannedEntry>.offset(of: \.entry) == 16)
  }
}
