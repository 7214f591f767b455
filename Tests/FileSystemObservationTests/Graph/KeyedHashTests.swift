import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Names and tags that were made to collide: the table of nodes stays a table, and does not become a list.
struct KeyedHashTests {
  private static let count = 4_096

  /// What hashes were made of before: known constants, and a secret number to begin with.
  private struct Former {
    let seed: UInt64

    func callAsFunction(_ name: [UInt8]) -> UInt64 {
      var value = seed ^ UInt64(name.count)
      for start in stride(from: 0, to: name.count, by: 8) {
        let word = (0..<8).reduce(UInt64(0)) { $0 | UInt64(name[start + $1]) << UInt64(8 * $1) }
        let product = (value ^ word) &* 0x9e37_79b9_7f4a_7c15
        value = product ^ product >> 32
      }
      return KeyedHash.mixed(value)
    }

    func callAsFunction(_ uuid: UUIDBits) -> UInt64 { KeyedHash.mixed(uuid.high ^ uuid.low &* 31 ^ seed) }
  }

  /// Names of 248 bytes in which a difference in one word is cancelled by that in the next: the upper bit of a number
  /// stays alone when it is multiplied.
  private static let names: [[UInt8]] = (0..<count).map { number in
    var name = [UInt8](repeating: UInt8(ascii: "a"), count: 248)
    for bit in 0..<12 where number >> bit & 1 == 1 {
      let word = bit * 16
      name[word + 7] ^= 0x80
      name[word + 8 + 7] ^= 0x80
      name[word + 8 + 3] ^= 0x80
    }
    return name
  }

  private static let tags: [UUIDBits] = (0..<count).map { number in
    UUIDBits(high: UInt64(number) &* 31, low: UInt64(number))
  }

  @Test func theyDidCollideWhateverTheSecretWas() {
    for seed: UInt64 in [1, 0x1234_5678_9abc_def0] {
      let former = Former(seed: seed)
      #expect(Set(Self.names.map { former($0) }).count == 1 && Set(Self.names).count == Self.count)
      #expect(Set(Self.tags.map { former($0) }).count == 1 && Set(Self.tags).count == Self.count)
    }
  }

  @Test(arguments: [0, 1, 2, 0xffff_ffff_ffff_ffff] as [UInt64])
  func aNameThatWasMadeToCollideIsFoundWithoutAnother(_ seed: UInt64) {
    let hashing = KeyedHash(seed: seed)
    let hashes = Self.names.map { hashing($0.span, in: .root) }
    expectFewComparisons(hashes)
  }

  @Test(arguments: [0, 1, 2, 0xffff_ffff_ffff_ffff] as [UInt64])
  func aTagThatWasMadeToCollideIsFoundWithoutAnother(_ seed: UInt64) {
    let hashing = KeyedHash(seed: seed)
    expectFewComparisons(Self.tags.map { hashing($0) })
  }

  /// A FUSE file system chooses the numbers of its inodes.
  @Test(arguments: [0x1_0000, 1 << 32, 1 << 48, 1 << 52] as [UInt64])
  func anInodeInALongStrideIsFoundWithoutAnother(_ stride: UInt64) {
    let hashing = KeyedHash(seed: .random(in: 0 ... .max))
    expectFewComparisons((0..<UInt64(Self.count)).map { hashing(inode: $0 &* stride, on: 7) })
  }

  /// Lets each be looked for in a table of all.
  private func expectFewComparisons(_ hashes: [UInt64], sourceLocation: SourceLocation = #_sourceLocation) {
    var index = NodeIndex()
    for (number, hash) in hashes.enumerated() {
      if index.isFull { index.grow(below: hashes.count) { (NodeID(index: $0), hashes[$0]) } }
      index.insert(NodeID(index: number), hash)
    }
    var comparisons = 0
    for (number, hash) in hashes.enumerated() {
      let found = index.find(hash) {
        comparisons += 1
        return $0.index == number
      }
      #expect(found?.index == number, sourceLocation: sourceLocation)
    }
    // By chance one in thirty is compared with another: both have one byte of their hashes in one bucket.
    #expect(comparisons < 2 * hashes.count, sourceLocation: sourceLocation)
  }

  /// What is in a name counts, wherever it is, and so does its length.
  @Test func eachByteCounts() {
    let hashing = KeyedHash(seed: 3)
    for count in 0...40 {
      let name = [UInt8](repeating: 0x61, count: count)
      var hashes: Set = [hashing(name.span, in: .root), hashing((name + [0]).span, in: .root)]
      hashes.insert(hashing(name.span, in: NodeID(index: 1)))
      for position in name.indices {
        var other = name
        other[position] = 0xe1
        hashes.insert(hashing(other.span, in: .root))
      }
      #expect(hashes.count == 3 + count)
    }
  }
}
