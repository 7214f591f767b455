import FileTestSupport
import Testing

@testable import FileSystemObservation

/// What the first scan tells, put in order.
struct FirstInventoryTests {
  private func inventory(_ order: [UInt32], _ originals: [UInt32: UInt32] = [:]) -> FirstInventory {
    var inventory = FirstInventory(storage: GraphStorage(), order: [], originals: [:], furtherNames: [])
    inventory.order = order.map(NodeID.init)
    for (copy, original) in originals { inventory.originals[NodeID(copy)] = NodeID(original) }
    return inventory
  }

  private func original(_ copy: UInt32, _ inventory: FirstInventory) -> UInt32? {
    inventory.originals[NodeID(copy)]?.rawValue
  }

  @Test func aCopyOfACopyIsACopyOfTheOriginal() {
    var inventory = inventory([], [1: 2, 2: 3, 3: 4, 7: 3, 9: 8])
    inventory.settle()
    #expect([1, 2, 3, 7, 9].map { original($0, inventory) } == [4, 4, 4, 4, 8])
  }

  @Test func thoseThatAreCopiesOfEachOtherEnd() {
    var inventory = inventory([], [1: 2, 2: 1, 3: 1])
    inventory.settle()
    #expect(inventory.originals.count == 3)
  }

  /// tmpfs lists the newest first: each file found was older than all before it.
  @Test func aLongChainOfCopiesIsGoneThroughOnce() {
    let growth = Growth.ofFourfold(1_000) { count in
      var inventory = inventory([])
      for number in 0..<UInt32(count) { inventory.originals[NodeID(number)] = NodeID(number + 1) }
      inventory.settle()
      #expect(inventory.originals.values.allSatisfy { $0 == NodeID(UInt32(count)) })
    }
    #expect(growth < Growth.linear)
  }

  @Test func whatWasRenamedMeanwhileIsToldWhereItIs() {
    var inventory = inventory([1, 2, 3, 1, 4, 1])
    inventory.renamed = [NodeID(1)]
    inventory.settle()
    #expect(inventory.order.map(\.rawValue) == [2, 3, 4, 1])
  }
}
