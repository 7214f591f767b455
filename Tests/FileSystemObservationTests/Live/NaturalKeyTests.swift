import FileIdentity
import FileTestSupport
import FoundationEssentials
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Names in the order that people expect, and orders that are total.
struct NaturalKeyTests {
  private func key(_ name: [UInt8]) -> [UInt8] {
    var key: [UInt8] = []
    NaturalKey.append(name[...], to: &key)
    return key
  }

  private func key(_ name: String) -> [UInt8] { key(Array(name.utf8)) }

  @Test(arguments: [
    ["a", "a1", "a2", "a10", "a10b", "a11", "b"],
    ["", " ", "!", "1", "2", "10", "100", "A", "b", "C"],
    ["file 9.txt", "file 10.txt", "file 10a.txt", "file 100.txt"],
    ["1.2", "1.10", "1.10.1", "1.10.2", "2.0"],
    ["Zebra", "zebra 2", "ZEBRA 10"],
    ["x0", "x1", "x00002", "x3"],
    ["ä1", "Ä2", "ä10", "Ö", "ü", "日本 2", "日本 10", "🎈"],
    ["99999999999999999999998", "99999999999999999999999", "100000000000000000000000"],
    ["İ", "ı", "Σ1", "σ2", "я", "Я1"],
  ])
  func namesAreInOrder(_ names: [String]) {
    for (index, name) in names.enumerated() {
      for other in names[(index + 1)...] {
        #expect(key(name).lexicographicallyPrecedes(key(other)), "\(name) before \(other)")
      }
    }
  }

