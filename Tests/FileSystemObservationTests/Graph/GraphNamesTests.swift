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
    let names = (0..<4).map { graph.add("\($0)", 2, .file, in: .root, $0 == 3 ? .written : []) }
    graph.setFlags(names[1], .unresolved, true)
    graph.setFlags(names[2], [.unresolved, .written, .minted], true)
    #expect(graph.names(of: names[0], with: .unresolved) == [names[1], names[2]])
    #expect(graph.names(of: names[0], with: .written) == [names[2], names[3]])
    graph.setFlags(names[2], .unresolved, false)
    graph.setIdentity(names[1], uuid: UUIDBits(high: 0, low: 9), key: FileKey(device: 1, inode: 9, born: 1))
    #expect(graph.names(of: names[0], with: .unresolved) == [] && graph.nameCount(of: names[0]) == 3)
    #expect(graph.names(of: names[1], with: .unresolved) == [names[1]])
    graph.remove(names[2])
    #expect(graph.names(of: names[0], with: .written) == [names[3]])
  }

  /// Whichever name is changed, and whichever is the oldest by then.
  @Test func allNamesOfAFileShareItsRecord() {
    var graph = FileGraph.empty
    let names = (0..<3).map { graph.add("\($0)", 2) }
    let (first, second) = (FileKey(device: 1, inode: 2, born: 1), FileKey(device: 2, inode: 8, born: 3))
    graph.setContent(names[2], modified: 20, size: 30)
    graph.setFlags(names[1], [.tagged, .copying], true)
    #expect(names.allSatisfy { graph.hasRecord($0, first, (20, 30), .tagged) })
    #expect(names.filter { graph[$0].flags.contains(.copying) } == [names[1]])
    graph.setInode(names[1], second)
    #expect(names.allSatisfy { graph.hasRecord($0, second, (20, 30), .tagged) })
    #expect(graph.node(with: second) == names[0] && graph.node(with: first) == nil)
    graph.remove(names[0])
    #expect(names.dropFirst().allSatisfy { graph.hasRecord($0, second, (20, 30), .tagged) })
    #expect(graph.node(with: second) == names[1])
  }

  @Test func aNameThatLeavesItsFileHasACopyOfTheRecord() {
    var graph = FileGraph.empty
    let names = (0..<3).map { graph.add("\($0)", 2) }
    graph.setContent(names[0], modified: 20, size: 30)
    graph.setFlags(names[0], .minted, true)
    let other = FileKey(device: 1, inode: 9, born: 1)
    graph.setIdentity(names[2], uuid: UUIDBits(high: 0, low: 9), key: other)
    graph.setFlags(names[0], .minted, false)
    #expect(graph.hasRecord(names[2], other, (20, 30), .minted) && !graph.hasOtherNames(names[2]))
    #expect(names.prefix(2).allSatisfy { graph.hasRecord($0, FileKey(device: 1, inode: 2, born: 1), (20, 30), []) })
  }

  @Test func anIdentityIsGivenToAllNamesOfAFile() {
    var graph = FileGraph.empty
    let names = (0..<3).map { graph.add("\($0)", 2) }
    graph.setContent(names[0], modified: 20, size: 30)
    let uuid = UUIDBits(high: 0, low: 9)
    graph.setUUID(ofFile: names[1], uuid)
    #expect(graph.names(of: names[0]) == [names[1], names[0], names[2]])
    #expect(names.allSatisfy { graph[$0].uuid == uuid && graph.content(of: $0) == (20, 30) })
    #expect(graph.node(with: graph.key(names[2])) == names[1])
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

extension FileGraph {
  fileprivate func hasRecord(
    _ id: NodeID, _ key: FileKey, _ content: (modified: Int64, size: Int64), _ flags: NodeFlags
  ) -> Bool {
    self.key(id) == key && self.content(of: id) == content && self[id].flags.intersection(.ofFile) == flags
  }
}
