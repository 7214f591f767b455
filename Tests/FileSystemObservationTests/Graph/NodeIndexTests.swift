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
      case .crowded: mixed << 56 | .max >> 8 - UInt64(node.index % 5)
      case .equal: 7
      }
    }
  }

  @Test(arguments: Hashes.allCases) func itHoldsWhatWasPutIn(_ hash: Hashes) {
    var index = NodeIndex()
    var there: Set<NodeID> = []
    var generator = SplitMix64(seed: 5)
    for step in 0..<4_000 {
      let node = Self.id(Int.random(in: 0..<600, using: &generator))
      if there.remove(node) != nil {
        index.remove(node, hash(node)) { hash($0) }
      } else {
        if index.isFull { index.grow(below: 600) { (Self.id($0), hash(Self.id($0))) } }
        index.insert(node, hash(node))
        there.insert(node)
      }
      #expect(index.count == there.count)
      if step % 100 == 0 { expect(index, toHold: there, hash) }
    }
  }

  /// Slots of different generations.
  private static func id(_ index: Int) -> NodeID { NodeID(index: index, generation: UInt8(index % 16)) }

  private func expect(_ index: NodeIndex, toHold there: Set<NodeID>, _ hash: Hashes) {
    let found = (0..<600).map(Self.id).filter { id in index.find(hash(id)) { $0 == id } != nil }
    #expect(Set(found) == there)
  }

  @Test func whatIsNotThereIsNotRemoved() {
    var index = NodeIndex()
    index.insert(NodeID(index: 1), 1)
    index.remove(NodeID(index: 0), 1) { _ in 1 }
    #expect(index.count == 1 && index.find(1) { _ in true } == NodeID(index: 1))
  }
}
