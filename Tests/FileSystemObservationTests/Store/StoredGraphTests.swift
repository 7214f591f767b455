import FileIdentity
import FileTestSupport
import FoundationEssentials
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Graphs written to a store, page by page and in patches, and loaded again.
struct StoredGraphTests {
  /// Writes a picture with its head.
  private static func write(
    _ picture: GraphPicture, _ layout: inout StoredLayout, to store: MemoryStore
  ) throws {
    var written = layout
    try store.write { transaction in
      try written.write(picture, to: transaction)
      try transaction.put(head: head(picture, written).bytes)
    }
    layout = written
  }

  private static func head(_ picture: GraphPicture, _ layout: StoredLayout) -> StoredHead {
    StoredHead(
      number: picture.sequence, date: 1, nodeCount: picture.storage.nodes.count, digest: layout.digest,
      devices: picture.storage.devices.map { StoredHead.Device(number: $0, identity: 0) },
      runs: [StoredHead.Run(epoch: 7, base: 0)], directory: Array("/T".utf8))
  }

  private static func load(_ store: MemoryStore) throws -> StoredTree? {
    try store.read { try StoredTree.load(from: $0) }
  }

  /// All that a store keeps of an entry.
  private static func entries(_ storage: GraphStorage) -> [String] {
    (0..<storage.nodes.count).map { index in
      let node = storage.nodes[index]
      let id = storage.id(at: index)
      let name = node.flags.contains(.live) ? storage.name(id).description : ""
      return "\(node) \(name) \(storage.devices[Int(node.device)])"
    }
  }

