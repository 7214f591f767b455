import Testing

@testable import FileIdentity

/// The expected values are those of Python's `hashlib` and `uuid`.
struct MintedUUIDTests {
  private static let key = FileKey(device: 64, inode: 1_330_177, born: 1_700_000_000_123_456_789)
  private static let fileSystem: UInt64 = 0x1122_3344_5566_7788
  private static let expected = UUIDBits(high: 0x8075_c88f_f44b_57c2, low: 0xb3f2_e3a1_d7e8_4e13)

  @Test(
    arguments: [
      ([], 0xda39_a3ee_5e6b_4b0d, 0x3255_bfef_9560_1890),
      ([0], 0x05fe_4057_5316_6f12, 0x5559_e7c9_ac55_8654),
      ([0x0123_4567_89ab_cdef], 0x0ca2_eadb_529a_c2e6, 0x3abf_9b4a_e3df_8ee1),
      ([1, 2, 3, 4, 5], 0x6c8c_c26a_9108_f543, 0x1761_7df2_eaf3_c941),
      ([UInt64](repeating: .max, count: 6), 0x989f_bd16_297e_f75e, 0x5a9d_5c63_f709_6c99),
    ] as [([UInt64], UInt64, UInt64)])
  func hashIsSHA1(_ words: [UInt64], _ high: UInt64, _ low: UInt64) {
    var hash = SHA1()
    for word in words { hash.append(word) }
    let digest = hash.finish()
    #expect(digest.high == high)
    #expect(digest.low == low)
  }

  @Test func isTheNameBasedUUIDOfTheFile() {
    #expect(UUIDBits.minted(for: Self.key, on: Self.fileSystem) == Self.expected)
    let extreme = FileKey(device: 0, inode: .max, born: -1)
    #expect(
      UUIDBits.minted(for: extreme, on: 0xffff_ffff_ffff_ffff).description == "675e6acf-34a9-5b7f-b18c-5cdbc7959a8b")
  }

  @Test func theUUIDToAvoidGivesTheNameBasedUUIDOfItself() {
    let other = UUIDBits.minted(for: Self.key, on: Self.fileSystem, avoiding: Self.expected)
    #expect(other.description == "d2ee0254-111f-5fc3-97c6-d6b8a5868d06")
    #expect(UUIDBits.minted(for: Self.key, on: Self.fileSystem, avoiding: Self.expected) == other)
    // Any other UUID need not be avoided.
    #expect(UUIDBits.minted(for: Self.key, on: Self.fileSystem, avoiding: other) == Self.expected)
  }

  /// The device number changes with a restart, the identifier of the file system does not.
  @Test func theDeviceNumberDoesNotMatter() {
    var moved = Self.key
    moved.device = 65
    #expect(UUIDBits.minted(for: moved, on: Self.fileSystem) == Self.expected)
  }

  @Test func everyPartOfTheIdentityMatters() {
    var minted: Set<UUIDBits> = []
    for step in 0..<1000 as Range<UInt64> {
      var (inode, born) = (Self.key, Self.key)
      inode.inode += step
      born.born -= Int64(step)
      minted.insert(.minted(for: inode, on: Self.fileSystem))
      minted.insert(.minted(for: born, on: Self.fileSystem))
      minted.insert(.minted(for: Self.key, on: Self.fileSystem + step))
    }
    #expect(minted.count == 2998, "the three series have only their beginning in common")
    #expect(minted.allSatisfy { $0.high >> 12 & 0xf == 5 && $0.low >> 62 == 0b10 }, "version 5, RFC 9562")
  }
}
