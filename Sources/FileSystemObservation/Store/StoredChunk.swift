/// A part of a stored graph, with a checksum in its first eight bytes.
package struct StoredChunk: Sendable {
  /// What a chunk holds; the numbers are those in files.
  package enum Kind: Int, CaseIterable, Sendable {
    /// A page of entries.
    case nodes = 0
    /// A page of names.
    case names = 1
    /// Entries and names that have changed since the pages were written.
    case patch = 2
    /// A page of digests of contents. An older version of this library leaves them alone.
    case contents = 3

    /// The kinds that the tree is made of, in the order in which they are read.
    static let ofTree: [Kind] = [.nodes, .names, .patch]
  }

  package let kind: Kind
  /// The position among the chunks of its kind, from 0.
  package let number: Int
  package let bytes: [UInt8]

  /// Takes a chunk from a file.
  ///
  /// Nothing is checked before `contents()`.
  package init(stored bytes: [UInt8], _ kind: Kind, _ number: Int) {
    self.kind = kind
    self.number = number
    self.bytes = bytes
  }

  /// Makes a chunk whose first eight bytes have been left free.
  init(_ kind: Kind, _ number: Int, completing bytes: consuming [UInt8]) {
    assert(bytes.count >= Self.headSize)
    let checksum = unsafe Self.checksum(of: bytes.span.bytes, kind, number)
    for index in 0..<Self.headSize { bytes[index] = UInt8(truncatingIfNeeded: checksum >> UInt64(8 * index)) }
    self.init(stored: bytes, kind, number)
  }

  /// The number of bytes before the contents.
  static let headSize = 8

  /// The checksum as it is in the first eight bytes.
  var statedChecksum: UInt64 {
    bytes.prefix(Self.headSize).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The contents and their checksum.
  ///
  /// - Throws: If the checksum does not match.
  func contents() throws(StoredDataError) -> (bytes: ArraySlice<UInt8>, checksum: UInt64) {
    let checksum = statedChecksum
    guard bytes.count >= Self.headSize, unsafe checksum == Self.checksum(of: bytes.span.bytes, kind, number) else {
      throw StoredDataError("the checksum of part \(number) of the \(kind) does not match")
    }
    return (bytes[Self.headSize...], checksum)
  }

  /// The checksum of everything after the first eight bytes; a chunk at another's place has a wrong one.
  private static func checksum(of bytes: RawSpan, _ kind: Kind, _ number: Int) -> UInt64 {
    var checksum = StoredChecksum(seed: UInt64(kind.rawValue) << 56 | UInt64(number))
    checksum.append(bytes.extracting(headSize...))
    return checksum.value
  }
}

/// Detects bytes that were changed by accident; it is no protection from anybody.
struct StoredChecksum {
  private(set) var value: UInt64

  init(seed: UInt64) {
    value = KeyedHash.mixed(seed)
  }

  /// Each word goes through a bijection, so that no change of a single word passes unseen.
  mutating func append(_ bytes: RawSpan) {
    var start = 0
    while start + 8 <= bytes.byteCount {
      // Within the span, as the loop condition ensures.
      let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
      value = KeyedHash.mixed(value ^ UInt64(littleEndian: word))
      start += 8
    }
    var tail = UInt64(bytes.byteCount) << 56
    for index in start..<bytes.byteCount {
      tail |= UInt64(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)) << UInt64(8 * (index - start))
    }
    value = KeyedHash.mixed(value ^ tail)
  }
}