  @Test(arguments: 0..<6) func whatIsLoadedIsWhatWasWrittenLast(_ seed: Int) throws {
    var world = RandomGraph(seed: UInt64(seed))
    let store = MemoryStore()
    // Small patches are merged into the pages soon.
    var layout = StoredLayout(smallPatches: seed % 2 == 0 ? 2_000 : 1 << 20)
    for sequence in 1...40 as ClosedRange<UInt64> {
      _ = world.takeLog(of: 5)
      let picture = world.takePicture(sequence)
      try Self.write(picture, &layout, to: store)
      let loaded = try #require(try Self.load(store))
      #expect(loaded.head.number == sequence)
      #expect(Self.entries(loaded.storage) == Self.entries(picture.storage))
      // The next ones go on from what was loaded.
      if sequence % 7 == 0 { layout = loaded.layout }
    }
    let graph = try FileGraph(stored: try #require(try Self.load(store)).storage)
    #expect(FileSystemTree(FileSystemSnapshot(graph.storage, sequence: 0, directory: "/T")) == world.worked.tree)
    for id in world.worked.nodes {
      #expect(graph.node(at: graph.place(id)) == id)
      #expect(graph.node(with: graph[id].uuid) == world.worked.graph.node(with: graph[id].uuid))
    }
  }

  @Test func oneChangeInALargeTreeIsWrittenInAFewBytes() throws {
    var worked = WorkedGraph()
    for number in 0..<5_000 { worked.make(.file, at: worked.place("file \(number)")) }
    _ = worked.takeLog()
    let store = MemoryStore()
    var layout = StoredLayout()
    try Self.write(worked.takePicture(1), &layout, to: store)
    let size = store.contents.bytesWritten
    #expect(size < 5_000 * 100)
    worked.modify(worked.node("file 4000"), size: 3)
    worked.move(worked.node("file 77"), to: worked.place("another name"))
    _ = worked.takeLog()
    try Self.write(worked.takePicture(2), &layout, to: store)
    #expect(store.contents.bytesWritten - size < 1_000)
    #expect(layout.count(.patch) == 1)
    try Self.write(worked.takePicture(3), &layout, to: store)
    #expect(layout.count(.patch) == 1)
  }

  @Test func compactedNamesAreWrittenAnew() throws {
    var worked = WorkedGraph()
    let long = String(repeating: "long ", count: 40)
    for number in 0..<12_000 { worked.make(.file, at: worked.place("\(long)\(number)")) }
    _ = worked.takeLog()
    let store = MemoryStore()
    var layout = StoredLayout()
    try Self.write(worked.takePicture(1), &layout, to: store)
    for number in 0..<7_000 { worked.delete(worked.node("\(long)\(number)")) }
    _ = worked.takeLog()
    #expect(worked.graph.storage.names.generation == 1)
    let picture = worked.takePicture(2)
    try Self.write(picture, &layout, to: store)
    let loaded = try #require(try Self.load(store))
    #expect(Self.entries(loaded.storage) == Self.entries(picture.storage))
    #expect(layout.count(.patch) == 0)
  }

  // MARK: - Damage

  /// A store of a small tree, with a page of entries, one of names, and a patch.
  private func smallStore() throws -> MemoryStore {
    var world = RandomGraph(seed: 3)
    let store = MemoryStore()
    var layout = StoredLayout()
    for sequence in 1...2 as ClosedRange<UInt64> {
      _ = world.takeLog(of: 6)
      try Self.write(world.takePicture(sequence), &layout, to: store)
    }
    #expect(layout.count(.patch) == 1)
    return store
  }

  @Test func eachFlippedBitIsFound() throws {
    let store = try smallStore()
    let whole = store.contents
    var random = SplitMix64(seed: 5)
    for kind in StoredChunk.Kind.ofTree {
      let bytes = try #require(whole.chunks[kind]?[0])
      for index in bytes.indices {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        store.contents.chunks[kind]?[0] = damaged
        #expect(throws: StoredDataError.self) { try Self.load(store) }
      }
      store.contents = whole
    }
    let head = try #require(whole.head)
    for index in head.indices {
      var damaged = head
      damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      store.contents.head = damaged
      #expect(throws: StoredDataError.self) { try Self.load(store) }
    }
  }

  @Test func whatIsCutOffIsFound() throws {
    let store = try smallStore()
    let whole = store.contents
    for kind in StoredChunk.Kind.ofTree {
      let bytes = try #require(whole.chunks[kind]?[0])
      for count in bytes.indices {
        store.contents.chunks[kind]?[0] = Array(bytes[..<count])
        #expect(throws: StoredDataError.self) { try Self.load(store) }
      }
      store.contents.chunks[kind] = [:]
      #expect(throws: StoredDataError.self) { try Self.load(store) }
      store.contents = whole
    }
    let head = try #require(whole.head)
    for count in head.indices {
      store.contents.head = Array(head[..<count])
      #expect(throws: StoredDataError.self) { try Self.load(store) }
    }
  }

  @Test func aChunkOfAnotherMomentIsFound() throws {
    var world = RandomGraph(seed: 9)
    let store = MemoryStore()
    var layout = StoredLayout(smallPatches: 0)
    _ = world.takeLog(of: 6)
    try Self.write(world.takePicture(1), &layout, to: store)
    let before = store.contents
    _ = world.takeLog(of: 6)
    try Self.write(world.takePicture(2), &layout, to: store)
    for kind in [StoredChunk.Kind.nodes, .names] where store.contents.chunks[kind] != before.chunks[kind] {
      let after = store.contents
      store.contents.chunks[kind] = before.chunks[kind]
      #expect(throws: StoredDataError.self) { try Self.load(store) }
      store.contents = after
    }
  }

  /// Entries with anything in them, and right checksums: what is taken for a tree is one.
  @Test(arguments: 0..<4) func anythingThatIsLoadedIsATree(_ part: Int) throws {
    var random = SplitMix64(seed: UInt64(part))
    var (taken, refused) = (0, 0)
    for round in 0..<300 {
      var world = RandomGraph(seed: UInt64(part * 1_000 + round % 20))
      var picture = world.takePicture(1)
      for _ in 0..<Int.random(in: 1...2, using: &random) { Self.damage(&picture.storage, &random) }
      do throws(StoredDataError) {
        try GraphCheck(picture.storage).check()
        let graph = try FileGraph(stored: picture.storage)
        var count = 0
        graph.storage.forEachDescendant(of: .root) { id in
          count += 1
          #expect(graph.node(at: graph.place(id)) == id)
          #expect(graph.names(of: id).contains(id))
        }
        #expect(count == graph.count)
        taken += 1
      } catch {
        refused += 1
      }
    }
    #expect(taken > 20 && refused > 100)
  }

  /// Changes one value of one entry.
  private static func damage(_ storage: inout GraphStorage, _ random: inout SplitMix64) {
    let index = Int.random(in: 0..<storage.nodes.count, using: &random)
    let other = UInt32.random(in: 0...UInt32(storage.nodes.count + 1), using: &random) << 4
    let link = random.chance(1, of: 4) ? UInt32.random(in: 0 ... .max, using: &random) : other
    switch Int.random(in: 0..<13, using: &random) {
    case 0: storage.nodes[index].parent = NodeID(rawValue: link)
    case 1: storage.nodes[index].firstChild = link
    case 2: storage.nodes[index].nextSibling = link
    case 3: storage.nodes[index].previousSibling = link
    case 4: storage.nodes[index].nextName = link
    case 5: storage.nodes[index].nameOffset = random.chance(1, of: 2) ? link >> 4 : link
    case 6: storage.nodes[index].nameCount = UInt16.random(in: 0...300, using: &random)
    case 7: storage.nodes[index].device = UInt16.random(in: 0...2, using: &random)
    case 8: storage.nodes[index].flags = NodeFlags(rawValue: UInt16.random(in: 0 ... .max, using: &random))
    case 9: storage.nodes[index].kind = FileKind(rawValue: UInt8.random(in: 0...3, using: &random)) ?? .file
    case 10: storage.nodes[index].generation = UInt8.random(in: 0...20, using: &random)
    case 11: storage.nodes[index].uuid = storage.nodes[Int(other >> 4) % storage.nodes.count].uuid
    default: storage.nodes[index].size = Int64.random(in: 0...5, using: &random)
    }
  }

  @Test func namesThatNoDirectoryHasAreRefused() throws {
    for name in ["a/b", "..", ".", "a\0b"] {
      var graph = FileGraph(root: FileKey(device: 1, inode: 1, born: 0), uuid: UUIDBits(high: 0, low: 1))
      let content = FileGraph.Content(
        uuid: UUIDBits(high: 0, low: 2), key: FileKey(device: 1, inode: 2, born: 0), kind: .file, modified: 0, size: 0)
      graph.insert(content, named: Array(name.utf8).span, in: .root)
      #expect(throws: StoredDataError.self) { try GraphCheck(graph.storage).check() }
    }
  }
}
