import FileTestSupport
import TestTraits
import Testing

@testable import FileSystemObservation

/// Rows in chunks, beside a plain array.
@Suite(.busy) struct RowStoreTests {
  /// Rows are ordered by their numbers, some of which are missing.
  private struct Pair {
    var store: RowStore
    var plain: [UInt32]

    init(_ count: UInt32) {
      plain = (0..<count).map { $0 * 3 }
      store = RowStore(plain.map(Self.id))
    }

    static func id(_ number: UInt32) -> NodeID { NodeID(index: Int(number)) }

    mutating func insert(_ number: UInt32) {
      guard !store.contains(Self.id(number)) else { return }
      store.insert(Self.id(number)) { $0.index < number }
      plain.insert(number, at: plain.firstIndex { $0 > number } ?? plain.count)
    }

    mutating func remove(_ number: UInt32) {
      store.remove(Self.id(number))
      plain.removeAll { $0 == number }
    }

    func check() {
      #expect(store.count == plain.count && store.all.map { UInt32($0.index) } == plain)
      #expect(plain.indices.allSatisfy { store[$0].index == plain[$0] })
      #expect(plain.enumerated().allSatisfy { store.index(of: Self.id($1)) == $0 })
    }
  }

  @Test(arguments: [0, 1, 255, 256, 257, 3_000]) func randomChangesGiveTheSameRows(_ count: UInt32) {
    var random = SplitMix64(seed: UInt64(count))
    var pair = Pair(count)
    pair.check()
    for round in 0..<40 {
      let isGrowing = round % 20 < 10
      for _ in 0..<100 {
        let number = UInt32.random(in: 0..<max(600, count * 3 + 100), using: &random)
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
    #expect(pair.store.index(of: NodeID(index: 3)) == nil && !pair.store.contains(NodeID(index: 3)))
    for number in 0..<700 as Range<UInt32> { pair.insert(number) }
    pair.store.reindex()
    pair.check()
  }
}
