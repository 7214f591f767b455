extension UUIDBits {
  /// The UUID that a new file gets: a name-based UUID (RFC 9562, version 5) of file system, inode number and birth
  /// time.
  ///
  /// Being a function of the file and not a dice roll, it is the same whoever computes it and however often: observers
  /// agree without a lock, and a crash between minting and writing costs nothing.
  ///
  /// - Parameters:
  ///   - key: The inode.
  ///   - fileSystem: The identifier of its file system, which unlike the device number survives a restart.
  ///   - avoided: A UUID the file must not bear, for instance because the document that once was this inode has it.
  package static func minted(for key: FileKey, on fileSystem: UInt64, avoiding avoided: UUIDBits? = nil) -> UUIDBits {
    let first = nameBased(fileSystem, key, nil)
    guard let avoided, avoided == first else { return first }
    return nameBased(fileSystem, key, avoided)
  }

  /// The UUID after one that is taken: following it from one to the next never comes back to where it was.
  package static func minted(after taken: UUIDBits, for key: FileKey, on fileSystem: UInt64) -> UUIDBits {
    nameBased(fileSystem, key, taken)
  }

  /// Whether this was minted for an inode, at first or when up to two others were taken.
  package func isMinted(for key: FileKey, on fileSystem: UInt64) -> Bool {
    var minted = Self.minted(for: key, on: fileSystem)
    for _ in 0..<2 where minted != self { minted = Self.minted(after: minted, for: key, on: fileSystem) }
    return minted == self
  }

  /// The name space is the avoided UUID itself, or else a random UUID of this library's own.
  private static func nameBased(_ fileSystem: UInt64, _ key: FileKey, _ avoided: UUIDBits?) -> UUIDBits {
    let space = avoided ?? UUIDBits(high: 0x5f1c_0a36_8f3b_4b53, low: 0x9d0e_7a3b_8d2f_6c41)
    var hash = SHA1()
    hash.append(space.high)
    hash.append(space.low)
    hash.append(fileSystem)
    hash.append(key.inode)
    hash.append(UInt64(bitPattern: key.born))
    let digest = hash.finish()
    return UUIDBits(
      high: digest.high & ~0xf000 | 0x5000,
      low: digest.low & ~(0xc000_0000_0000_0000) | 0x8000_0000_0000_0000)
  }
}

/// SHA-1 (FIPS 180-4) of at most six 64-bit words, which with their padding make one block; without a buffer on the
/// heap.
///
/// It is here because RFC 9562 names it for version 5, not for its strength: a UUID is a name, not a secret.
struct SHA1 {
  /// The five words that make up the digest in the end.
  private struct State {
    var a, b, c, d, e: UInt32

    static let initial = State(a: 0x6745_2301, b: 0xefcd_ab89, c: 0x98ba_dcfe, d: 0x1032_5476, e: 0xc3d2_e1f0)

    @inline(__always)
    mutating func take(_ word: UInt32, _ choice: UInt32, _ constant: UInt32) {
      let next = a.rotatedLeft(by: 5) &+ choice &+ e &+ constant &+ word
      (e, d, c, b, a) = (d, c, b.rotatedLeft(by: 30), a, next)
    }
  }

  /// The block, and then the last sixteen words of what is made of it.
  private var words = InlineArray<16, UInt32>(repeating: 0)
  private var count = 0

  /// Appends eight bytes, most significant first.
  mutating func append(_ word: UInt64) {
    precondition(count < 12, "one block holds six words and the padding")
    words[count] = UInt32(truncatingIfNeeded: word >> 32)
    words[count + 1] = UInt32(truncatingIfNeeded: word)
    count += 2
  }

  /// The first 128 bits of the digest.
  mutating func finish() -> (high: UInt64, low: UInt64) {
    words[count] = 0x8000_0000
    words[15] = UInt32(count * 32)
    let initial = State.initial
    var state = initial
    for index in 0..<20 { state.take(word(index), state.b & state.c | ~state.b & state.d, 0x5a82_7999) }
    for index in 20..<40 { state.take(word(index), state.b ^ state.c ^ state.d, 0x6ed9_eba1) }
    for index in 40..<60 {
      state.take(word(index), state.b & state.c | state.b & state.d | state.c & state.d, 0x8f1b_bcdc)
    }
    for index in 60..<80 { state.take(word(index), state.b ^ state.c ^ state.d, 0xca62_c1d6) }
    return (
      high: UInt64(initial.a &+ state.a) << 32 | UInt64(initial.b &+ state.b),
      low: UInt64(initial.c &+ state.c) << 32 | UInt64(initial.d &+ state.d)
    )
  }

  /// The word of a round; each must be asked for once, in order.
  @inline(__always)
  private mutating func word(_ index: Int) -> UInt32 {
    if index >= 16 {
      let mixed =
        words[(index - 3) & 15] ^ words[(index - 8) & 15] ^ words[(index - 14) & 15] ^ words[index & 15]
      words[index & 15] = mixed.rotatedLeft(by: 1)
    }
    return words[index & 15]
  }
}

extension UInt32 {
  @inline(__always)
  fileprivate func rotatedLeft(by bits: UInt32) -> UInt32 { self << bits | self >> (32 - bits) }
}
