import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// The graph of what has been announced.
struct FileGraphTests {
  /// Entries come, move, change and go at random; what the graph says is held against dictionaries.
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func theGraphIsWhatDictionariesSay(_ seed: UInt64) {
    var model = GraphModel(seed: seed)
    var largest = 0
    for step in 0..<300 {
      model.step()
      largest = max(largest, model.count)
      let differences = model.differences()
      #expect(differences == [], "step \(step)")
      if !differences.isEmpty { return }
    }
    #expect(largest > 20 && model.differencesOfCopy() == [])
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

  @Test func aNameMayBeMadeTheOldest() {
    var graph = FileGraph(root: FileKey(device: 1, inode: 1, born: 1), uuid: UUIDBits(high: 0, low: 1))
    let names = ["a", "b", "c"].map { name in
      let content = FileGraph.Content(
        uuid: UUIDBits(high: 0, low: 2), key: FileKey(device: 1, inode: 2, born: 1), kind: .file, modified: 0, size: 0)
      return graph.insert(content, named: FileName(name).span, in: .root)
    }
    graph.makeOldest(names[1])
    #expect(graph.names(of: names[0]) == [names[1], names[0], names[2]])
    #expect(graph.node(with: FileKey(device: 1, inode: 2, born: 1)) == names[1])
    #expect(!graph[names[1]].flags.contains(.furtherName) && graph[names[0]].flags.contains(.furtherName))
  }

  @Test func aPlaceIsFoundAlongNames() {
    var graph = FileGraph(root: FileKey(device: 1, inode: 1, born: 1), uuid: UUIDBits(high: 0, low: 1))
    let content = FileGraph.Content(
      uuid: UUIDBits(high: 0, low: 2), key: FileKey(device: 1, inode: 2, born: 1), kind: .directory, modified: 0,
      size: 0)
    let folder = graph.insert(content, named: FileName("d").span, in: .root)
    let names = ["d", "x"].map { FileName($0) }
    #expect(graph.place(along: names) == Place(parent: folder, name: names[1]))
    #expect(graph.place(along: [names[1], names[0]]) == nil && graph.place(along: []) == nil)
  }
}
