import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Places and identities as of the last change set.
struct FormerEntriesTests {
  /// `d/e/f`, as of the last change set.
  private static func graph() -> (FileGraph, d: NodeID, e: NodeID, f: NodeID) {
    var graph = FileGraph.empty
    let d = graph.add("d", 2, .directory)
    let e = graph.add("e", 3, .directory, in: d)
    let f = graph.add("f", 4, in: e)
    graph.beginChangeSet()
    return (graph, d, e, f)
  }

  private static func formerPath(_ id: NodeID, _ graph: FileGraph) -> String {
    var bytes = Array("/top/".utf8)
    graph.appendFormerPath(of: id, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func whatIsBelowAFolderThatMovedHasAFormerPathToo() {
    var (graph, d, e, f) = Self.graph()
    graph.move(e, to: Place(parent: .root, name: FileName("g")))
    graph.move(d, to: Place(parent: e, name: FileName("d")))
    #expect(Self.formerPath(f, graph) == "/top/d/e/f" && Self.formerPath(d, graph) == "/top/d")
    #expect(graph.formerDepth(of: f) == 3 && graph.formerDepth(of: d) == 1)
    #expect(graph.formerEntries.hasChanged(e) && !graph.formerEntries.hasChanged(f))
    graph.beginChangeSet()
    #expect(Self.formerPath(f, graph) == "/top/g/f" && graph.formerEntries.ids.isEmpty)
  }

  @Test func theOldestStateOfASetCounts() throws {
    var (graph, d, _, f) = Self.graph()
    for name in ["x", "f", "y"] { graph.move(f, to: Place(parent: d, name: FileName(name))) }
    let former = try #require(graph.former(f))
    #expect(!graph.hasFormerName(f, former) && Self.formerPath(f, graph) == "/top/d/e/f")
    graph.move(f, to: Place(parent: d, name: FileName("f")))
    #expect(graph.hasFormerName(f, former), "the name is the same, in other memory")
    graph.remove(f)
    #expect(graph.former(f)?.parent == former.parent)
  }

  @Test func whatCameAndWentWasNeverThere() {
    var (graph, d, _, _) = Self.graph()
    let id = graph.add("new", 5, in: d)
    #expect(graph.former(id) == nil)
    graph.remove(id)
    #expect(graph.former(id) == nil && graph.formerEntries.hasChanged(id))
  }

  /// A folder that waits to be told has been there for no one, until it is told.
  @Test func whatIsUnannouncedWasNotThereInAnySet() {
    var (graph, d, _, _) = Self.graph()
    let id = graph.add("new", 5, .directory, in: d)
    graph.setUnannounced(id, true)
    graph.beginChangeSet()
    #expect(graph.former(id) == nil)
    graph.setUnannounced(id, false)
    #expect(graph.former(id) == nil && graph.formerEntries.ids == [id])
    graph.beginChangeSet()
    #expect(graph.former(id)?.parent == d)
  }
}
