import FileIdentity

/// Stored bytes that are not what this library writes.
package struct StoredDataError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, as the end of a sentence.
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// Writes numbers and bytes, the lowest byte of a number first.
struct StoredBytesWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  mutating func append(_ uuid: UUIDBits) {
    append(uuid.high)
    append(uuid.low)
  }

  /// Seven bits a byte, the lowest first: small numbers take one byte.
  mutating func append(short number: Int) {
    var rest = UInt(bitPattern: number)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// The number of the bytes, and the bytes.
  mutating func append(counted bytes: some Collection<UInt8>) {
    append(short: bytes.count)
    self.bytes.append(contentsOf: bytes)
  }
}

/// Reads what `StoredBytesWriter` has written, and nothing beyond the end.
struct StoredBytesReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var isAtEnd: Bool { position == bytes.endIndex }
  private var rest: Int { bytes.endIndex - position }

  mutating func take<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(StoredDataError) -> Number {
    guard rest >= Number.bitWidth / 8 else { throw Self.tooShort }
    var number: Number = 0
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      number |= Number(truncatingIfNeeded: bytes[position]) << shift
      position += 1
    }
    return number
  }

  mutating func takeUUID() throws(StoredDataError) -> UUIDBits {
    UUIDBits(high: try take(), low: try take())
  }

  mutating func takeShort() throws(StoredDataError) -> Int {
    var number: UInt = 0
    var shift = 0
    while true {
      let byte = try take(UInt8.self)
      // The tenth byte has room for one bit.
      guard shift < 63 || (shift == 63 && byte <= 1) else { throw StoredDataError("a number is too large") }
      number |= UInt(byte & 0x7f) << UInt(shift)
      if byte & 0x80 == 0 { return Int(bitPattern: number) }
      shift += 7
    }
  }

  /// A count or length: not negative.
  mutating func takeCount() throws(StoredDataError) -> Int {
    let count = try takeShort()
    guard count >= 0 else { throw StoredDataError("a count is negative") }
    return count
  }

  mutating func takeCounted() throws(StoredDataError) -> ArraySlice<UInt8> { try take(count: try takeCount()) }

  mutating func take(count: Int) throws(StoredDataError) -> ArraySlice<UInt8> {
    guard count <= rest else { throw Self.tooShort }
    defer { position += count }
    return bytes[position..<position + count]
  }

  private static let tooShort = StoredDataError("a record ends too early")
}
