/// A digest of the content of a file, by SHA-256: two files with one digest have the same content.
package struct ContentDigest: Hashable, Sendable {
  /// The number of bytes.
  package static let size = 32

  let words: (UInt64, UInt64, UInt64, UInt64)

  init(words: (UInt64, UInt64, UInt64, UInt64)) {
    self.words = words
  }

  /// Makes a digest of its bytes; `nil` if their number is another.
  package init?(bytes: some RandomAccessCollection<UInt8>) {
    guard bytes.count == Self.size else { return nil }
    func word(_ number: Int) -> UInt64 {
      bytes.dropFirst(8 * number).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
    words = (word(0), word(1), word(2), word(3))
  }

  /// The bytes, in their usual order.
  package var bytes: [UInt8] {
    [words.0, words.1, words.2, words.3].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
  }

  package static func == (one: Self, other: Self) -> Bool { one.words == other.words }

  package func hash(into hasher: inout Hasher) {
    // Each part of a digest is as good as all of it.
    hasher.combine(words.0)
  }
}

/// Makes digests of contents; what an app links decides how.
package protocol ContentDigesting: Sendable {
  /// Begins a digest; `nil` if none can be made now.
  func begin() -> (any RunningDigest)?
}

/// A digest in the making, on one thread.
package protocol RunningDigest: AnyObject {
  /// Takes the next bytes; whether that worked.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool
  /// The digest of all bytes; `nil` if none could be made. Call it once, as the last.
  func finish() -> ContentDigest?
}
