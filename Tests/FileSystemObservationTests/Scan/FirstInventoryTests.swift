import FileTestSupport
import Testing

@testable import FileSystemObservation

/// What the first scan tells, put in order.
struct FirstInventoryTests {
  private static func id(_ number: UInt32) -> NodeID { NodeID(index: Int(number)) }

  private func inventory(_ order: [UInt32], _ originals: [UInt32: UInt32] = [:]) -> FirstInventory {
    var inventory = FirstInventory(storage: GraphStorage(), order: [], originals: [:], furtherNames: [])
    inventory.order = order.map(Self.id)
    for (copy, original) in originals { inventory.originals[Self.id(copy)] = Self.id(original) }
    return inventory
  }

  private func original(_ copy: UInt32, _ inventory: FirstInventory) -> UInt32? {
    inventory.originals[Self.id(copy)].map { UInt32($0.index) }
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
      for number in 0..<UInt32(count) { inventory.originals[Self.id(number)] = Self.id(number + 1) }
      inventory.settle()
      #expect(inventory.originals.values.allSatisfy { $0 == Self.id(UInt32(count)) })
    }
    #expect(growth < Growth.linear)
  }

  @Test func whatWasRenamedMeanwhileIsToldWhereItIs() {
    var inventory = inventory([1, 2, 3, 1, 4, 1])
    inventory.renamed = [NodeID(index: 1)]
    inventory.settle()
    #expect(inventory.order.map(\.index) == [2, 3, 4, 1])
  }
}
