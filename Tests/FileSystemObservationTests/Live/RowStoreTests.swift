import FileIdentity
import FileTestSupport
import LinuxFileSystem
import TestTraits
import Testing

@testable import FileSystemObservation

/// Rows in chunks, beside a plain array.
@Suite(.busy) struct RowStoreTests {
  /// Rows are ordered by their names, which are numbers; some numbers are missing.
  private struct Pair {
    var store: RowStore
    var plain: [UInt32]
    private var graph = FileGraph(root: FileKey(device: 1, inode: 1, born: 1), uuid: UUIDBits(high: 0, low: 1))
    private var ids: [NodeID] = []
    private var ordering = RowOrdering(.name)

    /// The numbers that may be rows are below this.
    static func limit(_ count: UInt32) -> UInt32 { max(700, count * 3 + 100) }

    init(_ count: UInt32) {
      for number in 0..<Self.limit(count) {
        let content = FileGraph.Content(
          uuid: UUIDBits(high: 1, low: UInt64(number)), key: FileKey(device: 1, inode: 2 + UInt64(number), born: 1),
          kind: .file, modified: 0, size: 0, flags: [])
        ids.append(graph.insert(content, named: FileName("\(number)").span, in: .root))
      }
      plain = (0..<count).map { $0 * 3 }
      store = RowStore(plain.map { [ids] in ids[Int($0)] })
    }

    func id(_ number: UInt32) -> NodeID { ids[Int(number)] }

    mutating func insert(_ number: UInt32) {
      let id = id(number)
      guard !store.contains(id) else { return }
      ordering.begin(id, in: graph)
      store.insert(id, by: &ordering, in: graph)
      plain.insert(number, at: plain.firstIndex { $0 > number } ?? plain.count)
    }

    mutating func remove(_ number: UInt32) {
      store.remove(id(number))
      plain.removeAll { $0 == number }
    }

    func check() {
      #expect(store.count == plain.count && store.all == plain.map(id))
      #expect(plain.indices.allSatisfy { store[$0] == id(plain[$0]) })
      #expect(plain.enumerated().allSatisfy { store.index(of: id($1)) == $0 })
    }
  }

  @Test(arguments: [0, 1, 255, 256, 257, 3_000]) func randomChangesGiveTheSameRows(_ count: UInt32) {
    var random = SplitMix64(seed: UInt64(count))
    var pair = Pair(count)
    pair.check()
    for round in 0..<40 {
      let isGrowing = round % 20 < 10
      for _ in 0..<100 {
        let number = UInt32.random(in: 0..<Pair.limit(count), using: &random)
        if random.chance(isGrowing ? 3 : 1, of: 4) { pair.insert(number) } else { pair.remove(number) }
      }
      pair.store.reindex()
      pair.check()
    }
  }

  @Test func allRowsMayGo() {
    var pair = Pair(1_000)
    for number in pair.plain { pair.remove(number) }
    pair.store.reindex()
    pair.check()
    #expect(pair.store.index(of: pair.id(3)) == nil && !pair.store.contains(pair.id(3)))
    for number in 0..<700 as Range<UInt32> { pair.insert(number) }
    pair.store.reindex()
    pair.check()
  }
}
