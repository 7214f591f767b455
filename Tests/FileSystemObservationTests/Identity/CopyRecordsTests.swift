import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

struct CopyRecordsTests {
  private let start = MonotonicTime(nanoseconds: 1_000)

  private func graph(_ count: Int) -> (FileGraph, [NodeID]) {
    var graph = FileGraph.empty
    let nodes = (0..<count).map { graph.add("f\($0)", UInt64($0 + 2)) }
    return (graph, nodes)
  }

  @Test func theNewestCopyIsTheLastOfThoseThatAreLeft() {
    let (graph, nodes) = graph(3)
    let original = graph[nodes[0]].uuid
    var records = CopyRecords(lifetime: 100)
    records.note(nodes[1], of: nodes[0], in: graph, at: start)
    #expect(records.newestCopy(of: original) == nodes[1])
    records.note(nodes[2], of: nodes[0], in: graph, at: start)
    #expect(records.newestCopy(of: original) == nodes[2])
    records.forget(nodes[2])
    #expect(records.newestCopy(of: original) == nodes[1])
    records.forget(nodes[1])
    #expect(records.newestCopy(of: original) == nil && !records.hasCopies(original))
  }

  @Test func whatIsChangedIsNotIntact() {
    for changed in 0...1 {
      var (graph, nodes) = graph(2)
      var records = CopyRecords(lifetime: 100)
      records.note(nodes[1], of: nodes[0], in: graph, at: start)
      #expect(records.isIntact(nodes[1], of: nodes[0], in: graph))
      graph.setContent(nodes[changed], modified: 9, size: 8)
      #expect(!records.isIntact(nodes[1], of: nodes[0], in: graph))
    }
  }

  @Test(arguments: [(Int64.max, Int64.min), (.min, .max), (.max, -1), (-1, .max)])
  func timesMayBeAsFarApartAsTheyLike(_ original: Int64, _ copy: Int64) {
    var (graph, nodes) = graph(2)
    graph.setContent(nodes[0], modified: original, size: 8)
    graph.setContent(nodes[1], modified: copy, size: 8)
    var records = CopyRecords(lifetime: 100)
    records.note(nodes[1], of: nodes[0], in: graph, at: start)
    #expect(!records.isIntact(nodes[1], of: nodes[0], in: graph))
  }

  @Test func allAreForgottenWhenTheLastIsOld() {
    let (graph, nodes) = graph(3)
    var records = CopyRecords(lifetime: 100)
    records.note(nodes[1], of: nodes[0], in: graph, at: start)
    records.note(nodes[2], of: nodes[1], in: graph, at: start + 90)
    records.forgetExpired(start + 180)
    #expect(records.count == 2)
    records.forgetExpired(start + 191)
    #expect(records.count == 0)
  }

  @Test func theOldestAreForgottenFirst() {
    let (graph, nodes) = graph(CopyRecords.limit + 11)
    var records = CopyRecords(lifetime: 100)
    for copy in nodes.dropFirst() { records.note(copy, of: nodes[0], in: graph, at: start) }
    #expect(records.count == CopyRecords.limit)
    #expect(!records.isCopy(nodes[1], of: graph[nodes[0]].uuid))
    #expect(records.isCopy(nodes[nodes.endIndex - 1], of: graph[nodes[0]].uuid))
  }

  @Test func aCopyOfACopyIsOneOfTheOriginal() {
    let (graph, nodes) = graph(3)
    var records = CopyRecords(lifetime: 100)
    records.note(nodes[2], of: nodes[1], in: graph, at: start)
    records.replaceOriginal(graph[nodes[1]].uuid, by: graph[nodes[0]].uuid)
    #expect(records.newestCopy(of: graph[nodes[0]].uuid) == nodes[2])
    #expect(!records.hasCopies(graph[nodes[1]].uuid))
  }
}
