import FileTestSupport
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Values by place, kept by directory.
struct PlaceTableTests {
  private static func place(_ parent: Int, _ name: String) -> Place {
    Place(parent: NodeID(index: parent), name: FileName(name))
  }

  @Test func placesAreKeptByDirectory() {
    var table = PlaceTable<Int>()
    for name in ["c", "a", "b"] { table[Self.place(1, name)] = 1 }
    table[Self.place(2, "a")] = 2
    #expect(table.count == 4 && table.places(in: NodeID(index: 1)).map(\.name.description) == ["a", "b", "c"])
    table[Self.place(1, "a")] = nil
    #expect(table.removeValue(forKey: Self.place(1, "b")) == 1 && table[Self.place(1, "b")] == nil)
    #expect(table.removeValue(forKey: Self.place(1, "b")) == nil && table.count == 2)
    table[Self.place(3, "x")] = nil
    table.removeAll(in: NodeID(index: 1))
    #expect(table.keys == [Self.place(2, "a")] && table.count == 1 && !table.hasPlaces(in: NodeID(index: 1)))
  }

  @Test func aValueIsChangedInPlace() {
    var table = PlaceTable<Int>()
    table[Self.place(1, "a")] = 1
    table.update(Self.place(1, "a")) { $0 += 1 }
    table.update(Self.place(1, "b")) { $0 += 1 }
    table.update(Self.place(2, "a")) { $0 += 1 }
    table[Self.place(1, "a")]? += 1
    table[Self.place(2, "b")]? += 1
    #expect(table[Self.place(1, "a")] == 3 && table.keys == [Self.place(1, "a")] && table.count == 1)
  }

  /// Values come, change and go at random; what the table says is held against a dictionary.
  @Test(arguments: [1, 2, 3] as [UInt64]) func theTableIsWhatADictionarySays(_ seed: UInt64) throws {
    var (table, expected) = (PlaceTable<Int>(), [Place: Int]())
    var random = SplitMix64(seed: seed)
    for step in 0..<1_000 {
      let place = Self.place(Int.random(in: 1...3, using: &random), "n\(Int.random(in: 0..<5, using: &random))")
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        table.removeAll(in: place.parent)
        expected = expected.filter { $0.key.parent != place.parent }
      case 1...3: try #require(table.removeValue(forKey: place) == expected.removeValue(forKey: place))
      case 4: (table[place], expected[place]) = (nil, nil)
      default: (table[place], expected[place]) = (step, step)
      }
      try #require(table.count == expected.count && table.isEmpty == expected.isEmpty)
      try #require(Set(table.keys) == Set(expected.keys) && table[place] == expected[place])
      try #require(Set(table.places(in: place.parent)) == Set(expected.keys.filter { $0.parent == place.parent }))
      try #require(table.hasPlaces(in: place.parent) == expected.keys.contains { $0.parent == place.parent })
    }
  }

  @Test func aSetHasAPlaceOnce() {
    var set = PlaceSet()
    for name in ["a", "b", "a"] { set.insert(Self.place(1, name)) }
    #expect(set.count == 2 && set.contains(Self.place(1, "a")) && !set.contains(Self.place(2, "a")))
    #expect(set.remove(Self.place(1, "a")) && !set.remove(Self.place(1, "a")))
    set.removeAll(in: NodeID(index: 1))
    #expect(set.isEmpty && set.places == [])
  }
}
