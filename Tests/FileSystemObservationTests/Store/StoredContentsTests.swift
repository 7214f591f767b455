import FileIdentity
import FileTestSupport
import LinuxFileSystem
import TestTraits
import Testing

@testable import FileSystemObservation

/// Digests in a store.
struct StoredContentsTests {
  private var worked = WorkedGraph()
  private let store = MemoryStore()

  private static func digest(_ number: Int) -> ContentDigest { ContentDigest(words: (UInt64(number), 1, 2, 3)) }

  /// A graph with files, and a digest of each.
  private mutating func knownFiles(_ count: Int) -> (known: KnownContents, ids: [NodeID]) {
    var known = KnownContents(sizes: 0 ... .max)
    let ids = (0..<count).map { worked.make(.file, at: worked.place("file \($0)")) }
    for (number, id) in ids.enumerated() { known.set(Self.digest(number), of: id, in: worked.graph) }
    return (known, ids)
  }

  private func write(_ picture: ContentPicture?) throws {
    try store.write { try StoredContents.write(picture, picture?.changed ?? ChangeMarks(), to: $0) }
  }

  private func load() throws -> KnownContents {
    var known = KnownContents(sizes: 0 ... .max)
    try store.read { reading in
      try reading.forEachChunk(.contents) { chunk in
        StoredContents.load(chunk, into: &known, of: worked.graph, stored: worked.graph.storage)
      }
    }
    return known
  }

  @Test mutating func whatIsLoadedIsWhatWasWritten() throws {
    var (known, ids) = knownFiles(1_000)
    try write(known.takePicture())
    let loaded = try load()
    #expect(loaded.count == 1_000)
    for (number, id) in ids.enumerated() { #expect(loaded.digest(of: id, in: worked.graph) == Self.digest(number)) }
    // What the documentation says of the size.
    #expect(store.contents.bytesWritten <= 1_000 * 42)
  }

  @Test mutating func oneNewDigestIsWrittenInOnePage() throws {
    var (known, ids) = knownFiles(1_000)
    try write(known.takePicture())
    let size = store.contents.bytesWritten
    known.set(Self.digest(-1 & 0xffff), of: ids[500], in: worked.graph)
    try write(known.takePicture())
    #expect(store.contents.bytesWritten - size < 128 * 42)
    #expect(try load().digest(of: ids[500], in: worked.graph) == Self.digest(0xffff))
    try write(known.takePicture())
    #expect(store.contents.bytesWritten - size < 128 * 42)
  }

  @Test mutating func aDigestOfAnotherContentIsLeftOut() throws {
    var (known, ids) = knownFiles(3)
    try write(known.takePicture())
    worked.modify(ids[1], size: 4_000)
    worked.delete(ids[2])
    _ = worked.takeLog()
    let loaded = try load()
    #expect(loaded.count == 1 && loaded.digest(of: ids[0], in: worked.graph) == Self.digest(0))
  }

  @Test mutating func whatCannotBeReadIsNotStored() throws {
    var (known, ids) = knownFiles(2)
    known.set(nil, of: ids[0], in: worked.graph)
    try write(known.takePicture())
    #expect(try load().count == 1)
  }

  @Test mutating func withoutEvidenceNoDigestStays() throws {
    var (known, _) = knownFiles(300)
    try write(known.takePicture())
    #expect(store.contents.chunks[.contents]?.count == 3)
    try write(nil)
    #expect(store.contents.chunks[.contents] ?? [:] == [:])
  }

  /// Damage costs the digests of a page, and never the tree.
  @Test mutating func aDamagedPageIsLeftOut() throws {
    var (known, ids) = knownFiles(200)
    try write(known.takePicture())
    let whole = try #require(store.contents.chunks[.contents]?[0])
    var random = SplitMix64(seed: 4)
    for index in stride(from: 0, to: whole.count, by: 97) {
      var damaged = whole
      damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      store.contents.chunks[.contents]?[0] = damaged
      let loaded = try load()
      #expect(loaded.digest(of: ids[0], in: worked.graph) == nil)
      #expect(loaded.digest(of: ids[199], in: worked.graph) == Self.digest(199))
    }
    for count in [0, 1, 7, 8, 9, 30, 49, 50, whole.count - 1] {
      store.contents.chunks[.contents]?[0] = Array(whole[..<count])
      #expect(try load().digest(of: ids[199], in: worked.graph) == Self.digest(199))
    }
  }
}
