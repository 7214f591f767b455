extension FileSystemObserver {
  /// A position between two sets of changes of an observer.
  ///
  /// An app stores the cursor of the last set that it applied, as text or encoded. A cursor is small and opaque.
  /// Cursors of one run of an observer are ordered; those of different runs or observers are not comparable. So one from
  /// before a restart differs from the current one also if nothing has happened since: to find out, begin there.
  public struct Cursor: Sendable, Hashable, Codable, LosslessStringConvertible {
    /// The run of the observer.
    let epoch: UInt64
    /// The number of the set.
    package let number: UInt64

    init(epoch: UInt64, number: UInt64) {
      self.epoch = epoch
      self.number = number
    }

    /// Makes a cursor from its text; `nil` if the text is invalid.
    public init?(_ description: String) {
      let parts = description.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].count == 16, let epoch = UInt64(parts[0], radix: 16),
        let number = UInt64(parts[1])
      else { return nil }
      self.init(epoch: epoch, number: number)
    }

    /// The cursor as text: letters, digits and a hyphen.
    public var description: String {
      let digits = String(epoch, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits + "-\(number)"
    }

    /// Decodes a cursor from its text.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      guard let cursor = Self(try container.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "it must be the text of a cursor")
      }
      self = cursor
    }

    /// Encodes the cursor as its text.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(description)
    }
  }
}