  @Test(arguments: [("a", "A"), ("a1", "A01"), ("0", "000"), ("é", "É"), ("ß", "ß")])
  func theseHaveTheSameKey(_ first: String, _ second: String) { #expect(key(first) == key(second)) }

  @Test func longNumbersAreInOrder() {
    let numbers = [1, 2, 253, 254, 255].map { String(repeating: "7", count: $0) }
    for (first, second) in zip(numbers, numbers.dropFirst()) {
      #expect(key(first).lexicographicallyPrecedes(key(second)))
    }
  }

  @Test func bytesThatAreNotUTF8StandForThemselves() {
    #expect(key([0xff, 0x41]) == [0xff, 0x61, 0])
    #expect(key([0xc3]) == [0xc3, 0])
    // Too long an encoding of a slash, and half of a surrogate pair.
    #expect(key([0xc0, 0xaf]) == [0xc0, 0xaf, 0])
    #expect(key([0xed, 0xa0, 0x80]) == [0xed, 0xa0, 0x80, 0])
  }

  /// No key is the beginning of another, whatever the names.
  @Test func keysAreNoPrefixes() {
    var random = SplitMix64(seed: 1)
    let names = (0..<2_000).map { _ in Self.name(&random) }
    let keys = names.map { key($0) }
    for (first, second) in zip(keys, keys.shuffled(using: &random)) where first != second {
      #expect(!first.starts(with: second) && !second.starts(with: first))
    }
  }

  static func name(_ random: inout SplitMix64) -> [UInt8] {
    let alphabet: [UInt8] = Array("aAbB01290. ".utf8) + [0xc3, 0xa4, 0xff]
    return (0..<Int.random(in: 1...9, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
  }
}

/// Sorting rows.
struct RowOrderingTests {
  private struct World {
    var graph = FileGraph(root: .unseen, uuid: UUIDBits(high: 0, low: 1))
    var random: SplitMix64
    private var directories = [NodeID.root]

    init(seed: UInt64, count: Int) {
      random = SplitMix64(seed: seed)
      for number in 0..<UInt64(count) { add(number) }
    }

    private mutating func add(_ number: UInt64) {
      let name = NaturalKeyTests.name(&random)
      let parent = directories.randomElement(using: &random) ?? .root
      guard graph.node(named: name.span, in: parent) == nil else { return }
      let kind = random.chance(1, of: 4) ? FileKind.directory : .file
      let isLink = kind == .file && random.chance(1, of: 8)
      let uuid = UUIDBits(high: 1, low: isLink ? 7 : number + 10)
      let id = graph.insert(
        FileGraph.Content(
          uuid: uuid, key: .unseen(born: Int64.random(in: 1_000...1_003, using: &random)), kind: kind,
          modified: Int64.random(in: -2...2, using: &random), size: Int64.random(in: 0...3, using: &random)),
        named: name.span, in: parent)
      if kind == .directory { directories.append(id) }
    }

    var ids: [NodeID] {
      var ids: [NodeID] = []
      graph.storage.forEachDescendant(of: .root) { ids.append($0) }
      return ids
    }
  }

  static let orders: [FileSystemItemList.Order] = [
    .name, .name.reversed(), .size, .kind, .creationDate, .modificationDate.reversed(), .name.foldersFirst(),
    .size.reversed().then(.name.reversed()).foldersFirst(), .kind.then(.modificationDate),
    .name { name in name.utf8.reversed() }, .name { _ in [0, 1, 0] }.reversed(),
    .number { Double($0.uuid.15 % 5) - 2 }.reversed(), .text { $0.uuid.15 % 3 == 0 ? nil : "v\($0.uuid.15 % 12)" },
  ]

  /// An order of a graph as a comparison of two entries.
  private func precedes(
    _ first: NodeID, _ second: NodeID, _ ordering: inout RowOrdering, _ graph: FileGraph
  ) -> Bool {
    ordering.begin(second, in: graph)
    return ordering.precedes(first, in: graph)
  }

  @Test(arguments: orders.indices) func sortingGivesTheOrderOfTheComparison(_ index: Int) {
    var world = World(seed: UInt64(index), count: 600)
    var ordering = RowOrdering(Self.orders[index])
    let ids = world.ids
    let sorted = ordering.sort(ids.shuffled(using: &world.random), in: world.graph)
    #expect(sorted.count == ids.count && Set(sorted) == Set(ids))
    #expect(ordering.sort(ids.shuffled(using: &world.random), in: world.graph) == sorted)
    for (first, second) in zip(sorted, sorted.dropFirst()) {
      #expect(precedes(first, second, &ordering, world.graph))
      #expect(!precedes(second, first, &ordering, world.graph))
    }
  }

  @Test func theOrdersSayWhatTheirNamesSay() {
    let world = World(seed: 5, count: 400)
    func sorted(_ order: FileSystemItemList.Order) -> [NodeID] {
      var ordering = RowOrdering(order)
      return ordering.sort(world.ids, in: world.graph)
    }
    func isAscending<Value: Comparable>(_ ids: [NodeID], _ value: (NodeID) -> Value) -> Bool {
      zip(ids, ids.dropFirst()).allSatisfy { value($0) <= value($1) }
    }
    let graph = world.graph
    #expect(isAscending(sorted(.modificationDate)) { graph.content(of: $0).modified })
    #expect(isAscending(sorted(.modificationDate.reversed())) { -graph.content(of: $0).modified })
    #expect(isAscending(sorted(.creationDate)) { graph[$0].born })
    #expect(isAscending(sorted(.size)) { graph[$0].kind == .directory ? 0 : graph.content(of: $0).size })
    #expect(isAscending(sorted(.kind)) { graph[$0].kind == .directory ? 0 : 1 })
    #expect(isAscending(sorted(.name.reversed().foldersFirst())) { graph[$0].kind == .directory ? 0 : 1 })
    #expect(isAscending(sorted(.size.foldersFirst().reversed())) { graph[$0].kind == .directory ? 0 : 1 })
  }

  /// The numbers are in their order, and what has none comes first.
  @Test func numbersOfTheAppAreInTheirOrder() {
    let numbers: [Double?] = [nil, .nan, -.infinity, -1e300, -2.5, -1, -.leastNonzeroMagnitude, -0.0, 0, 0.5, 2, 1e300]
    func rank(_ number: Double?) -> Double { number.map { $0.isNaN ? -.infinity : $0 } ?? -.infinity }
    let world = World(seed: 7, count: 400)
    func number(_ uuid: UUID) -> Double? { numbers[Int(uuid.uuid.15) % numbers.count] }
    let order = FileSystemItemList.Order.number { numbers[Int($0.uuid.15) % numbers.count] }
    for isReversed in [false, true] {
      var ordering = RowOrdering(isReversed ? order.reversed() : order)
      let sorted = ordering.sort(world.ids, in: world.graph).map { number(UUID(world.graph[$0].uuid)) }
      #expect(sorted.count > 300)
      for (first, second) in zip(
        isReversed ? sorted.reversed() : sorted, (isReversed ? sorted.reversed() : sorted).dropFirst())
      {
        #expect(rank(first) <= rank(second))
      }
    }
  }

  @Test func anAppsKeyIsMadeOnceForEachName() {
    let world = World(seed: 6, count: 300)
    let calls = Mutex(0)
    let order = FileSystemItemList.Order.name { name in
      calls.withLock { $0 += 1 }
      return Array(name.utf8)
    }
    var ordering = RowOrdering(order)
    let sorted = ordering.sort(world.ids, in: world.graph)
    for id in sorted { ordering.begin(id, in: world.graph) }
    var reversed = RowOrdering(order.reversed(), after: ordering)
    #expect(reversed.sort(sorted, in: world.graph) != sorted && calls.withLock { $0 } == sorted.count)
    reversed.forget(sorted[0])
    reversed.begin(sorted[0], in: world.graph)
    #expect(calls.withLock { $0 } == sorted.count + 1)
  }

  @Test func ordersAreEqualIfTheyAreTheSame() {
    #expect(FileSystemItemList.Order.name.reversed().reversed() == .name)
    #expect(FileSystemItemList.Order.size.foldersFirst() == .size.foldersFirst().foldersFirst())
    let key = FileSystemItemList.Order.name { Array($0.utf8) }
    #expect(key == key && key != .name { Array($0.utf8) })
    #expect(Set([key, key.reversed(), .name, .name]).count == 3)
  }
}
