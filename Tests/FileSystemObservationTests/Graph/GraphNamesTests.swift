import FileIdentity
import FileTestSupport
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Identities with several names in the graph.
struct GraphNamesTests {
  /// Names come and go at random; what the graph says is held against lists.
  @Test(arguments: [1, 2, 3] as [UInt64]) func namesAreKeptInTheOrderInWhichTheyCame(_ seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var graph = FileGraph.empty
    var names: [UInt64: [NodeID]] = [:]
    for step in 0..<2_000 {
      let number = UInt64.random(in: 2...4, using: &generator)
      let known = names[number, default: []]
      if known.count > 6 || Bool.random(using: &generator), let index = known.indices.randomElement(using: &generator) {
        graph.remove(known[index])
        graph.reuseRemoved()
        names[number]?.remove(at: index)
      } else {
        names[number, default: []].append(graph.add("\(step)", number))
      }
      for (number, expected) in names {
        guard let oldest = expected.first else {
          #expect(graph.node(with: UUIDBits(high: 0, low: number)) == nil)
          continue
        }
        #expect(graph.names(of: oldest) == expected && graph.nameCount(of: oldest) == expected.count)
        #expect(expected.allSatisfy { graph.hasOtherNames($0) == (expected.count > 1) })
      }
    }
  }

  @Test func whatHasAFlagIsFound() {
    var graph = FileGraph.empty
    let names = (0..<4).map { graph.add("\($0)", 2, .file, in: .root, $0 == 3 ? .tagUnread : []) }
    graph.setFlags(names[1], .unresolved, true)
    graph.setFlags(names[2], [.unresolved, .written], true)
    #expect(graph.names(of: names[0], with: .unresolved) == [names[1], names[2]])
    #expect(graph.names(of: names[0], with: .tagUnread) == [names[3]])
    graph.setFlags(names[2], .unresolved, false)
    graph.setIdentity(names[1], uuid: UUIDBits(high: 0, low: 9), key: FileKey(device: 1, inode: 9, born: 1))
    #expect(graph.names(of: names[0], with: .unresolved) == [] && graph.nameCount(of: names[0]) == 3)
    #expect(graph.names(of: names[1], with: .unresolved) == [names[1]])
    graph.remove(names[2])
    #expect(graph.names(of: names[0], with: .written) == [])
  }

  @Test func allNamesOfAFileHaveItsContent() {
    var graph = FileGraph.empty
    let names = (0..<3).map { graph.add("\($0)", 2) }
    graph.setContent(names[2], modified: 20, size: 30)
    #expect(names.allSatisfy { graph.content(of: $0) == (20, 30) })
    graph.remove(names[0])
    #expect(graph.content(of: names[1]) == (20, 30) && graph.content(of: names[2]) == (20, 30))
    graph.setIdentity(names[2], uuid: UUIDBits(high: 0, low: 9), key: FileKey(device: 1, inode: 9, born: 1))
    #expect(graph.content(of: names[2]) == (20, 30))
  }

  /// The first names are removed first, and the last ones.
  @Test(arguments: [true, false]) func oneOfVeryManyNamesComesAndGoesAtOnce(_ isOldestFirst: Bool) {
    let growth = Growth.ofFourfold(4_000) { count in
      var graph = FileGraph.empty
      let names = (0..<count).map { graph.add("\($0)", 2) }
      for name in isOldestFirst ? names : names.reversed() { graph.remove(name) }
    }
    #expect(growth < Growth.linear)
  }
}
