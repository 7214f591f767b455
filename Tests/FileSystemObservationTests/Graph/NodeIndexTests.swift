import FileTestSupport
import Testing

@testable import FileSystemObservation

/// The table of node numbers, held against a set.
struct NodeIndexTests {
  /// How alike the hashes are: many nodes in one place, many with one byte, or neither.
  enum Hashes: CaseIterable, Sendable {
    case spread, crowded, equal

    func callAsFunction(_ node: NodeID) -> UInt64 {
      let mixed = KeyedHash.mixed(UInt64(node.rawValue))
      return switch self {
      case .spread: mixed
      // Few places, at the end of every table, so that it is wrapped around.
      case .crowded: mixed << 56 | .max >> 8 - UInt64(node.rawValue % 5)
      case .equal: 7
      }
    }
  }

  @Test(arguments: Hashes.allCases) func itHoldsWhatWasPutIn(_ hash: Hashes) {
    var index = NodeIndex()
    var there: Set<UInt32> = []
    var generator = SplitMix64(seed: 5)
    for step in 0..<4_000 {
      let node = NodeID(UInt32.random(in: 0..<600, using: &generator))
      if there.remove(node.rawValue) != nil {
        index.remove(node, hash(node)) { hash($0) }
      } else {
        if index.isFull { index.grow(below: 600) { hash($0) } }
        index.insert(node, hash(node))
        there.insert(node.rawValue)
      }
      #expect(index.count == there.count)
      if step % 100 == 0 { expect(index, toHold: there, hash) }
    }
  }

  private func expect(_ index: NodeIndex, toHold there: Set<UInt32>, _ hash: Hashes) {
    let found = (0..<600 as Range<UInt32>).filter { number in
      index.find(hash(NodeID(number))) { $0.rawValue == number } != nil
    }
    #expect(Set(found) == there)
  }

  @Test func whatIsNotThereIsNotRemoved() {
    var index = NodeIndex()
    index.insert(NodeID(1), 1)
    index.remove(NodeID(0), 1) { _ in 1 }
    #expect(index.count == 1 && index.find(1) { _ in true } == NodeID(1))
  }
}
