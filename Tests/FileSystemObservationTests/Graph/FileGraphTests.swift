import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// The graph of what has been announced.
struct FileGraphTests {
  /// Entries come, move, change and go at random; what the graph says is held against dictionaries.
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func theGraphIsWhatDictionariesSay(_ seed: UInt64) throws {
    var model = GraphModel(seed: seed)
    var largest = 0
    for step in 0..<300 {
      model.step()
      largest = max(largest, model.count)
      try #require(model.differences() == [], "step \(step)")
      try #require(PendingTables.violations { model.graph.checkInvariants(&$0) } == [], "step \(step)")
    }
    #expect(largest > 20 && model.differencesOfCopy() == [])
  }

  @Test func whichDirectoriesHaveFilesThatAreCopiedIsKnown() {
    var graph = FileGraph.empty
    let folder = graph.add("d", 2, .directory)
    let file = graph.add("f", 3, .file, in: .root, .copying)
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
    var graph = FileGraph.empty
    let names = ["a", "b", "c"].map { graph.add($0, 2) }
    graph.makeOldest(names[1])
    #expect(graph.names(of: names[0]) == [names[1], names[0], names[2]])
    #expect(graph.node(with: graph.key(names[0])) == names[1])
    #expect(!graph[names[1]].flags.contains(.furtherName) && graph[names[0]].flags.contains(.furtherName))
  }

  @Test func aPlaceIsFoundAlongNames() {
    var graph = FileGraph.empty
    let folder = graph.add("d", 2, .directory)
    let names = ["d", "x"].map { FileName($0) }
    #expect(graph.place(along: names) == Place(parent: folder, name: names[1]))
    #expect(graph.place(along: [names[1], names[0]]) == nil && graph.place(along: []) == nil)
  }

  /// What has not been looked at has no inode by which it could be found.
  @Test func anUnseenInodeIsNotFound() {
    var graph = FileGraph.empty
    let id = graph.add("a", 2)
    graph.setIdentity(id, uuid: graph[id].uuid, key: .unseen)
    #expect(graph.node(with: FileKey.unseen) == nil && graph.node(with: graph[id].uuid) == id)
    graph.setIdentity(id, uuid: graph[id].uuid, key: FileKey(device: 1, inode: 3, born: 1))
    #expect(graph.node(withInode: 3, on: 1) == id && graph.node(withInode: 3, on: 2) == nil)
  }
}
